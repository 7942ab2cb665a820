import { createRequire } from 'node:module'

/** Bundles carry the version themselves: they lie where no package.json is. */
declare const KOTEF_VERSION: string | undefined

/** The version of the installed package. */
export const VERSION: string =
  typeof KOTEF_VERSION === 'string'
    ? KOTEF_VERSION
    : (createRequire(import.meta.url)('../package.json') as { version: string }).version
