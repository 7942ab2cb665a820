import { join, resolve } from 'node:path'
import { type Git, gitWithEnv } from '../io/git/git.ts'
import { openBlobs } from '../io/git/blobs.ts'
import { readGit } from '../io/git/run-git.ts'
import type { Lesson } from '../../core/lessons/lesson.ts'
import { LESSONS_FILES } from '../../core/lessons/lessons-file.ts'
import { loadConfig } from '../intents/policy/load-policy.ts'
import { readHead } from '../io/worktree/head.ts'
import { announceOwnWrite } from '../io/worktree/own-writes.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import {
  addingWaiting,
  loadLessons,
  planEdit,
  type PlannedEdit,
  withLessonsLock,
  writeList,
} from './lessons-on-disk.ts'
import { dropStaged, noteStaged, settleStaged, type StagedLessons } from './staged-lessons.ts'
import { forgetWaiting } from './waiting-lessons.ts'

/**
 * Puts the lessons that wait into the file of the lessons, and that file into the index of the commit that is being
 * made; `env` is that of git's pre-commit hook. Returns that file, and how many. Nothing is done where the file would
 * differ from HEAD without them, nor for a commit of single paths: git would keep the index of all others without it.
 */
export async function carryLessons(workspace: Workspace, env: NodeJS.ProcessEnv) {
  const config = await loadConfig(workspace)
  const path = LESSONS_FILES[config.lessons.file]
  if (config.lessons.update !== 'commits' || !isOwnIndex(workspace, env)) return { path, carried: 0 }
  const staged = await settleStaged(workspace)
  const state = await stateOf(workspace, env, path)
  if (staged !== null && (await isStillStaged(workspace, env, { staged, state }))) return { path, carried: 0 }
  await dropStaged(workspace)
  const { waiting } = await loadLessons(workspace, config)
  const isDue = waiting.length > 0 && isUntouched(state)
  return { path, carried: isDue ? await stageLessons(workspace, env, waiting) : 0 }
}

type Staged = { readonly staged: StagedLessons; readonly state: FileState }

// A commit that was stopped has left the file in the index, or, after a reset, only on the disk.
async function isStillStaged(
  workspace: Workspace,
  env: NodeJS.ProcessEnv,
  { staged: { path, oid }, state: { head, index, disk } }: Staged,
): Promise<boolean> {
  if (index === oid) return true
  if (disk !== oid || index !== head) return false
  await stageFile(workspace, env, path)
  return true
}

/** Takes lessons back out of a commit that is stopped: the file and its entry in the index are again as at HEAD. */
export async function takeBackLessons(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<void> {
  const staged = await settleStaged(workspace)
  if (staged === null || !isOwnIndex(workspace, env)) return
  const { path, oid } = staged
  await withLessonsLock(workspace, async () => {
    const { head, index, disk } = await stateOf(workspace, env, path)
    if (index !== oid || disk !== oid) return
    await (head === null ? removeFile(workspace, env, path) : restoreFile(workspace, env, { path, oid: head }))
    await dropStaged(workspace)
  })
}

async function stageLessons(workspace: Workspace, env: NodeJS.ProcessEnv, waiting: readonly Lesson[]): Promise<number> {
  return withLessonsLock(workspace, async () => {
    const { result: lessons, ...planned } = await planEdit(workspace, addingWaiting(waiting))
    // The limits of the list have no room for the others.
    await forgetWaiting(
      workspace,
      waiting.filter(it => !lessons.includes(it)),
    )
    const head = await readHead(workspace)
    const { path, before, after } = planned
    if (head === null || after.equals(before)) return 0
    const counted = lessons.map(({ id, text, seen }) => ({ id, text, seen }))
    await noteStaged(workspace, { head, path, oid: await blobOf(workspace, env, planned), lessons: counted })
    await writeList(workspace, planned)
    await stageFile(workspace, env, path).catch(async (thrown: unknown) => {
      await writeList(workspace, { path, before: after, after: before })
      throw thrown
    })
    return lessons.length
  })
}

// For a commit of single paths git has two indexes, and this hook sees the one that does not stay.
function isOwnIndex({ root, gitDir }: Workspace, { GIT_INDEX_FILE: named }: NodeJS.ProcessEnv): boolean {
  const index = resolve(root, named || join(gitDir, 'index'))
  return ['index', 'index.lock'].some(it => index === join(gitDir, it))
}

/** The blobs of a file at HEAD, in the index and on the disk; null for none. */
type FileState = { readonly head: string | null; readonly index: string | null; readonly disk: string | null }

async function stateOf(workspace: Workspace, env: NodeJS.ProcessEnv, path: string): Promise<FileState> {
  const git = gitWithEnv(workspace.root, env)
  const isThere = (await workspace.files.modifiedAt(join(workspace.root, path))) !== null
  return {
    head: await oidIn(git, ['ls-tree', '-z', 'HEAD', '--', path]),
    index: await oidIn(git, ['ls-files', '-z', '--stage', '--', path]),
    disk: isThere ? await oidIn(git, ['hash-object', '--', path]) : null,
  }
}

function oidIn(git: Git, args: readonly string[]): Promise<string | null> {
  return git.ask({ args, parse: out => /\b[\da-f]{40,64}\b/.exec(out)?.[0] ?? null })
}

function isUntouched({ head, index, disk }: FileState): boolean {
  return head === index && index === disk
}

async function blobOf({ root }: Workspace, env: NodeJS.ProcessEnv, { path, after }: PlannedEdit): Promise<string> {
  const out = await readGit(['hash-object', '--stdin', `--path=${path}`], { cwd: root, env, input: after })
  return out.toString('utf8').trim()
}

async function stageFile({ root }: Workspace, env: NodeJS.ProcessEnv, path: string): Promise<void> {
  await readGit(['update-index', '--add', '--', path], { cwd: root, env })
}

async function removeFile({ root, files }: Workspace, env: NodeJS.ProcessEnv, path: string): Promise<void> {
  await files.remove(join(root, path))
  await readGit(['update-index', '--force-remove', '--', path], { cwd: root, env })
}

async function restoreFile(
  workspace: Workspace,
  env: NodeJS.ProcessEnv,
  { path, oid }: { readonly path: string; readonly oid: string },
): Promise<void> {
  await using blobs = openBlobs(workspace.root)
  const bytes = await blobs.readCheckedOut(oid, path)
  if (bytes === null) return
  await announceOwnWrite(workspace, bytes)
  await workspace.files.replace(join(workspace.root, path), bytes)
  await stageFile(workspace, env, path)
}
