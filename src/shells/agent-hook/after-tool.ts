import { realpath } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import type { Reply } from '../../core/agents/adapter.ts'
import { denialText } from '../../core/agents/gate/denial.ts'
import type { Reason } from '../../core/agents/gate/reasons.ts'
import type { AgentEvent } from '../../core/agents/event.ts'
import type { ToolUse } from '../../core/agents/tool-use.ts'
import type { ToolWindow } from '../../core/authorship/tool-window.ts'
import type { TargetFact } from '../../core/agents/gate/judge-target.ts'
import type { ToolCall } from '../../core/agents/gate/parse-tool-call.ts'
import {
  type FileVersion,
  forgetVersionsBelow,
  noteVersions,
} from '../../world/recording/agent-activity/file-versions.ts'
import type { LightWorktree } from './governed-worktree.ts'
import { targetFacts } from './gate-facts.ts'
import { isWithin, realPathOf } from '../../world/io/files/real-path.ts'
import { recordAgentEvent } from '../../world/recording/agent-activity/record-event.ts'
import { type Target, targetsIn } from '../../core/agents/tool-targets.ts'
import { objectOrNull } from '../../core/base/payload.ts'

/** A finished use of a tool, and the event that is recorded for it. */
export type FinishedToolUse = {
  readonly call: ToolCall
  readonly use: ToolUse
  readonly cwd: string
  readonly event: AgentEvent | null
  /** The window that the event closed; null when no hook ran at its start. */
  readonly window: ToolWindow | null
}

// The agent waits. A call that writes more files is denied.
const PATHS_MAX = 1000

/**
 * The answer after a tool, the versions of the files that the call has read or written, and why it may not have written
 * some of them.
 */
export type AnswerAfterTool = {
  readonly reply: Reply
  readonly versions: readonly FileVersion[]
  readonly broken: readonly Reason[]
}

/** Stores the versions of files that the session now knows, and reports writes outside the scope. */
export async function answerAfterTool(worktree: LightWorktree, finished: FinishedToolUse): Promise<AnswerAfterTool> {
  const { call, event } = finished
  const isFile = call.class === 'read' || call.class === 'write'
  if (!isFile || event?.event === 'write-failed')
    return { ...refused(isFile ? [] : await brokenByCommand(worktree, finished)), versions: [] }
  const versions = await versionsOf(worktree, finished)
  await noteVersions(worktree, call.session, versions)
  return { ...refused([]), versions }
}

function refused(broken: readonly Reason[]): Pick<AnswerAfterTool, 'reply' | 'broken'> {
  return { reply: broken.length === 0 ? { kind: 'silence' } : { kind: 'deny', text: denialText(broken) }, broken }
}

async function brokenByCommand(worktree: LightWorktree, finished: FinishedToolUse): Promise<readonly Reason[]> {
  const { call, window } = finished
  await noteVersions(worktree, call.session, [])
  if (call.shell?.kind === 'read' || call.class === 'meta') return []
  const targets = await targetFacts(worktree, call.targets.slice(0, PATHS_MAX), { cwd: finished.cwd })
  await forgetVersionsBelow(worktree, call.session, pathsInside(targets))
  if (!window || call.shell?.kind === 'write') return []
  // The command does not show what it wrote, so the ledger is queried.
  const { judgeRecordedWrites } = await import('./judge-recorded-writes.ts')
  return judgeRecordedWrites(worktree, { session: call.session, window })
}

async function versionsOf(worktree: LightWorktree, { call, use, cwd }: FinishedToolUse): Promise<FileVersion[]> {
  const isRead = call.class === 'read'
  const targets = (isRead ? filesShownBy(use) : call.targets).slice(0, PATHS_MAX)
  const facts = await targetFacts(worktree, targets, { cwd })
  // A path without a file was not read.
  const known = facts.filter(it => !isRead || it.currentOid !== null)
  return known.flatMap(it => pathsInside([it]).map(path => [path, it.currentOid] as const))
}

function pathsInside(facts: readonly TargetFact[]): string[] {
  return facts.flatMap(({ locations }) => locations.flatMap(it => (it.kind === 'inside' ? [it.path] : [])))
}

/** Records an event of an agent whose working folder is `cwd`; returns the window that the event closed, or null. */
export async function recordHookEvent(
  worktree: LightWorktree,
  event: AgentEvent | null,
  cwd: string,
): Promise<ToolWindow | null> {
  if (!event) return null
  const writtenPaths = 'paths' in event ? event.paths.slice(0, PATHS_MAX) : []
  const paths = await Promise.all(writtenPaths.map(it => worktreePath(worktree, resolve(cwd, it))))
  const open = async () => (await import('../../world/io/worktree/workspace.ts')).openWorkspace(worktree.root)
  const lazily = {
    recordWithoutDaemon: async () =>
      (await import('../../world/recording/observation/record-without-daemon.ts')).recordWithoutDaemon(await open()),
    endSession: async (it: string) =>
      (await import('../../world/lifecycle/agent-session.ts')).endAgentSession(await open(), it),
    resumeSession: async (it: string) =>
      (await import('../../world/lifecycle/agent-session.ts')).resumeAgentSession(await open(), it),
    claimRecordedWrite: async (it: LateClaimRequest) =>
      (await import('../../world/recording/agent-activity/claim-recorded-write.ts')).claimRecordedWrite(
        await open(),
        it,
      ),
  }
  return recordAgentEvent({ ...worktree, ...lazily }, { event, paths: paths.filter(it => it !== null) })
}

type LateClaimRequest = Parameters<Parameters<typeof recordAgentEvent>[0]['claimRecordedWrite']>[0]

/** A path relative to the worktree, with links resolved; null when it is outside the worktree, or belongs to git. */
async function worktreePath(
  { root, gitDir }: Pick<LightWorktree, 'root' | 'gitDir'>,
  path: string,
): Promise<string | null> {
  const real = await realpath(path).catch(() => realPathOf(path))
  const name = relative(root, real)
  const isOfGit = isWithin(gitDir, real) || /^\.git(\/|$)/.test(name)
  return isWithin(root, real) && !isOfGit ? name : null
}

/** The files whose content a tool has shown to an agent; none for a tool that only searches, or that does not read. */
function filesShownBy({ class: kind, tool, input }: Pick<ToolUse, 'class' | 'tool' | 'input'>): Target[] {
  const fields = objectOrNull(input)
  return fields && kind === 'read' && SHOWING_TOOLS.test(tool) ? targetsIn(fields) : []
}

const SHOWING_TOOLS =
  /^(?:read|view|show)(?:_?(?:many_)?files?)?$|^NotebookRead$|^str_replace_(?:based_edit_tool|editor)$/i
