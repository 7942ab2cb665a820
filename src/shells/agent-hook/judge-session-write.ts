import type { GateFacts } from '../../core/agents/gate/judge-tool.ts'
import type { ToolCall } from '../../core/agents/gate/parse-tool-call.ts'
import { contractViolation, questionForPerson, type Reason } from '../../core/agents/gate/reasons.ts'
import { objectOrNull, type Payload } from '../../core/base/payload.ts'
import { judgeSessionEdit } from '../../world/handover/judge-writes.ts'
import { openWorkspace } from '../../world/io/worktree/workspace.ts'

/** Why a call may not write what it would write into sessions of the handover; of a command nothing is known before. */
export async function sessionWriteReasons(root: string, call: ToolCall, facts: GateFacts): Promise<Reason[]> {
  const inside = facts.targets.flatMap(it => it.locations.flatMap(at => (at.kind === 'inside' ? [at.path] : [])))
  const found = await Promise.all([...new Set(inside)].map(it => reasonsFor(root, it, { call, facts })))
  return found.flat()
}

type Judging = { readonly call: ToolCall; readonly facts: GateFacts }

async function reasonsFor(root: string, path: string, { call, facts }: Judging): Promise<Reason[]> {
  const input = objectOrNull(call.input) ?? {}
  const workspace = await openWorkspace(root)
  const judged = await judgeSessionEdit(workspace, path, { role: facts.role, textAfter: it => textAfter(input, it) })
  if (!judged) return []
  const { broken, ended, command } = judged
  if (broken.length > 0) return broken.map(it => contractViolation(path, it.message))
  if (ended.length === 0) return []
  // Only agents edit by a tool. The config is read only where a question ends.
  const { loadHandoverGates } = await import('../../world/intents/policy/load-policy.ts')
  return (await loadHandoverGates(workspace)) === 'anyone' ? [] : [questionForPerson(path, ended, command)]
}

/** The text of a file after a call of an editing tool; null when the call does not say it. */
function textAfter(input: Payload, before: string | null): string | null {
  const content = input['content'] ?? input['file_text'] ?? input['contents']
  if (typeof content === 'string') return content
  const edits = Array.isArray(input['edits']) ? input['edits'].map(it => objectOrNull(it) ?? {}) : [input]
  return edits.reduce<string | null>((text, it) => (text === null ? null : edited(text, it)), before)
}

function edited(text: string, input: Payload): string | null {
  const from = input['old_string'] ?? input['old_str'] ?? input['oldString']
  const to = input['new_string'] ?? input['new_str'] ?? input['newString']
  if (typeof from !== 'string' || typeof to !== 'string' || from === '' || !text.includes(from)) return null
  return input['replace_all'] === true ? text.replaceAll(from, () => to) : text.replace(from, () => to)
}
