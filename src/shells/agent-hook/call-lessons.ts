import type { ToolCall } from '../../core/agents/gate/parse-tool-call.ts'
import type { GateVerdict } from '../../core/agents/gate/judge-tool.ts'
import type { Reason } from '../../core/agents/gate/reasons.ts'
import { noteRefusals } from '../../world/lessons/refusals.ts'
import { hasFailed, type RunEvent } from '../../core/runs/event.ts'
import { ownPath, STAGED_LESSONS } from '../../world/io/worktree/layout.ts'
import { testCommand } from './call-events.ts'
import type { LightWorktree } from './governed-worktree.ts'

/** Notes the writes outside of what an agent's intent may change, for those who ask what was refused. */
export async function noteRefusedCall(
  worktree: LightWorktree,
  { agent, session }: Pick<ToolCall, 'agent' | 'session'>,
  { reasons }: GateVerdict,
): Promise<void> {
  const refused = reasons.flatMap(({ code, path }) => (path !== null && OF_PATHS.has(code) ? [{ code, path }] : []))
  if (refused.length > 0) await noteRefusals(worktree, session, { agent, refused }).catch(() => {})
}

const OF_PATHS: ReadonlySet<Reason['code']> = new Set([
  ...(['scope-violation', 'path-forbidden', 'path-ignored', 'constraint-path'] as const),
])

/**
 * Learns from a call that has ended: from a run of tests that fails or passes; and sees whether a commit took lessons
 * with it. Most calls are neither, and wait for no more than the look at one file.
 */
export async function learnFromCall(worktree: LightWorktree, call: ToolCall, ended: EndedCall): Promise<void> {
  if (call.class !== 'execute') return
  const command = testCommand(ended.input)
  if ((await worktree.files.modifiedAt(ownPath(worktree, STAGED_LESSONS))) !== null) {
    const { settleLessons } = await import('./learn-from-calls.ts')
    await settleLessons(worktree.root)
  }
  if (command !== null && call.shell?.kind !== 'read') await noteTests(worktree, command, ended.events)
}

type EndedCall = {
  /** What the call was given, and the events that it is for its run. */
  readonly input: unknown
  readonly events: readonly RunEvent[]
}

async function noteTests(worktree: LightWorktree, command: string, events: readonly RunEvent[]): Promise<void> {
  const ran = events.find(it => it.kind === 'tool')
  if (!ran || ran.isTimeout) return
  const output = hasFailed(ran) ? ran.result : null
  // Without a failure before it, a pass says nothing.
  if (output === null && (await worktree.files.list(ownPath(worktree, 'failed-checks'))).length === 0) return
  const { learnFromTests } = await import('./learn-from-calls.ts')
  await learnFromTests(worktree.root, { command, output })
}
