import { createRequire } from 'node:module'

const manifest = createRequire(import.meta.url)('../package.json') as { version: string }

/** The version of the installed package. */
export const VERSION: string = manifest.version
