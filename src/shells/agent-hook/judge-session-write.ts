import { join } from 'node:path'
import { sessionOfPath } from '../../core/handover/agents.ts'
import type { HandoverProblem } from '../../core/handover/handover-problem.ts'
import {
  CONTRACT_FILES,
  readHandoverSession,
  type SessionFiles,
  sessionPath,
} from '../../core/handover/handover-session.ts'
import { endedByChange, personsCommand } from '../../core/handover/person-gates.ts'
import { filesHere, withGates } from '../../world/handover/task-facts.ts'
import { newHandoverProblems } from '../../world/handover/judge-changes.ts'
import { readHandoverFiles } from '../../world/handover/session-folder.ts'
import type { GateFacts } from '../../core/agents/gate/judge-tool.ts'
import type { ToolCall } from '../../core/agents/gate/parse-tool-call.ts'
import { contractViolation, questionForPerson, type Reason } from '../../core/agents/gate/reasons.ts'
import { disk } from '../../world/io/files/files.ts'
import { handoverProblemLine } from '../../core/report/handover-lines.ts'
import { objectOrNull, type Payload } from '../../core/base/payload.ts'
import { openWorkspace } from '../../world/io/worktree/workspace.ts'

/** Why a call may not write what it would write into sessions of the handover; of a command nothing is known before. */
export async function sessionWriteReasons(root: string, call: ToolCall, facts: GateFacts): Promise<Reason[]> {
  const inside = facts.targets.flatMap(it => it.locations.flatMap(at => (at.kind === 'inside' ? [at.path] : [])))
  const found = await Promise.all([...new Set(inside)].map(it => reasonsFor(root, it, { call, facts })))
  return found.flat()
}

type Judging = { readonly call: ToolCall; readonly facts: GateFacts }

async function reasonsFor(root: string, path: string, { call, facts }: Judging): Promise<Reason[]> {
  const place = sessionOfPath(path)
  if (!place || !CONTRACT_FILES.includes(place.file)) return []
  const before = await readHandoverFiles({ root, files: disk }, place.session)
  const old = (await disk.read(join(root, path)))?.toString('utf8') ?? null
  const text = textAfter(objectOrNull(call.input) ?? {}, old)
  if (text === null) return []
  const after = { name: place.session, texts: new Map([...before.texts, [place.file, text]]) }
  const changed = { before: before.texts.size === 0 ? null : before, after, role: facts.role?.role ?? null }
  const here = filesHere(await openWorkspace(root))
  const problems = newHandoverProblems(await withGates(changed, here, { isLater: false, aside: here }))
  const own = problems.filter(it => isForNow(it) && it.file === sessionPath(place.session, place.file))
  const broken = own.map(it => contractViolation(path, handoverProblemLine(it)))
  return broken.length > 0 ? broken : answeredForPerson(root, path, { before, after })
}

// Only agents edit by a tool. The config is read only where a question ends.
async function answeredForPerson(
  root: string,
  path: string,
  { before, after }: { readonly before: SessionFiles; readonly after: SessionFiles },
): Promise<Reason[]> {
  const statusIn = (files: SessionFiles) => readHandoverSession(files).session.status
  const ended = endedByChange(statusIn(before), statusIn(after))
  if (ended.length === 0) return []
  const { loadHandoverGates } = await import('../../world/intents/policy/load-policy.ts')
  if ((await loadHandoverGates(await openWorkspace(root))) === 'anyone') return []
  return [questionForPerson(path, ended, personsCommand(after.name))]
}

// A session is written file by file: what is missing now may come with the next one.
function isForNow({ rule }: HandoverProblem): boolean {
  return rule !== 'handover-missing' && rule !== 'handover-approval' && rule !== 'handover-done'
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
