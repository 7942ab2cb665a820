import { VERSION } from '../../io/files/package.ts'
import type { HooksSetup } from '../../setup/hooks/hooks-setup.ts'

/** Describes who manages the hooks of a repository, and how they call kotef. */
export function hooksLines({ manager, way, folder, next }: HooksSetup): string[] {
  if (way === 'config')
    return [`git calls kotef through its config, in addition to the hooks in ${folder}${managerSuffix(manager)}`]
  if (way === 'handing-on') return [`git runs the hooks in ${folder}`, ...forwardingLines(next)]
  if (manager === 'git') return [`git runs the hooks in ${folder}, and each calls kotef first.`]
  if (manager === 'husky') return [`Husky runs the hooks in ${folder}, and each calls kotef first.`]
  return [
    `git runs the hooks in ${folder}${managerSuffix(manager)}, and each calls kotef first.`,
    `  When ${manager} rewrites them, the calls are lost; restore them with \`kotef init\` or \`kotef intent start\``,
  ]
}

/** Warns that a newer kotef installed the git hooks; an older one does not replace them. */
export function newerHooksLine(version: string): string {
  return `The git hooks are from kotef ${version}, newer than this one (${VERSION}): \`npm i -D kotef-watch@latest\``
}

function managerSuffix(manager: HooksSetup['manager']): string {
  return manager === 'git' ? '' : ` (${manager})`
}

function forwardingLines(next: string | null): string[] {
  const to = next ?? "git's own hooks folder"
  return [`  Each calls kotef, then the hook of the same name in ${to} (core.hooksPath).`]
}
