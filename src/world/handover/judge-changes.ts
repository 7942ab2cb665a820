import type { PathChange } from '../../core/git/changes.ts'
import { checkHandoverChange, type HandoverChange } from '../../core/handover/check-change.ts'
import { checkHandover } from '../../core/handover/check-session.ts'
import type { HandoverProblem } from '../../core/handover/handover-problem.ts'
import { CONTRACT_FILES, type SessionFiles, sessionPath } from '../../core/handover/handover-session.ts'
import { type LineWriters, type RoleBreach, sessionOfPath } from '../../core/handover/port.ts'
import { taskBreaches } from '../../core/handover/role-breach.ts'
import type { Blobs } from '../io/git/blobs.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { filesHere, filesIn, withGates } from './task-facts.ts'
import { readBlobText } from '../io/worktree/head.ts'

type At = Pick<Workspace, 'root' | 'git' | 'files'> & {
  /** The empty one is the index. */
  readonly revision: string
  readonly blobs: Blobs
}

/** The fact for a judgement of some changes: the problems of the sessions that they touch, if they touch any. */
export async function handoverFact(
  changes: readonly PathChange[],
  at: At,
): Promise<{ readonly handover?: readonly HandoverProblem[] }> {
  const touches = changes.some(it => sessionOfPath(it.path))
  return touches ? { handover: (await judgeHandoverChanges({ changes }, at)).problems } : {}
}

/** Changes, and for lists of tasks among them the writer of each line, as far as the ledger knows it. */
export type WrittenChanges = {
  readonly changes: readonly PathChange[]
  readonly taskLines?: readonly (readonly [path: string, writers: LineWriters])[]
}

/**
 * Judges the sessions that some changes touch: as they are afterwards, whether they may change like that, and whether
 * the roles that set the statuses of tasks may. Other files of theirs are read at `revision`.
 */
export async function judgeHandoverChanges(
  { changes, taskLines = [] }: WrittenChanges,
  at: At,
): Promise<{ readonly problems: readonly HandoverProblem[]; readonly breaches: readonly RoleBreach[] }> {
  const names = new Set(changes.flatMap(it => sessionOfPath(it.path)?.session ?? []))
  const gathered = await Promise.all([...names].map(it => gatherChange(it, changes, at)))
  const breaches = gathered.flatMap(it =>
    taskLines.flatMap(([path, writers]) =>
      sessionOfPath(path)?.session === it.after?.name ? taskBreaches(it, writers) : [],
    ),
  )
  return { problems: gathered.flatMap(judgeHandoverChange), breaches }
}

/** Judges a session that changes: as it is afterwards, and whether it may change like that. */
export function judgeHandoverChange(change: HandoverChange): HandoverProblem[] {
  return [...(change.after ? checkHandover(change.after) : []), ...checkHandoverChange(change)]
}

/** The problems of a session that changes which it did not have before. */
export function newHandoverProblems({ before, after, role, gates }: HandoverChange): HandoverProblem[] {
  const key = ({ rule, file, pointer, expected }: HandoverProblem): string => [rule, file, pointer, expected].join('\0')
  const known = new Set(before ? judgeHandoverChange({ before: null, after: before, role: null, gates }).map(key) : [])
  return judgeHandoverChange({ before, after, role, gates }).filter(it => !known.has(key(it)))
}

async function gatherChange(name: string, changes: readonly PathChange[], at: At): Promise<HandoverChange> {
  const { revision, blobs } = at
  const touched = changes.filter(it => sessionOfPath(it.path)?.session === name)
  const before = new Map<string, string>()
  const after = new Map<string, string>()
  const put = (texts: Map<string, string>, file: string, text: string | null): void => {
    if (text !== null) texts.set(file, text)
  }
  for (const file of CONTRACT_FILES) {
    const change = touched.find(it => it.path === sessionPath(name, file))
    if (change) {
      put(before, file, await blobText(blobs, change.before))
      put(after, file, await blobText(blobs, change.after))
      continue
    }
    const text = await readBlobText(blobs, `${revision}:${sessionPath(name, file)}`)
    put(before, file, text)
    put(after, file, text)
  }
  for (const { path, ...it } of touched) {
    const file = sessionOfPath(path)?.file ?? ''
    if (CONTRACT_FILES.includes(file)) continue
    // No rule reads these files.
    put(before, file, it.before?.oid ?? null)
    put(after, file, it.after?.oid ?? null)
  }
  const change = { before: filesOrNull(name, before), after: filesOrNull(name, after), role: null }
  // What git ignores is not in the index, but it is in the worktree from which the commit is made.
  const aside = revision === '' ? filesHere(at) : null
  return withGates(change, filesIn(at, at), { isLater: true, aside })
}

async function blobText(blobs: Blobs, entry: PathChange['before']): Promise<string | null> {
  return entry && ((await readBlobText(blobs, entry.oid)) ?? '')
}

function filesOrNull(name: string, texts: ReadonlyMap<string, string>): SessionFiles | null {
  return texts.size === 0 ? null : { name, texts }
}
