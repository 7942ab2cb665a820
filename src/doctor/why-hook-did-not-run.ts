import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readHookFile } from '../setup/hook-file.ts'
import { huskyFolderOf } from '../setup/hooks/effective-hooks.ts'
import { layoutOf } from '../worktree/layout.ts'
import { blockOrigin } from '../setup/hooks/hook-block.ts'
import { type ProbeOptions, type WorktreeProbe, probeWorktree, type ProbedHook } from './probe-hooks.ts'

/** Why a hook did not call kotef. `causeText` has a sentence for each cause. */
export type SilenceCause =
  | 'environment'
  | 'no-folder'
  | 'absent'
  | 'unrunnable'
  | 'foreign'
  | 'unconfigured'
  | 'damaged'
  | 'slow'
  | 'husky-off'
  | 'husky-init'
  | 'ends'

/** Finds the cause, by the files and settings that git uses. */
export async function findCause(
  probe: WorktreeProbe,
  hook: ProbedHook,
  damaged: ReadonlySet<string>,
): Promise<SilenceCause> {
  const { inForce, isConfigured } = probe
  if (isConfigured && hook.state !== 'ours') return 'unconfigured'
  if (hook.state !== 'ours' && inForce.setBy?.scope === 'command') return 'environment'
  if (!existsSync(inForce.folder)) return 'no-folder'
  if (hook.state !== 'ours') return hook.state
  if (blockOrigin((await readHookFile(hook.script))?.text ?? '') === null) return 'foreign'
  if (hook.timedOut) return 'slow'
  return [hook.hook, 'common.sh', 'tell.sh'].some(it => damaged.has(it)) ? 'damaged' : 'ends'
}

/** Is husky switched off, by the environment or by its start-up file? Else the lines before kotef's end the hook. */
export async function findHuskyCause(
  { worktree, inForce }: WorktreeProbe,
  { env, ...more }: ProbeOptions,
): Promise<SilenceCause> {
  if (huskyFolderOf(inForce.folder) === null) return 'ends'
  if (env['HUSKY'] === '0') return 'husky-off'
  if (!existsSync(huskyInitPath(env))) return 'ends'
  const without = await probeWorktree(worktree, { ...more, env: { ...env, XDG_CONFIG_HOME: '/dev/null' } })
  return without.hooks.some(it => it.times > 0) ? 'husky-init' : 'ends'
}

/** The cause as a part of a sentence. */
export function causeText(
  cause: SilenceCause,
  { worktree, inForce: { folder, setBy } }: WorktreeProbe,
  env: NodeJS.ProcessEnv,
): string {
  const scripts = huskyFolderOf(folder) ?? folder
  const named = setBy ? `, which core.hooksPath names (${setBy.origin})` : ''
  const why: Readonly<Record<SilenceCause, string>> = {
    environment: `core.hooksPath is ${folder}, by the environment`,
    'no-folder': `there is no folder ${folder}${named}`,
    absent: `there is no such file in ${scripts}${named}`,
    unrunnable: `the file in ${folder} is not executable`,
    foreign: `the file in ${scripts} does not call kotef`,
    unconfigured: "git's config does not name it",
    damaged: `its script in ${layoutOf(worktree).shared} is damaged`,
    slow: `the lines before kotef's in ${scripts} take too long`,
    'husky-off': 'HUSKY=0 is set in the environment',
    'husky-init': `${huskyInitPath(env)} switches husky off`,
    ends: `the lines before kotef's in ${scripts} end the hook`,
  }
  return why[cause]
}

/** The file that husky reads before every hook. */
export function huskyInitPath(env: NodeJS.ProcessEnv): string {
  return join(env['XDG_CONFIG_HOME'] || join(env['HOME'] ?? '', '.config'), 'husky/init.sh')
}
