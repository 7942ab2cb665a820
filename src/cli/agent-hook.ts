import type { Adapter, Heard, Moment, Outcome, Reply } from '../agents/adapter.ts'
import { adapterOf, hear } from '../agents/hear.ts'
import { denialText } from '../gate/denial.ts'
import { unavailable, unclear } from '../gate/words.ts'
import { answerTo } from '../handshake/answer.ts'
import { governedAt } from '../handshake/governed.ts'
import { textOfStdin } from '../io/stdin.ts'
import type { Answer } from '../report/answer.ts'
import { toKotefError } from '../report/failure.ts'
import type { Call } from './verb.ts'

/**
 * `kotef agent-hook`: hears on stdin what an agent does, and answers in the agent's own way. What can't be understood,
 * and whatever goes wrong before a tool is used, is a denial.
 */
export async function run({ args: [agent], cwd, tell }: Pick<Call, 'args' | 'cwd' | 'tell'>): Promise<Answer> {
  const said = await textOfStdin()
  const [adapter, heard] = [adapterOf(String(agent), said), hear(String(agent), said)]
  const { stdout, stderr, exit } = await outcome(adapter, heard, { cwd, tell })
  if (stderr !== '') tell(stderr.trimEnd())
  return { text: stdout.trimEnd(), json: stdout === '' ? null : JSON.parse(stdout), exit: exit === 0 ? 0 : 2 }
}

type Around = Pick<Call, 'cwd' | 'tell'>

async function outcome(adapter: Adapter, heard: Heard, { cwd, tell }: Around): Promise<Outcome> {
  if ('problem' in heard) return adapter.say(await misheard(heard.problem, cwd), null)
  const reply = await answerTo(heard, cwd).catch((thrown: unknown) => failed(thrown, heard.moment, tell))
  return adapter.say(reply, heard.moment)
}

// Nobody can say what is allowed. What has been done can't be undone by a refusal.
function failed(thrown: unknown, moment: Moment | null, tell: Around['tell']): Reply {
  const { message, hint } = toKotefError(thrown)
  const isAsked = moment?.at === 'before-tool' || moment?.at === 'settings-change'
  if (isAsked) return { kind: 'deny', text: denialText([unavailable(message)]) }
  tell(`kotef: what the agent did is not known to be its own. ${message}\n  ${hint}`)
  if (moment === null || moment.at === 'after-tool') return { kind: 'silence' }
  return { kind: 'context', text: `${unavailable(message).message} Whatever would change something is refused.` }
}

// Where nobody asked for governance, nobody is stopped either.
async function misheard(problem: string, cwd: string): Promise<Reply> {
  const isGoverned = await governedAt([cwd]).then(Boolean, () => true)
  return isGoverned ? { kind: 'deny', text: denialText([unclear(problem)]) } : { kind: 'silence' }
}
