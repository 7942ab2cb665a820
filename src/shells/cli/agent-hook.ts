import { readSync } from 'node:fs'
import type { DecodeResult, HookPoint, Reply } from '../../core/agents/adapter.ts'
import { adapterOf, decodePayload } from '../../core/agents/decode.ts'
import { denialText } from '../../core/agents/gate/denial.ts'
import { orchestrationUnavailable, payloadUnclear } from '../../core/agents/gate/reasons.ts'
import { answerHook, type AnsweredHook } from '../agent-hook/answer-hook.ts'
import { findGovernedWorktree } from '../agent-hook/governed-worktree.ts'
import { systemErrorCode } from '../../world/io/files/files.ts'
import { withTypedName } from '../../core/base/kotef-command.ts'
import { typedName } from '../../world/io/process/typed-name.ts'
import type { VerbOutput } from '../../core/report/verb-output.ts'
import { toKotefError } from '../../core/base/failure.ts'
import type { VerbCall } from './verb.ts'

type AgentHookOutput = VerbOutput & Pick<AnsweredHook, 'cacheUse'>

/** `kotef agent-hook`: reads the payload of an agent's hook on stdin, and answers in the agent's own form. */
export async function run({
  args: [agent],
  ...context
}: Pick<VerbCall, 'args' | 'cwd' | 'notify'>): Promise<AgentHookOutput> {
  const answer = await answerPayload(String(agent), await readStdin(), context)
  // The model passes commands on to its user, who types them in a shell.
  return { ...answer, text: withTypedName(answer.text, typedName(process.env)) }
}

/** The answer to one payload. One that can't be decoded, and any failure before a tool is used, is a denial. */
export async function answerPayload(agent: string, payload: string, context: HookContext): Promise<AgentHookOutput> {
  const adapter = adapterOf(agent, payload)
  const decoded = decodePayload(agent, payload)
  const { reply, cacheUse } = await answerTo(decoded, context)
  const { stdout, stderr, exit } = adapter.encode(reply, 'problem' in decoded ? null : decoded.point)
  if (stderr !== '') context.notify(stderr.trimEnd())
  const json: unknown = stdout === '' ? null : JSON.parse(stdout)
  return { text: stdout.trimEnd(), json, exit: exit === 0 ? 0 : 2, cacheUse }
}

type HookContext = Pick<VerbCall, 'cwd' | 'notify'>

async function answerTo(decoded: DecodeResult, context: HookContext): Promise<AnsweredHook> {
  if ('problem' in decoded) return { reply: await replyToUndecodable(decoded.problem, context.cwd), cacheUse: null }
  return answerHook(decoded, context).catch((thrown: unknown) => {
    return { reply: replyToFailure(thrown, decoded.point, context.notify), cacheUse: null }
  })
}

// It is unknown whether the call is allowed. After a tool has run, a denial could undo nothing.
function replyToFailure(thrown: unknown, point: HookPoint | null, notify: VerbCall['notify']): Reply {
  const { message, hint } = toKotefError(thrown)
  if (point?.at === 'before-tool' || point?.at === 'settings-change')
    return { kind: 'deny', text: denialText([orchestrationUnavailable(message)]) }
  notify(`kotef: this change could not be attributed to the agent. ${message}\n  ${hint}`)
  if (point === null || point.at === 'after-tool') return { kind: 'silence' }
  const { message: unavailable } = orchestrationUnavailable(message)
  return { kind: 'context', text: `${unavailable} Tool calls that change something are refused.` }
}

// Outside a governed repository kotef denies nothing.
async function replyToUndecodable(problem: string, cwd: string): Promise<Reply> {
  const isGoverned = await findGovernedWorktree([cwd]).then(Boolean, () => true)
  return isGoverned ? { kind: 'deny', text: denialText([payloadUnclear(problem)]) } : { kind: 'silence' }
}

/** All of stdin as text. Reads synchronously while there is input: a stream is slow to set up. */
async function readStdin(): Promise<string> {
  const chunks: Buffer[] = []
  try {
    for (const buffer = Buffer.alloc(CHUNK_BYTES); ;) {
      const length = readSync(0, buffer)
      if (length === 0) break
      chunks.push(Buffer.from(buffer.subarray(0, length)))
    }
  } catch (thrown) {
    const code = systemErrorCode(thrown)
    // The writer has not written yet, so the rest is read as a stream.
    if (code === 'EAGAIN') for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
    else if (code !== 'EOF') throw thrown
  }
  return Buffer.concat(chunks).toString('utf8')
}

const CHUNK_BYTES = 65_536
