import { lstat, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { blobOid } from '../../core/git/blob-oid.ts'
import type { HandoverChange } from '../../core/handover/check-change.ts'
import { type HandoverSession, readHandoverSession, sessionPath } from '../../core/handover/handover-session.ts'
import { STATUS_FILE } from '../../core/handover/status-file.ts'
import {
  completedTasks,
  filesOfAnswers,
  type TaskFacts,
  gateFiles,
  NO_CONTENT,
  NO_TASK_FACTS,
} from '../../core/handover/task-gates.ts'
import type { Blobs } from '../io/git/blobs.ts'
import { findIgnored } from '../io/git/run-git.ts'
import { readBlobText } from '../io/worktree/head.ts'
import type { Workspace } from '../io/worktree/workspace.ts'

/** Where files are read at one moment: the worktree, the index or a commit. */
export type FilesAt = {
  readonly text: (path: string) => Promise<string | null>
  /** The ids of the content of each file, in the order of `paths`; none for a file that git ignores. */
  readonly ids: (paths: readonly string[]) => Promise<readonly (readonly string[])[]>
  /** The ids that files had in the commits after one, and before this moment. */
  readonly idsSince: (commit: string, paths: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>
  /** True for a file that git ignores, so that no commit has it. */
  readonly isIgnored: (path: string) => Promise<boolean>
}

/** The files of the worktree. */
export function filesHere(workspace: Pick<Workspace, 'root' | 'git' | 'files'>): FilesAt {
  const { root, files } = workspace
  return {
    text: async path => (await files.read(join(root, path)).catch(() => null))?.toString('utf8') ?? null,
    ids: paths => idsHere(workspace, paths),
    idsSince: (commit, paths) => idsBetween(workspace, [commit, 'HEAD'], paths),
    isIgnored: path => isIgnored(root, path),
  }
}

/** The files of a commit, or with an empty `revision` of the index. */
export function filesIn(
  { root, git }: Pick<Workspace, 'root' | 'git'>,
  { revision, blobs }: { readonly revision: string; readonly blobs: Blobs },
): FilesAt {
  return {
    text: path => readBlobText(blobs, `${revision}:${path}`),
    ids: async paths => {
      const contents = await Promise.all(paths.map(it => blobs.read(`${revision}:${it}`)))
      const absent = paths.filter((_, n) => contents[n] === null)
      const ignored = await ignoredAmong(root, absent)
      return paths.map((it, n) => (ignored.has(it) ? [] : idsOfBytes(contents[n] ?? null)))
    },
    idsSince: (commit, paths) => idsBetween({ git }, [commit, revision || 'HEAD'], paths),
    isIgnored: path => isIgnored(root, path),
  }
}

/** The facts by which the gates of a session's tasks are judged. Of answers that git ignores, those of `aside`. */
export async function taskFactsAt(
  session: Pick<HandoverSession, 'name' | 'tasks'>,
  files: FilesAt,
  { isLater, aside = null }: { readonly isLater: boolean; readonly aside?: FilesAt | null },
): Promise<TaskFacts> {
  const known = await answersAt(session, files)
  const [first = ''] = gateFiles(session)
  const isUnseen = known.size === 0 && aside !== files && (await files.isIgnored(sessionPath(session.name, first)))
  const answers = !isUnseen ? known : aside && (await answersAt(session, aside))
  return { answers, idsOf: await idsOfAnswers(answers ?? new Map(), files), isLater }
}

/** The ids of the files that some answers name. */
export async function idsOfAnswers(
  answers: ReadonlyMap<string, string>,
  files: FilesAt,
  more: readonly string[] = [],
): Promise<TaskFacts['idsOf']> {
  const paths = [...filesOfAnswers([...answers.values(), ...more])]
  const ids = await files.ids(paths)
  const known = new Map(paths.map((it, n) => [it, ids[n] ?? []] as const))
  return path => known.get(path) ?? []
}

async function answersAt(
  session: Pick<HandoverSession, 'name' | 'tasks'>,
  files: FilesAt,
): Promise<ReadonlyMap<string, string>> {
  const names = gateFiles(session)
  const texts = await Promise.all(names.map(it => files.text(sessionPath(session.name, it))))
  return new Map(names.flatMap((it, n) => (texts[n] == null ? [] : [[it, texts[n]] as const])))
}

type Ungated = Omit<HandoverChange, 'gates'>

/** A change with the facts for the gates of the tasks that it completes; most changes complete none. */
export async function withGates(
  change: Ungated,
  files: FilesAt,
  terms: { readonly isLater: boolean; readonly aside?: FilesAt | null },
): Promise<HandoverChange> {
  const after = change.after && readHandoverSession(change.after).session
  const before = change.before && readHandoverSession(change.before).session
  if (!after || completedTasks(before, after).length === 0) return { ...change, gates: NO_TASK_FACTS }
  const gates = await taskFactsAt(after, files, terms)
  if (before !== null) return { ...change, gates }
  // Nobody knows when a session that git ignores has completed its tasks.
  if (await files.isIgnored(sessionPath(after.name, STATUS_FILE)))
    return { ...change, gates: { ...gates, idsOf: () => [] } }
  return { ...change, gates: after.state === 'DONE' ? await withHistory(gates, after, files) : gates }
}

// A session that is over before it is committed is about the source of its time, which may have gone on.
async function withHistory(gates: TaskFacts, { status }: HandoverSession, files: FilesAt): Promise<TaskFacts> {
  const base = status?.base_commit ?? null
  const paths = filesOfAnswers(gates.answers?.values() ?? [])
  if (base === null || paths.length === 0) return gates
  const earlier = await files.idsSince(base, paths)
  return { ...gates, idsOf: path => [...gates.idsOf(path), ...(earlier.get(path) ?? [])] }
}

async function idsBetween(
  { git }: Pick<Workspace, 'git'>,
  [from, to]: readonly [from: string, to: string],
  paths: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const options = ['--format=', '--raw', '-z', '--no-abbrev', '--no-renames', '--diff-merges=separate']
  const args = ['--literal-pathspecs', 'log', ...options, '--end-of-options', `${from}..${to}`, '--', ...paths]
  return (await git.tryAsk({ args, parse: idsInLog })) ?? new Map()
}

// `:100644 100644 <before> <after> M`, NUL, path, NUL.
function idsInLog(out: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const [, oid = '', path = ''] of out.matchAll(/:\d+ \d+ [\da-f]+ ([\da-f]+) \w\0([^\0]+)\0/g))
    found.set(path, [...(found.get(path) ?? []), oid])
  return found
}

async function idsHere(
  { root, git }: Pick<Workspace, 'root' | 'git'>,
  paths: readonly string[],
): Promise<readonly (readonly string[])[]> {
  const kinds = await Promise.all(paths.map(it => kindHere(root, it)))
  const regular = paths.filter((_, n) => kinds[n] === 'file')
  // As git would store them, with its filters.
  const oids =
    regular.length === 0 ? [] : await git.ask({ args: ['hash-object', '--', ...regular], parse: it => it.split('\n') })
  const stored = new Map(regular.map((it, n) => [it, oids[n] ?? ''] as const))
  const ignored = await ignoredAmong(root, regular)
  return Promise.all(
    paths.map(async (path, n) => {
      if (ignored.has(path)) return []
      if (kinds[n] === 'link') return idsOfBytes(Buffer.from(await readlink(join(root, path))))
      return [stored.get(path) ?? NO_CONTENT]
    }),
  )
}

async function kindHere(root: string, path: string): Promise<'file' | 'link' | null> {
  if (!isInside(path)) return null
  const stat = await lstat(join(root, path)).catch(() => null)
  if (stat?.isSymbolicLink()) return 'link'
  return stat?.isFile() ? 'file' : null
}

// An id has one of git's two formats.
function idsOfBytes(bytes: Buffer | null): string[] {
  return bytes === null ? [NO_CONTENT] : [blobOid(bytes), blobOid(bytes, 'sha256')]
}

async function isIgnored(root: string, path: string): Promise<boolean> {
  return (await findIgnored(root, [path])).length > 0
}

// What git ignores is made from the source, and made again by every build.
async function ignoredAmong(root: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set(await findIgnored(root, paths.filter(isInside)))
}

function isInside(path: string): boolean {
  return path !== '' && !path.startsWith('/') && !path.split('/').includes('..')
}
