import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { KOTEF_ANYWHERE } from '../../../core/base/kotef-command.ts'

/**
 * What a person types for `kotef` in a folder: the name, if a shell finds it; through npx, if the package is installed
 * there; else with the name of the package, because npx would ask the registry for a package called kotef.
 */
export function typedName(cwd: string, { PATH = '' }: NodeJS.ProcessEnv): string {
  // npm puts these folders into the PATH of what it runs, and a person's shell does not have them.
  const folders = PATH.split(delimiter).filter(it => it !== '' && !/node_modules[/\\]\.bin[/\\]?$/.test(it))
  if (folders.some(hasKotef)) return 'kotef'
  return isInstalledAbove(cwd) ? 'npx kotef' : KOTEF_ANYWHERE
}

/** A text for a person, in which each command to paste begins with what this person types. */
export function withTypedName(text: string, name: string): string {
  return name === 'kotef' ? text : text.replace(/(`|&& )kotef (?=[a-z])/g, `$1${name} `)
}

function hasKotef(folder: string): boolean {
  return existsSync(join(folder, 'kotef')) || existsSync(join(folder, 'kotef.cmd'))
}

function isInstalledAbove(folder: string): boolean {
  if (hasKotef(join(folder, 'node_modules/.bin'))) return true
  return dirname(folder) !== folder && isInstalledAbove(dirname(folder))
}
