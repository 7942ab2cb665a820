import { fixedCheckLesson, type SeenLesson } from '../../core/lessons/automatic.ts'
import { readTreeSnapshot, type TreeSnapshot } from '../../core/lessons/tree-snapshot.ts'
import { describedCommand } from '../../core/outgoing/described-command.ts'
import { describedFailure } from '../../core/outgoing/described-failure.ts'
import { errorLine, madePublic } from '../../core/outgoing/public-fields.ts'
import { fingerprint, published, safe, type SafeText } from '../../core/outgoing/safe-text.ts'
import { loadConfig } from '../intents/policy/load-policy.ts'
import { errorSignature, normalisedTail } from '../../core/runs/error-signature.ts'
import { parseObject } from '../../core/base/payload.ts'
import { cloneSalt } from '../io/worktree/private-files.ts'
import { recordDir } from '../io/worktree/record-dir.ts'
import { trackedPlaces } from '../io/worktree/tracked-places.ts'
import type { GitDirAccess, Workspace } from '../io/worktree/workspace.ts'
import { recordSeen } from './record-seen.ts'
import { takeSnapshot, workBetween } from './tree-snapshot.ts'

/** The end of a check: of which file its record is, its command in words, and how it failed; null when it passed. */
export type EndedCheck = {
  readonly id: SafeText
  readonly what: SafeText
  readonly intent: string | null
  readonly failure: { readonly signature: SafeText; readonly error: SafeText } | null
}

/** A command that has ended; `output` is null when it passed. `isPublished` when the registry has the command. */
type EndedCommand = {
  readonly command: string
  readonly isPublished: boolean
  readonly intent: string | null
  readonly output: string | null
}

/** A command that has ended, without a text of its output, and of its line only what the registry has. */
export async function endedCheck(workspace: Workspace, ended: EndedCommand): Promise<EndedCheck> {
  const { command, isPublished, intent, output } = ended
  const salt = await cloneSalt(workspace)
  const fields = (await loadConfig(workspace)).public
  const shown = madePublic(command, 'command-lines', fields)
  const what = isPublished ? published(command) : (shown ?? describedCommand(command))
  const id = fingerprint(command, salt)
  if (output === null) return { id, what, intent, failure: null }
  const line = madePublic(errorLine(normalisedTail(output)), 'error-lines', fields)
  const error = line ? safe`"${line}"` : describedFailure(output, await trackedPlaces(workspace, output))
  return { id, what, intent, failure: { signature: errorSignature(command, output, salt), error } }
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
  readonly version: 2
  readonly what: SafeText
  readonly intent: string | null
  readonly signature: SafeText
  readonly error: SafeText
  readonly files: TreeSnapshot
}

type Failing = { readonly ended: EndedCheck; readonly failed: FailedCheck | null }

// Of several failures for one reason the first counts: the repair may take more than one attempt.
async function noteFailure(workspace: Workspace, { ended, failed }: Failing, env: NodeJS.ProcessEnv): Promise<[]> {
  const { what, intent, failure } = ended
  if (failure === null || failed?.signature === failure.signature) return []
  const files = await takeSnapshot(workspace, env)
  const { signature, error } = failure
  if (files) await failedChecks(workspace).put(nameOf(ended), { version: 2, what, intent, signature, error, files })
  return []
}

async function repaired(
  workspace: Workspace,
  { files, ...check }: FailedCheck,
  env: NodeJS.ProcessEnv,
): Promise<(SeenLesson | null)[]> {
  const now = await takeSnapshot(workspace, env)
  return now ? [fixedCheckLesson({ ...check, changed: await workBetween(workspace, files, now) })] : []
}

function failedChecks(access: GitDirAccess) {
  return recordDir<FailedCheck>(access, { folder: ['failed-checks'], fileName: /\.json$/, parse: readFailed, max: 50 })
}

function nameOf({ id }: EndedCheck): string {
  return `${id}.json`
}

// A record without a version has the command and a line of its output: it is not read.
function readFailed(text: string): FailedCheck | null {
  const { version, what, intent, signature, error, files } = parseObject(text) ?? {}
  const snapshot = readTreeSnapshot(files)
  const texts = [what, signature, error]
  if (version !== 2 || !texts.every(it => typeof it === 'string') || !snapshot) return null
  const known = { what, signature, error } as Pick<FailedCheck, 'what' | 'signature' | 'error'>
  return { version, ...known, files: snapshot, intent: typeof intent === 'string' ? intent : null }
}
