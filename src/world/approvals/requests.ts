import { readRequest, type AgentRequest, WAITING_REQUESTS_MAX } from '../../core/intents/request.ts'
import { readAnswer, type RequestAnswer } from '../../core/intents/request-answer.ts'
import { KotefError } from '../../core/base/failure.ts'
import { printable } from '../../core/base/printable.ts'
import { malformation } from '../../core/base/globs.ts'
import { loadRegistry } from '../intents/policy/load-policy.ts'
import { appendRecords } from '../ledger/append-records.ts'
import { liveSessions } from '../intents/sessions/live-sessions.ts'
import { recordDir } from '../io/worktree/record-dir.ts'
import type { GitDirAccess, Workspace } from '../io/worktree/workspace.ts'

/** Adds a request, which is pending until a person answers it or its intent is over. Its session may end before. */
export async function addRequest(
  workspace: Workspace,
  content: Omit<AgentRequest, 'id' | 'at'>,
): Promise<AgentRequest> {
  const { clock } = workspace
  const request = { id: clock.uuid(), at: new Date(clock.now()).toISOString(), ...content }
  if (readRequest(JSON.stringify(request)) === null) throw new KotefError('usage', `A request has ${REQUEST_LIMITS}.`)
  refuseMalformedGlobs(content)
  const why = (await overReasonLookup(workspace))(request)
  if (why !== null) throw new KotefError('request-over', `There is nothing to ask for: ${why}.`)
  const pending = (await pendingRequests(workspace)).filter(it => it.intent === content.intent)
  const same = pending.find(it => it.kind === content.kind && String(it.wants) === String(content.wants))
  if (same) return takeOver(workspace, same, content)
  if (pending.length >= WAITING_REQUESTS_MAX) {
    throw new KotefError(
      'usage',
      `${WAITING_REQUESTS_MAX} requests for ${printable(content.intent)} are pending already.`,
      {
        hint: 'Work on files in scope until a person has answered: `kotef approve --list`',
      },
    )
  }
  const { id, session, intent, kind, wants, reason } = request
  await appendRecords(workspace, [{ event: { event: 'requested', request: id, session, intent, kind, wants, reason } }])
  await requestsDir(workspace).put(`${request.id}.json`, request)
  return request
}

/** The answer goes to the session that asks now, unless the one that asked first still lives. */
async function takeOver(
  workspace: Workspace,
  request: AgentRequest,
  { session, agent }: Pick<AgentRequest, 'session' | 'agent'>,
): Promise<AgentRequest> {
  if ((await liveSessions(workspace)).some(it => it.id === request.session)) return request
  const taken = { ...request, session, agent }
  await requestsDir(workspace).put(`${request.id}.json`, taken)
  return taken
}

const REQUEST_LIMITS = '1 to 20 texts of 300 characters at most, and a reason of 1000'

function refuseMalformedGlobs({ kind, wants }: Pick<AgentRequest, 'kind' | 'wants'>): void {
  if (kind !== 'scope') return
  const flaws = wants.flatMap(it => malformation(it) ?? [])
  if (flaws.length > 0) throw new KotefError('usage', `A scope takes ${flaws[0]}.`)
}

/** The pending requests, oldest first: their intents are not over, and their scope is not granted yet. */
export async function pendingRequests(workspace: Workspace): Promise<AgentRequest[]> {
  const requests = await readRequests(workspace)
  if (requests.length === 0) return []
  const reasonOver = await overReasonLookup(workspace)
  const pending = requests.filter(it => reasonOver(it) === null)
  return pending.sort((one, other) => (one.at < other.at ? -1 : 1))
}

/** The pending request with an id that begins so. Throws, with the reason, when there is not exactly one. */
export async function findPendingRequest(workspace: Workspace, id: string): Promise<AgentRequest> {
  const found = (await readRequests(workspace)).filter(it => it.id.startsWith(id))
  const [request, ...others] = found
  if (!request || id === '') throw await unknownRequestError(workspace, id)
  if (others.length > 0) throw new KotefError('request-over', `Several requests begin with ${printable(id)}.`)
  const why = (await overReasonLookup(workspace))(request)
  if (why !== null) throw new KotefError('request-over', `The request ${printable(id)} is over: ${why}.`)
  return request
}

async function unknownRequestError(workspace: Workspace, id: string): Promise<KotefError> {
  const answered = answeredDir(workspace)
  const [name] = id === '' ? [] : (await answered.names()).filter(it => it.startsWith(id))
  const answer = name === undefined ? null : await answered.get(name)
  const what = answer ? `was ${answer.verdict} at ${answer.at}` : 'is not pending here'
  return new KotefError('request-over', `The request ${printable(id)} ${what}.`)
}

/** Records the answer to a request, which is pending no longer. */
export async function closeRequest(workspace: Workspace, { id }: AgentRequest, answer: RequestAnswer): Promise<void> {
  await answeredDir(workspace).put(`${id}.json`, answer)
  await requestsDir(workspace).remove(`${id}.json`)
}

async function readRequests(workspace: Workspace): Promise<AgentRequest[]> {
  return (await requestsDir(workspace).list()).map(it => it.record)
}

/** A function that returns why a request is no longer pending; null when it is. */
async function overReasonLookup(workspace: Workspace): Promise<(request: AgentRequest) => string | null> {
  const { intents } = await loadRegistry(workspace)
  return ({ intent: id, kind, wants }) => {
    const intent = intents.find(it => it.id === id)
    if (!intent) return `there is no intent ${printable(id)}`
    if (isClosedStatus(intent.status)) return `${id} is ${intent.status}`
    const isGranted = kind === 'scope' && wants.every(it => intent.owned_scope.includes(it))
    return isGranted ? `${id} has that scope already` : null
  }
}

function isClosedStatus(status: string): boolean {
  return status === 'COMPLETED' || status === 'ABANDONED'
}

function requestsDir(access: GitDirAccess) {
  return recordDir(access, { folder: ['requests'], fileName: JSON_FILE, parse: readRequest, isDurable: true })
}

// An answered request is kept to say what became of it, which is asked within days.
const ANSWERED_REQUESTS_MAX = 200

function answeredDir(access: GitDirAccess) {
  const folder = ['requests', 'answered']
  return recordDir(access, {
    folder,
    fileName: JSON_FILE,
    parse: readAnswer,
    isDurable: true,
    max: ANSWERED_REQUESTS_MAX,
  })
}

const JSON_FILE = /\.json$/
