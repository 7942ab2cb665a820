import { setTimeout as delay } from 'node:timers/promises'
import {
  countNewCommitFiles,
  judgeNewCommits,
  type Settled,
  settledAtHead,
} from '../../world/commits/judge-new-commits.ts'
import type { RecordFirst } from '../../world/commits/judge-reported-commits.ts'
import { KotefError } from '../../core/base/failure.ts'
import { packageFile } from '../../world/io/files/package.ts'
import { withoutRepositoryEnv } from '../../world/io/git/run-git.ts'
import { type ProgramResult, runProgram, startProgram } from '../../world/io/process/run.ts'
import { readLedger } from '../../core/ledger/read-ledger.ts'
import type { TraceRecord } from '../../core/ledger/record.ts'
import { locateLedger } from '../../world/ledger/locate-ledger.ts'
import type { Workspace } from '../../world/io/worktree/workspace.ts'
import { coalesce } from './reconcile-timer.ts'

// Work on large commits runs in a child process: recording is not blocked, the child's memory is released, and it ends
// when the daemon does.

// Within this limit (MiB) a commit of 200,000 files has its note; without one, Node collects no garbage for long.
const FINALISE = ['--max-old-space-size=512', packageFile('dist/main.cjs'), 'finalise']

type JudgeTerms = {
  readonly signal: AbortSignal
  readonly settled: Settled
  readonly recordFirst: RecordFirst
}

/** Judges new commits, and returns the records of broken rules: in a child process when they have many files. */
export async function judgeBeside(
  workspace: Workspace,
  { signal, settled, recordFirst }: JudgeTerms,
): Promise<readonly TraceRecord[]> {
  if ((await countNewCommitFiles(workspace)) <= FILES_JUDGED_HERE_MAX)
    return judgeNewCommits(workspace, { settled, recordFirst })
  await settledAtHead(workspace, settled)
  const { exit, stdout, stderr } = await runFinalise(workspace, '--judge', signal)
  // The next daemon or command judges what this one did not.
  if (signal.aborted) return []
  if (isOtherVersion(exit)) return judgeNewCommits(workspace)
  if (exit !== 0) throw new KotefError('daemon-failed', `The newest commits are not judged yet: ${stderr.trim()}`)
  return readLedger(stdout).entries.map(it => it.record)
}

// A commit of this size is judged within one short turn of the event loop.
const FILES_JUDGED_HERE_MAX = 2_000

/** Runs a part of the hidden verb `finalise` in a child process. */
export function runFinalise(workspace: Workspace, option: string, signal: AbortSignal): Promise<ProgramResult> {
  return runProgram(process.execPath, [...FINALISE, option], { ...aroundOf(workspace), signal })
}

function aroundOf({ root }: Workspace): { cwd: string; env: NodeJS.ProcessEnv } {
  return { cwd: root, env: withoutRepositoryEnv(process.env) }
}

/** Writes notes on new commits, some time after the last move of HEAD. */
export type NoteJob = Disposable & {
  headMoved(): void
  /** Counts the files whose notes are missing, for `finish`: Infinity where that takes too long. */
  count(tree: { readonly isLarge: boolean }): Promise<number>
  /** Writes the notes of so many files, at the end. It may go on when this returns; in a large tree it does. */
  finish(missing: { readonly files: Promise<number>; readonly isLarge: boolean }): Promise<void>
}

/**
 * Annotating a commit reads every record of its files, so it runs in a child process: recording is not blocked, and the
 * memory is released.
 */
export function noteJobOf(workspace: Workspace, failed: (reason: unknown) => void): NoteJob {
  const stop = new AbortController()
  const around = aroundOf(workspace)
  let timer: NodeJS.Timeout | null = null
  const work = coalesce(async () => {
    const { exit, stderr } = await runProgram(process.execPath, FINALISE, { ...around, signal: stop.signal })
    if (exit === 0 || stop.signal.aborted) return mapBeside(workspace, stop.signal)
    if (!isOtherVersion(exit))
      throw new KotefError('daemon-failed', `The newest commits have no notes yet: ${stderr.trim()}`)
    // The notes written here are checked again by the next process that can run the verb.
    const { annotateCommits: finalise } = await import('../../world/provenance/annotate-commits.ts')
    await finalise(workspace, { isWatched: false })
  })
  return {
    headMoved() {
      if (timer) clearTimeout(timer)
      timer = setTimeout(() => void work().catch(failed), ANNOTATE_DELAY_MS).unref()
    },
    async count({ isLarge }) {
      // Of several large commits, git takes longer to count the files than a person waits for a daemon to stop.
      const tooLong = isLarge ? [delay(COUNT_MS_MAX, Infinity, { ref: false })] : []
      const { filesToAnnotate } = await import('../../world/provenance/annotate-commits.ts')
      return Promise.race([filesToAnnotate(workspace), ...tooLong])
    },
    async finish({ files: counting, isLarge }) {
      if (timer) clearTimeout(timer)
      stop.abort()
      const files = await counting
      const { annotateCommits: finalise } = await import('../../world/provenance/annotate-commits.ts')
      const ledger = await workspace.files.stat((await locateLedger(workspace)).path)
      const isShort = files <= FILES_AT_THE_END_MAX && (ledger?.size ?? 0) <= LEDGER_BYTES_AT_THE_END_MAX
      if (files === 0 || isShort) await finalise(workspace, { isWatched: true })
      else
        await startProgram(process.execPath, [...FINALISE, '--watched'], {
          ...around,
          waitMsMax: isLarge ? 0 : FINISH_MS_MAX,
        })
    },
    [Symbol.dispose]() {
      if (timer) clearTimeout(timer)
      stop.abort()
    },
  }
}

// A map that could not be made is made by the next question about it.
async function mapBeside(workspace: Workspace, signal: AbortSignal): Promise<void> {
  const { isMapKept } = await import('../../world/code/code-map/map-file.ts')
  if (!signal.aborted && (await isMapKept(workspace).catch(() => false))) await runFinalise(workspace, '--map', signal)
}

// Few files are annotated before a program has started, and many take longer than a person waits for a daemon to stop.
const FILES_AT_THE_END_MAX = 200
const LEDGER_BYTES_AT_THE_END_MAX = 4_194_304
const FINISH_MS_MAX = 200
const COUNT_MS_MAX = 100

// Node or the package may have been replaced since: the program is gone, lacks its modules, or does not know the verb.
function isOtherVersion(exit: number | null): boolean {
  return exit === null || exit === 1 || exit === 2
}

// Commands that need notes sooner write them themselves. Commits in quick succession are annotated at once.
const ANNOTATE_DELAY_MS = 2_000
