import type { Reply } from '../agents/adapter.ts'
import type { AgentEvent } from '../agents/event.ts'
import type { ToolWindow } from '../attribution/tool-window.ts'
import { filesShownBy } from '../gate/files-shown.ts'
import type { TargetFact } from '../agents/target.ts'
import type { ToolCall } from '../gate/tool-call.ts'
import { forgetVersionsBelow, noteVersions, type FileVersion } from '../agent-activity/file-versions.ts'
import type { LightWorktree } from './governed-worktree.ts'
import { targetFacts } from './judge-tool-call.ts'

/** A use of a tool that is over, and what is recorded of it. */
export type FinishedToolUse = {
  readonly call: ToolCall
  readonly input: unknown
  readonly cwd: string
  readonly event: AgentEvent | null
  /** Null when nobody told of its beginning. */
  readonly window: ToolWindow | null
}

/** Keeps in mind what the session knows of files by now, and tells at once of what was written out of scope. */
export async function answerAfterTool(worktree: LightWorktree, use: FinishedToolUse): Promise<Reply> {
  const { call, event, window } = use
  if (event?.event === 'write-failed') return { kind: 'silence' }
  if (call.class === 'read' || call.class === 'write') {
    await noteVersions(worktree, call.session, await versionsOf(worktree, use))
    return { kind: 'silence' }
  }
  if (call.shell?.kind === 'read' || call.class === 'meta') return { kind: 'silence' }
  const targets = await targetFacts(worktree, call.targets, { cwd: use.cwd })
  await forgetVersionsBelow(worktree, call.session, pathsInside(targets))
  if (!window || call.shell?.kind === 'write') return { kind: 'silence' }
  // What was written can't be read off the command, so the ledger is asked.
  const { judgeRecordedWrites } = await import('./judge-recorded-writes.ts')
  return judgeRecordedWrites(worktree, { session: call.session, window })
}

async function versionsOf(worktree: LightWorktree, { call, input, cwd }: FinishedToolUse): Promise<FileVersion[]> {
  const isRead = call.class === 'read'
  const facts = await targetFacts(worktree, isRead ? filesShownBy(call.tool, input) : call.targets, { cwd })
  // Where no file stands, nothing was read.
  const known = facts.filter(it => !isRead || it.currentOid !== null)
  return known.flatMap(it => pathsInside([it]).map(path => [path, it.currentOid] as const))
}

function pathsInside(facts: readonly TargetFact[]): string[] {
  return facts.flatMap(({ locations }) => locations.flatMap(it => (it.kind === 'inside' ? [it.path] : [])))
}
