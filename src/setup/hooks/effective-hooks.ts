import { basename, dirname, join } from 'node:path'
import { REGISTRY_PATH } from '../../paths/governance-files.ts'
import { readHookFile } from '../hook-file.ts'
import { gitWithEnv } from '../../io/git/git.ts'
import { withoutRepositoryEnv } from '../../io/git/git-env.ts'
import { layoutOf } from '../../worktree/layout.ts'
import type { Workspace } from '../../worktree/workspace.ts'

/** What stands under the name of a hook, where git looks for it. */
export type EffectiveHook = {
  readonly hook: string
  /** The file that git runs, and the one whose lines it comes to: another one under husky. */
  readonly path: string
  readonly script: string
  readonly state: 'absent' | 'unrunnable' | 'foreign' | 'ours'
}

/** Where git looks for hooks, and for what reason; the environment may name another place than the config does. */
export type HooksLocation = {
  readonly folder: string
  /** Who set core.hooksPath, or null when nobody did. */
  readonly setBy: { readonly scope: string; readonly origin: string } | null
}

/** Asks git where it looks for the hooks of this worktree. */
export async function locateHooks({ root }: Pick<Workspace, 'root'>, env: NodeJS.ProcessEnv): Promise<HooksLocation> {
  const git = gitWithEnv(root, withoutRepositoryEnv(env))
  const [folder, setting] = await Promise.all([
    git.ask({
      args: ['rev-parse', '--path-format=absolute', '--git-path', 'hooks'],
      parse: out => out.replace(/\n$/, ''),
    }),
    git.tryAsk({
      args: ['config', '-z', '--show-scope', '--show-origin', '--get', 'core.hooksPath'],
      parse: out => out.split('\0'),
    }),
  ])
  const [scope, origin] = setting ?? []
  return { folder, setBy: scope && origin ? { scope, origin } : null }
}

/** Looks at what git would run for a hook. A file that does not even name kotef is taken for someone else's. */
export async function inspectHook(folder: string, hook: string): Promise<EffectiveHook> {
  const path = join(folder, hook)
  const script = join(huskyFolderOf(folder) ?? folder, hook)
  const [hookFile, scriptFile] = await Promise.all([readHookFile(path), readHookFile(script)])
  if (!hookFile || !scriptFile) return { hook, path: hookFile ? script : path, script, state: 'absent' }
  if (!hookFile.isExecutable) return { hook, path, script, state: 'unrunnable' }
  return { hook, path, script, state: scriptFile.text?.includes('kotef') ? 'ours' : 'foreign' }
}

/** Husky's folder of scripts, when what git looks into is of husky's making; else null. */
export function huskyFolderOf(folder: string): string | null {
  return basename(folder) === '_' && basename(dirname(folder)) === '.husky' ? dirname(folder) : null
}

/** The names and commands of the hooks that are defined in git's config, which git knows since 2.54. */
export async function configuredHooks({ root }: Pick<Workspace, 'root'>, env: NodeJS.ProcessEnv) {
  const hooks = await gitWithEnv(root, withoutRepositoryEnv(env)).tryAsk({
    args: ['config', '-z', '--get-regexp', '^hook\\..*\\.command$'],
    parse: out => out.split('\0').map(it => /^hook\.([^\n]*)\.command\n([^]*)$/.exec(it) ?? []),
  })
  return (hooks ?? []).flatMap(([, name, command]) =>
    name !== undefined && command !== undefined ? [{ name, isOurs: command.includes('kotef') }] : [],
  )
}

/** Says at a glance that git runs no hooks of kotef's here; null when it seems to. The doctor is who proves it. */
export async function hooksProblem(workspace: Workspace): Promise<string | null> {
  if (!(await areHooksExpected(workspace))) return null
  const { folder } = await locateHooks(workspace, process.env)
  const hooks = await Promise.all(['pre-commit', 'commit-msg'].map(it => inspectHook(folder, it)))
  const missing = hooks.filter(it => it.state !== 'ours').map(it => it.hook)
  if (missing.length === 0 || (await configuredHooks(workspace, process.env)).some(it => it.isOurs)) return null
  return `git does not run kotef's ${missing.join(' and ')} here: see \`kotef doctor\``
}

// A worktree that is only observed has a registry, but nobody has committed it.
async function areHooksExpected(workspace: Workspace): Promise<boolean> {
  const { shared } = layoutOf(workspace)
  if ((await workspace.files.modifiedAt(join(shared, 'common.sh'))) !== null) return true
  const inHead = { args: ['cat-file', '-t', `HEAD:${REGISTRY_PATH}`], parse: (out: string) => out.trim() === 'blob' }
  return (await workspace.git.tryAsk(inHead)) ?? false
}
