import { createRequire } from 'node:module'
import { join } from 'node:path'

/** The bundler's constant: an installed hook script has no package.json near it. */
declare const KOTEF_VERSION: string | undefined

/** The version of the installed package. */
export const VERSION: string =
  typeof KOTEF_VERSION === 'string'
    ? KOTEF_VERSION
    : (createRequire(import.meta.url)('../../../package.json') as { version: string }).version

/** The absolute path of a file of the package, such as `dist/main.cjs`. Bundled, this module lies in `dist/`. */
export function packageFile(path: string): string {
  const root = typeof KOTEF_VERSION === 'string' ? join(__dirname, '..') : join(import.meta.dirname, '../../..')
  return join(root, path)
}
