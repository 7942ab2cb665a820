import { createRequire } from 'node:module'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readRegularFileSync } from './regular-file.ts'

/** The bundler's constant: an installed hook script has no package.json near it. */
declare const KOTEF_VERSION: string | undefined

/** The version of the installed package. */
export const VERSION: string =
  typeof KOTEF_VERSION === 'string'
    ? KOTEF_VERSION
    : (createRequire(import.meta.url)('../../../../package.json') as { version: string }).version

/**
 * As `packageFile`, also for a program that `kotef init` has copied out of the package: then the path of kotef is in
 * the file `program` beside it.
 */
export function fileOfInstalledPackage(path: string): string {
  const own = packageFile(path)
  if (typeof KOTEF_VERSION !== 'string' || existsSync(own)) return own
  const note = join(__dirname, 'program')
  const main = existsSync(note) ? readRegularFileSync(note)?.toString('utf8').trim() : null
  return main ? join(dirname(main), '..', path) : own
}

/** The absolute path of a file of the package, such as `dist/main.cjs`. Bundled, this module lies in `dist/`. */
export function packageFile(path: string): string {
  const root = typeof KOTEF_VERSION === 'string' ? join(__dirname, '..') : join(import.meta.dirname, '../../../..')
  return join(root, path)
}
