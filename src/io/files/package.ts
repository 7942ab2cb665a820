import { createRequire } from 'node:module'
import { join } from 'node:path'

/** What a hook runs carries the version itself: it lies where no package.json is. */
declare const KOTEF_VERSION: string | undefined

/** The version of the installed package. */
export const VERSION: string =
  typeof KOTEF_VERSION === 'string'
    ? KOTEF_VERSION
    : (createRequire(import.meta.url)('../../../package.json') as { version: string }).version

/** The absolute path of a file of the package, such as `dist/main.cjs`. Built, this module lies in `dist/`. */
export function packageFile(path: string): string {
  const root = typeof __dirname === 'string' ? join(__dirname, '..') : join(import.meta.dirname, '../../..')
  return join(root, path)
}
