import type { Adapter, DecodeResult, HookPoint, HookOutput, Reply } from '../agents/adapter.ts'
import { adapterOf, decodePayload } from '../agents/decode.ts'
import { denialText } from '../gate/denial.ts'
import { orchestrationUnavailable, payloadUnclear } from '../gate/reasons.ts'
import { answerHook } from '../agent-hook/answer-hook.ts'
import { findGovernedWorktree } from '../agent-hook/governed-worktree.ts'
import { readStdin } from '../io/process/read-stdin.ts'
import type { VerbOutput } from '../report/verb-output.ts'
import { toKotefError } from '../findings/failure.ts'
import type { VerbCall } from './verb.ts'

/** `kotef agent-hook`: reads on stdin what an agent does, and answers in the agent's own form. */
export async function run({ args: [agent], ...call }: Pick<VerbCall, 'args' | 'cwd' | 'notify'>): Promise<VerbOutput> {
  return answerPayload(String(agent), await readStdin(), call)
}

/** The answer to one payload. What can't be understood, and any failure before a tool is used, is a denial. */
export async function answerPayload(agent: string, payload: string, call: HookCallContext): Promise<VerbOutput> {
  const { stdout, stderr, exit } = await outcomeOf(adapterOf(agent, payload), decodePayload(agent, payload), call)
  if (stderr !== '') call.notify(stderr.trimEnd())
  return { text: stdout.trimEnd(), json: stdout === '' ? null : JSON.parse(stdout), exit: exit === 0 ? 0 : 2 }
}

type HookCallContext = Pick<VerbCall, 'cwd' | 'notify'>

async function outcomeOf(
  adapter: Adapter,
  decoded: DecodeResult,
  { cwd, notify: tell }: HookCallContext,
): Promise<HookOutput> {
  if ('problem' in decoded) return adapter.encode(await replyToUndecodable(decoded.problem, cwd), null)
  const reply = await answerHook(decoded, cwd).catch((thrown: unknown) => replyToFailure(thrown, decoded.point, tell))
  return adapter.encode(reply, decoded.point)
}

// Nobody can say what is allowed. What has been done can't be undone by a refusal.
function replyToFailure(thrown: unknown, moment: HookPoint | null, tell: HookCallContext['notify']): Reply {
  const { message, hint } = toKotefError(thrown)
  const isAsked = moment?.at === 'before-tool' || moment?.at === 'settings-change'
  if (isAsked) return { kind: 'deny', text: denialText([orchestrationUnavailable(message)]) }
  tell(`kotef: this change could not be attributed to the agent. ${message}\n  ${hint}`)
  if (moment === null || moment.at === 'after-tool') return { kind: 'silence' }
  return {
    kind: 'context',
    text: `${orchestrationUnavailable(message).message} Tool calls that change something are refused.`,
  }
}

// Where nobody asked for governance, nobody is stopped either.
async function replyToUndecodable(problem: string, cwd: string): Promise<Reply> {
  const isGoverned = await findGovernedWorktree([cwd]).then(Boolean, () => true)
  return isGoverned ? { kind: 'deny', text: denialText([payloadUnclear(problem)]) } : { kind: 'silence' }
}
