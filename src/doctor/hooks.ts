import { readHookFile } from '../io/hook-file.ts'
import { isWithin } from '../io/real-path.ts'
import { quoted } from '../report/printable.ts'
import { huskyFolderOf } from '../workspace/hooks-in-force.ts'
import type { Complaint } from './complaint.ts'
import { originOf } from '../setup/hook-block.ts'
import type { Circumstances, Examination, Probed } from './probe.ts'
import { type Cause, causeOf, huskysCause, huskysInit, whyOf } from './silence.ts'

/** What keeps git from running kotef's hooks in a worktree: each cause once, with the hooks that it concerns. */
export async function hookComplaints(
  exam: Examination,
  damaged: ReadonlySet<string>,
  around: Circumstances,
): Promise<Complaint[]> {
  const silent = exam.hooks.filter(it => it.times === 0)
  const groups = new Map<Cause, Probed[]>()
  for (const hook of silent) {
    const cause = await causeOf(exam, hook, damaged)
    groups.set(cause, [...(groups.get(cause) ?? []), hook])
  }
  const unexplained = groups.get('ends')
  if (unexplained) {
    groups.delete('ends')
    groups.set(await huskysCause(exam, around), unexplained)
  }
  const complaints = [...groups].map(([cause, hooks]) => complaintOf({ exam, cause, hooks, env: around.env }))
  return [...(await Promise.all(complaints)), ...commitComplaints(exam)]
}

type Silence = {
  readonly exam: Examination
  readonly cause: Cause
  readonly hooks: readonly Probed[]
  readonly env: NodeJS.ProcessEnv
}

async function complaintOf({ exam, cause, hooks, env }: Silence): Promise<Complaint> {
  const { root } = exam.worktree
  const names = hooks.map(it => it.hook)
  const which = names.length === exam.hooks.length ? 'any hook of kotef' : `kotef's ${listed(names)}`
  const what = `git does not run ${which} in ${root}: ${whyOf(cause, exam, env)}`
  return { what, ...(await wayOut({ exam, cause, hooks, env })) }
}

type WayOut = Pick<Complaint, 'fix' | 'repair'>

async function wayOut({ exam, cause, hooks, env }: Silence): Promise<WayOut> {
  const { worktree, inForce } = exam
  const files = hooks.map(it => it.path)
  if (cause === 'environment') return { fix: '`unset GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS`' }
  if (cause === 'husky-off') return { fix: '`unset HUSKY`' }
  if (cause === 'husky-init')
    return { fix: `Take the line with HUSKY out of it: \`"\${EDITOR:-vi}" ${quoted(huskysInit(env))}\`` }
  if (cause === 'damaged') return { fix: FIX, repair: { kind: 'scripts', at: [worktree.root] } }
  if (cause === 'no-folder' && huskyFolderOf(inForce.folder) !== null) {
    return {
      fix: `${FIX}, or \`${inside(worktree.root, 'npx husky')}\``,
      repair: { kind: 'husky', at: [worktree.root] },
    }
  }
  if (cause === 'unrunnable') {
    const fix = `Let it be run: \`chmod +x ${files.map(quoted).join(' ')}\``
    return (await areOurs(exam, files)) ? { fix, repair: { kind: 'executable', at: files } } : { fix }
  }
  const isOurPlace = exam.isConfigured || isWithin(worktree.commonDir, inForce.folder)
  if (isOurPlace) return { fix: FIX, repair: { kind: 'hooks', at: [worktree.root] } }
  return { fix: `Run \`${inside(worktree.root, 'kotef init')}\`` }
}

/** The way out of what the doctor may put right by itself. */
export const FIX = 'Run `kotef doctor --fix`'

/** A command as it is to be pasted, wherever one stands. */
export function inside(root: string, command: string): string {
  return `cd ${quoted(root)} && ${command}`
}

// What the user switched off by taking away the permission of a file of theirs is left so.
async function areOurs({ worktree }: Examination, paths: readonly string[]): Promise<boolean> {
  const files = await Promise.all(paths.map(readHookFile))
  return paths.every(it => isWithin(worktree.commonDir, it)) && files.every(it => originOf(it?.text ?? '') === 'made')
}

// A hook that runs by itself and not in a commit: lines before kotef's look at what only a commit sets.
function commitComplaints({ worktree: { root }, hooks, commit }: Examination): Complaint[] {
  const isAlone = hooks.some(it => it.hook === commit.hook && it.times > 0) && commit.times === 0
  if (!isAlone) return []
  const what = `git runs kotef's ${commit.hook} in ${root} by itself, but not in a commit: the lines before it end it`
  return [{ what, fix: `Put kotef's first: \`${inside(root, 'kotef init')}\`` }]
}

/** Names as a sentence lists them. */
export function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`
}
