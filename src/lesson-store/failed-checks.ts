import { errorLine, fixedCheckLesson } from '../lessons/automatic.ts'
import type { LessonDraft } from '../lessons/lesson.ts'
import { readTreeSnapshot, type TreeSnapshot } from '../lessons/tree-snapshot.ts'
import { normalisedTail } from '../runs/error-signature.ts'
import { parseObject } from '../text/payload.ts'
import { sha256Hex } from '../text/sha256.ts'
import { recordDir } from '../worktree/record-dir.ts'
import type { GitDirAccess, Workspace } from '../worktree/workspace.ts'
import { recordSeen } from './record-seen.ts'
import { takeSnapshot, workBetween } from './tree-snapshot.ts'

/** The end of a check: with the signature of its error and its output when it failed, both null when it passed. */
export type EndedCheck = {
  readonly command: string
  readonly intent: string | null
  readonly failure: { readonly signature: string; readonly output: string } | null
}

/**
 * Notes how a check ended. When it failed before, and passes now, that becomes a lesson: which files changed in
 * between. It never throws.
 */
export async function noteCheckEnd(workspace: Workspace, ended: EndedCheck, env: NodeJS.ProcessEnv): Promise<void> {
  await recordSeen(workspace, async () => {
    const failed = await failedChecks(workspace).get(nameOf(ended))
    if (ended.failure !== null) return noteFailure(workspace, { ended, failed }, env)
    return failed && (await failedChecks(workspace).take(nameOf(ended))) ? repaired(workspace, failed, env) : []
  })
}

/** A check that failed and has not passed since. */
type FailedCheck = {
  readonly command: string
  readonly intent: string | null
  readonly signature: string
  readonly error: string
  readonly files: TreeSnapshot
}

type Failing = { readonly ended: EndedCheck; readonly failed: FailedCheck | null }

// Of several failures for one reason the first counts: the repair may take more than one attempt.
async function noteFailure(workspace: Workspace, { ended, failed }: Failing, env: NodeJS.ProcessEnv): Promise<[]> {
  const { command, intent, failure } = ended
  if (failure === null || failed?.signature === failure.signature) return []
  const files = await takeSnapshot(workspace, env)
  const { signature, output } = failure
  const error = errorLine(normalisedTail(output))
  if (files) await failedChecks(workspace).put(nameOf(ended), { command, intent, signature, error, files })
  return []
}

async function repaired(
  workspace: Workspace,
  { files, signature: failure, ...check }: FailedCheck,
  env: NodeJS.ProcessEnv,
): Promise<(LessonDraft | null)[]> {
  const now = await takeSnapshot(workspace, env)
  return now ? [fixedCheckLesson({ ...check, failure, changed: await workBetween(workspace, files, now) })] : []
}

function failedChecks(access: GitDirAccess) {
  return recordDir<FailedCheck>(access, { folder: ['failed-checks'], fileName: /\.json$/, parse: readFailed, max: 50 })
}

function nameOf({ command }: EndedCheck): string {
  return `${sha256Hex(command)}.json`
}

function readFailed(text: string): FailedCheck | null {
  const { command, intent, signature, error, files } = parseObject(text) ?? {}
  const snapshot = readTreeSnapshot(files)
  if (typeof command !== 'string' || typeof signature !== 'string' || typeof error !== 'string' || !snapshot)
    return null
  return { command, signature, error, files: snapshot, intent: typeof intent === 'string' ? intent : null }
}
