import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isHuskyOff } from '../../../core/git/switch-variables.ts'
import { readHookFile } from '../hook-file.ts'
import { isWithin } from '../../io/files/real-path.ts'
import { shellQuoted } from '../../../core/base/printable.ts'
import { huskyFolderOf } from '../hooks/detect-hooks.ts'
import type { DoctorProblem } from './doctor-problem.ts'
import { blockOrigin } from '../hooks/hook-block.ts'
import { type ProbedHook, type ProbeOptions, probeWorktree, type WorktreeProbe } from './probe-hooks.ts'
import { layoutOf } from '../../io/worktree/layout.ts'

/** What keeps git from running kotef's hooks in a worktree? Each cause comes once, with all hooks that it concerns. */
export async function checkHooks(
  probe: WorktreeProbe,
  damaged: ReadonlySet<string>,
  options: ProbeOptions,
): Promise<DoctorProblem[]> {
  const silent = probe.hooks.filter(it => it.times === 0)
  const groups = new Map<SilenceCause, ProbedHook[]>()
  for (const hook of silent) {
    const cause = await findCause(probe, hook, damaged)
    groups.set(cause, [...(groups.get(cause) ?? []), hook])
  }
  const unexplained = groups.get('ends')
  if (unexplained) {
    groups.delete('ends')
    groups.set(await findHuskyCause(probe, options), unexplained)
  }
  const complaints = [...groups].map(([cause, hooks]) => problemOfCause({ probe, cause, hooks, env: options.env }))
  return [...(await Promise.all(complaints)), ...checkCommitHook(probe)]
}

type SilentHooks = {
  readonly probe: WorktreeProbe
  readonly cause: SilenceCause
  readonly hooks: readonly ProbedHook[]
  readonly env: NodeJS.ProcessEnv
}

async function problemOfCause({ probe, cause, hooks, env }: SilentHooks): Promise<DoctorProblem> {
  const { root } = probe.worktree
  const names = hooks.map(it => it.hook)
  const which = names.length === probe.hooks.length ? 'any hook of kotef' : `kotef's ${listNames(names)}`
  const message = `git does not run ${which} in ${root}: ${causeText(cause, probe, env)}`
  return { message, ...(await remedyFor({ probe, cause, hooks, env })) }
}

type Remedy = Pick<DoctorProblem, 'hint' | 'repair'>

async function remedyFor({ probe, cause, hooks, env }: SilentHooks): Promise<Remedy> {
  const { worktree, inForce } = probe
  const files = hooks.map(it => it.path)
  if (cause === 'environment') return { hint: '`unset GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS`' }
  if (cause === 'husky-off') return { hint: '`unset HUSKY`' }
  if (cause === 'husky-init')
    return { hint: `Remove its line with HUSKY: \`"\${EDITOR:-vi}" ${shellQuoted(huskyInitPath(env))}\`` }
  if (cause === 'damaged') return { hint: FIX_HINT, repair: { kind: 'scripts', at: [worktree.root] } }
  if (cause === 'no-folder' && huskyFolderOf(inForce.folder) !== null) {
    return {
      hint: `${FIX_HINT}, or \`${commandIn(worktree.root, 'npx husky')}\``,
      repair: { kind: 'husky', at: [worktree.root] },
    }
  }
  if (cause === 'unrunnable') {
    const hint = `Make it executable: \`chmod +x ${files.map(shellQuoted).join(' ')}\``
    return (await areKotefFiles(probe, files)) ? { hint, repair: { kind: 'executable', at: files } } : { hint }
  }
  const isOurPlace = probe.isConfigured || isWithin(worktree.commonDir, inForce.folder)
  if (isOurPlace) return { hint: FIX_HINT, repair: { kind: 'hooks', at: [worktree.root] } }
  return { hint: `Run \`${commandIn(worktree.root, 'kotef init')}\`` }
}

/** The hint for a problem that the doctor can repair. */
export const FIX_HINT = 'Run `kotef doctor --fix`'

/** A command that works in whatever folder it is pasted. */
export function commandIn(root: string, command: string): string {
  return `cd ${shellQuoted(root)} && ${command}`
}

// A person may have removed the permission from a file of their own, to switch it off. That is not repaired.
async function areKotefFiles({ worktree }: WorktreeProbe, paths: readonly string[]): Promise<boolean> {
  const files = await Promise.all(paths.map(readHookFile))
  return (
    paths.every(it => isWithin(worktree.commonDir, it)) && files.every(it => blockOrigin(it?.text ?? '') === 'made')
  )
}

// pre-commit can run by itself and not in a commit when lines before kotef's read what only a commit sets.
function checkCommitHook({ worktree: { root }, hooks, commit }: WorktreeProbe): DoctorProblem[] {
  const isAlone = hooks.some(it => it.hook === commit.hook && it.times > 0) && commit.times === 0
  if (!isAlone) return []
  const why = "the lines before kotef's end it"
  const message = `git runs kotef's ${commit.hook} in ${root} by itself, but not in a commit: ${why}`
  return [{ message, hint: `Move kotef's lines first: \`${commandIn(root, 'kotef init')}\`` }]
}

/** Names as a sentence lists them: `a, b and c`. */
export function listNames(names: readonly string[]): string {
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`
}

/** Why a hook did not call kotef. `causeText` has a sentence for each cause. */
type SilenceCause =
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
async function findCause(probe: WorktreeProbe, hook: ProbedHook, damaged: ReadonlySet<string>): Promise<SilenceCause> {
  const { inForce, isConfigured } = probe
  if (isConfigured && hook.state !== 'ours') return 'unconfigured'
  if (hook.state !== 'ours' && inForce.setBy?.scope === 'command') return 'environment'
  if (!existsSync(inForce.folder)) return 'no-folder'
  if (hook.state !== 'ours') return hook.state
  if (blockOrigin((await readHookFile(hook.script))?.text ?? '') === null) return 'foreign'
  if (hook.timedOut) return 'slow'
  return [hook.hook, 'common.sh', 'enqueue.sh'].some(it => damaged.has(it)) ? 'damaged' : 'ends'
}

/** Is husky switched off, by the environment or by its start-up file? Else the lines before kotef's end the hook. */
async function findHuskyCause(
  { worktree, inForce }: WorktreeProbe,
  { env, ...more }: ProbeOptions,
): Promise<SilenceCause> {
  if (huskyFolderOf(inForce.folder) === null) return 'ends'
  if (isHuskyOff(env)) return 'husky-off'
  if (!existsSync(huskyInitPath(env))) return 'ends'
  const without = await probeWorktree(worktree, { ...more, env: { ...env, XDG_CONFIG_HOME: '/dev/null' } })
  return without.hooks.some(it => it.times > 0) ? 'husky-init' : 'ends'
}

/** The cause as a part of a sentence. */
function causeText(
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
function huskyInitPath(env: NodeJS.ProcessEnv): string {
  return join(env['XDG_CONFIG_HOME'] || join(env['HOME'] ?? '', '.config'), 'husky/init.sh')
}
