import { join } from 'node:path'
import { watchFolder } from '../io/watch/watch-folder.ts'
import { judgeNewCommits } from '../commits/judge-new-commits.ts'
import { reopenFastPath } from '../policy/compile-policy.ts'
import { locateLedger } from '../ledger-store/locate-ledger.ts'
import { layoutOf } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { coalesce } from './reconcile-timer.ts'
import type { RecorderEvents } from './recorder.ts'
import { runProgram, startProgram } from '../io/process/run.ts'
import { withoutRepositoryEnv } from '../io/git/run-git.ts'
import { packageFile } from '../io/files/package.ts'
import { KotefError } from '../findings/failure.ts'

/** Judges new commits when a hook reports one, and when HEAD moves without a hook. */
export type CommitWatcher = Disposable & {
  /** Resolves when every reported commit is judged. */
  drain(): Promise<void>
}

/** Starts by judging the commits that were made while no daemon was running. */
export async function openCommitWatcher(
  workspace: Workspace,
  { recorded, failed, headMoved }: Pick<RecorderEvents, 'recorded' | 'failed'> & { readonly headMoved: () => void },
): Promise<CommitWatcher> {
  const reopen = () => reopenFastPath(workspace).catch(failed)
  const judge = coalesce(() => judgeNewCommits(workspace).then(recorded, failed).then(reopen))
  const triggers = Object.entries(await commitTriggers(workspace))
  const folders = triggers.map(([folder, isTrigger]) =>
    watchFolder(folder, { changed: name => void (isTrigger(name) && judge().finally(headMoved)), failed }),
  )
  void judge()
  return { drain: judge, [Symbol.dispose]: () => folders.forEach(it => it[Symbol.dispose]()) }
}

/** The folders to watch, each with a test of the file names whose change may mean new commits. */
async function commitTriggers(workspace: Workspace): Promise<Record<string, (name: string) => boolean>> {
  const { files, gitDir } = workspace
  const triggers: Record<string, (name: string) => boolean> = {
    [layoutOf(workspace).own]: name => name === 'queue',
    // The commits of a rebase are judged when it has ended.
    [gitDir]: name => /^(HEAD|rebase-merge|rebase-apply)$/.test(name),
  }
  // HEAD's reflog shows commits made by plumbing commands. Git may keep it in a reftable.
  for (const [folder, test] of [
    ['logs', /^HEAD$/],
    ['reftable', /^tables\.list$/],
  ] as const) {
    const path = join(gitDir, folder)
    if ((await files.modifiedAt(path)) !== null) triggers[path] = name => test.test(name)
  }
  return triggers
}

/** Writes notes on new commits, some time after the last move of HEAD. */
export type NoteJob = Disposable & {
  headMoved(): void
  /** Writes the notes that are missing, at the end. It may go on when this returns. */
  finish(): Promise<void>
}

/**
 * Annotating a commit reads every record of its files, so it runs in a child process: recording is not blocked, and the
 * memory is released.
 */
export function noteJobOf(workspace: Workspace, failed: (reason: unknown) => void): NoteJob {
  const stop = new AbortController()
  const around = { cwd: workspace.root, env: withoutRepositoryEnv(process.env) }
  const program = [packageFile('dist/main.cjs'), 'finalise']
  let timer: NodeJS.Timeout | null = null
  const work = coalesce(async () => {
    const { exit, stderr } = await runProgram(process.execPath, program, { ...around, signal: stop.signal })
    if (exit === 0 || stop.signal.aborted) return
    if (!isOtherVersion(exit))
      throw new KotefError('daemon-failed', `The newest commits have no notes yet: ${stderr.trim()}`)
    // The notes written here are checked again by the next process that can run the verb.
    const { annotateCommits: finalise } = await import('../provenance/annotate-commits.ts')
    await finalise(workspace, { isWatched: false })
  })
  return {
    headMoved() {
      if (timer) clearTimeout(timer)
      timer = setTimeout(() => void work().catch(failed), ANNOTATE_DELAY_MS).unref()
    },
    async finish() {
      if (timer) clearTimeout(timer)
      stop.abort()
      const { annotateCommits: finalise, filesToAnnotate } = await import('../provenance/annotate-commits.ts')
      const files = await filesToAnnotate(workspace)
      const ledger = await workspace.files.stat((await locateLedger(workspace)).path)
      const isShort = files <= FILES_AT_THE_END_MAX && (ledger?.size ?? 0) <= LEDGER_BYTES_AT_THE_END_MAX
      if (files === 0 || isShort) await finalise(workspace, { isWatched: true })
      else await startProgram(process.execPath, [...program, '--watched'], { ...around, waitMsMax: FINISH_MS_MAX })
    },
    [Symbol.dispose]() {
      if (timer) clearTimeout(timer)
      stop.abort()
    },
  }
}

// Few files are annotated before a program has started, and many take longer than a person waits for a daemon to stop.
const FILES_AT_THE_END_MAX = 200
const LEDGER_BYTES_AT_THE_END_MAX = 4_194_304
const FINISH_MS_MAX = 200

// Node or the package may have been replaced since: the program is gone, lacks its modules, or does not know the verb.
function isOtherVersion(exit: number | null): boolean {
  return exit === null || exit === 1 || exit === 2
}

// Commands that need notes sooner write them themselves. Commits in quick succession are annotated at once.
const ANNOTATE_DELAY_MS = 2_000
