import type { Reply } from '../agents/adapter.ts'
import type { AgentEvent } from '../agents/event.ts'
import type { Window } from '../attribution/window.ts'
import { shownBy } from '../gate/read-targets.ts'
import type { TargetFact } from '../gate/target.ts'
import type { ToolCall } from '../gate/tool-call.ts'
import { forgetBelow, see, type Sight } from '../workspace/seen.ts'
import type { Governed } from './governed.ts'
import { factsOf } from './judge-call.ts'

/** A use of a tool that is over, and what is recorded of it. */
export type Done = {
  readonly call: ToolCall
  readonly input: unknown
  readonly cwd: string
  readonly event: AgentEvent | null
  /** Null when nobody told of its beginning. */
  readonly window: Window | null
}

/** Keeps in mind what the session knows of files by now, and tells at once of what was written out of scope. */
export async function afterTool(place: Governed, done: Done): Promise<Reply> {
  const { call, event, window } = done
  if (event?.event === 'write-failed') return { kind: 'silence' }
  if (call.class === 'read' || call.class === 'write') {
    await see(place, call.session, await sightsOf(place, done))
    return { kind: 'silence' }
  }
  if (call.shell?.kind === 'read' || call.class === 'meta') return { kind: 'silence' }
  const targets = await factsOf(place, call.targets, { cwd: done.cwd })
  await forgetBelow(place, call.session, insideOf(targets))
  if (!window || call.shell?.kind === 'write') return { kind: 'silence' }
  // What was written can't be read off the command, so the ledger is asked.
  const { judgeWritten } = await import('./judge-written.ts')
  return judgeWritten(place, { session: call.session, window })
}

async function sightsOf(place: Governed, { call, input, cwd }: Done): Promise<Sight[]> {
  const isRead = call.class === 'read'
  const facts = await factsOf(place, isRead ? shownBy(call.tool, input) : call.targets, { cwd })
  // Where no file stands, nothing was read.
  const known = facts.filter(it => !isRead || it.now !== null)
  return known.flatMap(it => insideOf([it]).map(path => [path, it.now] as const))
}

function insideOf(facts: readonly TargetFact[]): string[] {
  return facts.flatMap(({ places }) => places.flatMap(it => (it.kind === 'inside' ? [it.path] : [])))
}
