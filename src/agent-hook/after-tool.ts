import type { Reply } from '../agents/adapter.ts'
import type { AgentEvent } from '../agents/event.ts'
import type { ToolUse } from '../agents/tool-use.ts'
import type { ToolWindow } from '../attribution/tool-window.ts'
import { filesShownBy } from '../gate/files-shown.ts'
import type { TargetFact } from '../gate/target-fact.ts'
import type { ToolCall } from '../gate/tool-call.ts'
import { forgetVersionsBelow, noteVersions, type FileVersion } from '../agent-activity/file-versions.ts'
import type { LightWorktree } from './governed-worktree.ts'
import { targetFacts } from './judge-tool-call.ts'

/** A finished use of a tool, and the event that is recorded for it. */
export type FinishedToolUse = {
  readonly call: ToolCall
  readonly use: ToolUse
  readonly cwd: string
  readonly event: AgentEvent | null
  /** The window that the event closed; null when no hook ran at its start. */
  readonly window: ToolWindow | null
}

/** Stores the versions of files that the session now knows, and reports writes outside the scope. */
export async function answerAfterTool(worktree: LightWorktree, finished: FinishedToolUse): Promise<Reply> {
  const { call, event, window } = finished
  if (event?.event === 'write-failed') return { kind: 'silence' }
  if (call.class === 'read' || call.class === 'write') {
    await noteVersions(worktree, call.session, await versionsOf(worktree, finished))
    return { kind: 'silence' }
  }
  if (call.shell?.kind === 'read' || call.class === 'meta') return { kind: 'silence' }
  const targets = await targetFacts(worktree, call.targets, { cwd: finished.cwd })
  await forgetVersionsBelow(worktree, call.session, pathsInside(targets))
  if (!window || call.shell?.kind === 'write') return { kind: 'silence' }
  // The command does not show what it wrote, so the ledger is queried.
  const { judgeRecordedWrites } = await import('./judge-recorded-writes.ts')
  return judgeRecordedWrites(worktree, { session: call.session, window })
}

async function versionsOf(worktree: LightWorktree, { call, use, cwd }: FinishedToolUse): Promise<FileVersion[]> {
  const isRead = call.class === 'read'
  const facts = await targetFacts(worktree, isRead ? filesShownBy(use) : call.targets, { cwd })
  // A path without a file was not read.
  const known = facts.filter(it => !isRead || it.currentOid !== null)
  return known.flatMap(it => pathsInside([it]).map(path => [path, it.currentOid] as const))
}

function pathsInside(facts: readonly TargetFact[]): string[] {
  return facts.flatMap(({ locations }) => locations.flatMap(it => (it.kind === 'inside' ? [it.path] : [])))
}
