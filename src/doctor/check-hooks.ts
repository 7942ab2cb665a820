import { readHookFile } from '../setup/hook-file.ts'
import { isWithin } from '../io/files/real-path.ts'
import { shellQuoted } from '../text/printable.ts'
import { huskyFolderOf } from '../setup/hooks/effective-hooks.ts'
import type { DoctorProblem } from './doctor-problem.ts'
import { blockOrigin } from '../setup/hooks/hook-block.ts'
import type { ProbeOptions, WorktreeProbe, ProbedHook } from './probe-hooks.ts'
import { type SilenceCause, findCause, findHuskyCause, huskyInitPath, causeText } from './why-hook-did-not-run.ts'

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
