import { createContext } from 'preact'

/** Whether a page is kept up to date by a server. An exported one says when things were, and has no forms. */
export const LivePages = createContext(true)
