import { createRequire } from 'node:module'
import { join } from 'node:path'

/** What a hook runs carries the version itself: it lies where no package.json is. */
declare const KOTEF_VERSION: string | undefined

/** The version of the installed package. */
export const VERSION: string =
  typeof KOTEF_VERSION === 'string'
    ? KOTEF_VERSION
    : (createRequire(import.meta.url)('../package.json') as { version: string }).version

/** Where a file of the package lies, such as `dist/main.cjs`: this module is a folder below its root, built or not. */
export function packageFile(path: string): string {
  return join(typeof __dirname === 'string' ? __dirname : import.meta.dirname, '..', path)
}
