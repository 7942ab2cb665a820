import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { KOTEF_ANYWHERE } from '../../../core/base/kotef-command.ts'

/** What a person types for `kotef`: the name, if a shell finds it, else what runs kotef in any folder. */
export function typedName({ PATH = '' }: NodeJS.ProcessEnv): string {
  // npm puts these folders into the PATH of what it runs, and a person's shell does not have them.
  const folders = PATH.split(delimiter).filter(it => it !== '' && !/node_modules[/\\]\.bin[/\\]?$/.test(it))
  return folders.some(hasKotef) ? 'kotef' : KOTEF_ANYWHERE
}

function hasKotef(folder: string): boolean {
  return existsSync(join(folder, 'kotef')) || existsSync(join(folder, 'kotef.cmd'))
}
