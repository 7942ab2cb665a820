import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { commitLog } from '../../../core/git/log.ts'
import { realPathOf } from '../../../world/io/files/real-path.ts'
import { findIgnored } from '../../../world/io/git/run-git.ts'
import { queryLedger } from '../../../world/ledger/query-ledger.ts'
import type { AbsentFile, AbsentKind, FileColours, FileContent, FilePageFacts } from '../pages/file-facts.ts'
import { fileView } from '../pages/file-view.ts'
import { loadRegistry } from '../../../world/intents/policy/load-policy.ts'
import { readCommitSummaries } from '../../../world/provenance/commit-queries.ts'
import { readHead } from '../../../world/io/worktree/head.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'
import { blameCacheOf } from './blame-caches.ts'

/** What is asked of a file: its path, the colours, the group that alone is shown, and the first line, from 0. */
export type FileQuestion = {
  readonly path: string
  readonly by: FileColours
  readonly only: string | null
  readonly from: number
}

/** The lines of a file as they are on disk, with their authors as `kotef blame` has them. */
export async function gatherFile(workspace: Workspace, question: FileQuestion): Promise<FilePageFacts> {
  const { path, by } = question
  const [content, { records, older }] = await Promise.all([
    contentOf(workspace, question),
    queryLedger(workspace, { wanted: { file: path }, limit: 0 }),
  ])
  return { now: workspace.clock.now(), path, by, records: records.length + older, content }
}

async function contentOf(workspace: Workspace, question: FileQuestion): Promise<FileContent> {
  const obstacle = await obstacleTo(workspace, question.path)
  if (obstacle !== null) return absentFile(workspace, question.path, obstacle)
  const [file, head] = await Promise.all([(await blameCacheOf(workspace)).read(question.path), readHead(workspace)])
  if (file === null || file.isBinary) return absentFile(workspace, question.path, file ? 'binary' : 'unreadable')
  const view = fileView(file.lines, file.texts, question)
  const commits = new Set(view.blocks.flatMap(it => it.why.commit ?? []))
  const [summaries, { intents }] = await Promise.all([
    readCommitSummaries(workspace.git, [...commits]),
    loadRegistry(workspace).catch(() => ({ intents: [] })),
  ])
  const names = new Map(intents.map(it => [it.id, it.name]))
  const subjects = new Map([...summaries].map(([commit, it]) => [commit, it.subject]))
  return { kind: 'text', head, view, names, subjects }
}

/** Why the lines of a path are not shown; null for a file that is in the worktree. */
async function obstacleTo({ root }: Workspace, path: string): Promise<AbsentKind | null> {
  if (!isInsidePath(path)) return 'outside'
  const file = join(root, path)
  // Anybody can write a path into an address, so no link is followed: it may lead out of the worktree.
  if ((await realPathOf(file).catch(() => null)) !== file) return 'link'
  const found = await lstat(file).catch(() => null)
  if (found === null) return 'missing'
  if (!found.isFile()) return found.isDirectory() ? 'folder' : found.isSymbolicLink() ? 'link' : 'unreadable'
  // Git refuses to answer for a file of a submodule.
  const ignored = await findIgnored(root, [path]).catch(() => null)
  return ignored === null ? 'outside' : ignored.length > 0 ? 'ignored' : null
}

function isInsidePath(path: string): boolean {
  const parts = path.split('/')
  return (
    !path.includes('\0') && !parts.some(it => it === '' || it === '.' || it === '..' || it.toLowerCase() === '.git')
  )
}

async function absentFile({ git }: Workspace, path: string, kind: AbsentKind): Promise<AbsentFile> {
  if (kind === 'outside') return { kind, last: null }
  const [last] = (await git.tryAsk(commitLog({ path, limit: 1 }))) ?? []
  return { kind, last: last ? { commit: last.commit, at: last.committed, subject: last.subject } : null }
}
