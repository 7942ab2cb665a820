import { join } from 'node:path'
import { readRequest, type AgentRequest, WAITING_REQUESTS_MAX } from '../intents/request.ts'
import { readAnswer, type RequestAnswer } from '../intents/request-answer.ts'
import { KotefError } from '../findings/failure.ts'
import { printable } from '../text/printable.ts'
import { malformation } from '../paths/globs.ts'
import { loadRegistry } from '../policy/load-policy.ts'
import { appendRecords } from '../ledger-store/append-records.ts'
import { liveSessions } from '../sessions/live-sessions.ts'
import { ownPath } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** Puts a request before a person: told in the ledger, and listed until it is granted or its session is over. */
export async function addRequest(
  workspace: Workspace,
  content: Omit<AgentRequest, 'id' | 'at'>,
): Promise<AgentRequest> {
  const { files, clock } = workspace
  const request = { id: clock.uuid(), at: new Date(clock.now()).toISOString(), ...content }
  if (readRequest(JSON.stringify(request)) === null) throw new KotefError('usage', `A request has ${REQUEST_LIMITS}.`)
  refuseMalformedGlobs(content)
  const why = (await overReasonLookup(workspace))(request)
  if (why !== null) throw new KotefError('request-over', `There is nothing to ask for: ${why}.`)
  const pending = (await pendingRequests(workspace)).filter(it => it.session === content.session)
  const same = pending.find(it => it.kind === content.kind && String(it.wants) === String(content.wants))
  if (same) return same
  if (pending.length >= WAITING_REQUESTS_MAX) {
    throw new KotefError('usage', `${WAITING_REQUESTS_MAX} requests of this session wait already.`, {
      hint: 'Go on with what is in scope until a person has answered: `kotef approve --list`',
    })
  }
  const { session, intent, kind, wants, reason } = request
  await appendRecords(workspace, [{ event: { event: 'requested', session, intent, kind, wants, reason } }])
  await files.replace(
    join(requestsFolder(workspace), `${request.id}.json`),
    `${JSON.stringify(request, null, 2)}\n`,
    0o600,
  )
  return request
}

const REQUEST_LIMITS = '1 to 20 texts of 300 characters at most, and a reason of 1000'

function refuseMalformedGlobs({ kind, wants }: Pick<AgentRequest, 'kind' | 'wants'>): void {
  if (kind !== 'scope') return
  const flaws = wants.flatMap(it => malformation(it) ?? [])
  if (flaws.length > 0) throw new KotefError('usage', `A scope takes ${flaws[0]}.`)
}

/** The requests that wait for a person, oldest first: their sessions live, and their scope is not granted yet. */
export async function pendingRequests(workspace: Workspace): Promise<AgentRequest[]> {
  const requests = await readRequests(workspace)
  if (requests.length === 0) return []
  const reasonOver = await overReasonLookup(workspace)
  const pending = requests.filter(it => reasonOver(it) === null)
  return pending.sort((one, other) => (one.at < other.at ? -1 : 1))
}

/** The request of an id, or of the beginning of one; refused, with why, when it does not wait any more. */
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
  const names = (await workspace.files.list(answeredFolder(workspace))).filter(it => it.startsWith(id))
  const [name] = id === '' ? [] : names
  const bytes = name === undefined ? null : await workspace.files.read(join(answeredFolder(workspace), name))
  const answer = readAnswer(String(bytes))
  const what = answer ? `was ${answer.verdict} at ${answer.at}` : 'is none that waits here'
  return new KotefError('request-over', `The request ${printable(id)} ${what}.`)
}

/** Takes down what was answered to a request: it waits no more. */
export async function closeRequest(workspace: Workspace, { id }: AgentRequest, answer: RequestAnswer): Promise<void> {
  const { files } = workspace
  const folder = answeredFolder(workspace)
  for (const name of (await files.list(folder)).slice(0, -ANSWERED_REQUESTS_MAX)) await files.remove(join(folder, name))
  await files.replace(join(folder, `${id}.json`), JSON.stringify(answer), 0o600)
  await files.remove(join(requestsFolder(workspace), `${id}.json`))
}

const ANSWERED_REQUESTS_MAX = 200

async function readRequests({ files, ...places }: Workspace): Promise<AgentRequest[]> {
  const folder = requestsFolder(places)
  const names = (await files.list(folder)).filter(it => it.endsWith('.json'))
  const texts = await Promise.all(names.map(it => files.read(join(folder, it))))
  return texts.flatMap(it => readRequest(it?.toString('utf8') ?? '') ?? [])
}

/** Says of a request why it does not wait any more; null when it does. */
async function overReasonLookup(workspace: Workspace): Promise<(request: AgentRequest) => string | null> {
  const { intents } = await loadRegistry(workspace)
  const live = new Set((await liveSessions(workspace)).map(it => it.id))
  return ({ session, intent: id, kind, wants }) => {
    const intent = intents.find(it => it.id === id)
    if (!intent) return `there is no intent ${printable(id)}`
    if (isClosedStatus(intent.status)) return `${id} is ${intent.status}`
    if (!live.has(session)) return `the session ${printable(session)} that asked has ended`
    const isGranted = kind === 'scope' && wants.every(it => intent.owned_scope.includes(it))
    return isGranted ? `${id} has that scope already` : null
  }
}

function isClosedStatus(status: string): boolean {
  return status === 'COMPLETED' || status === 'ABANDONED'
}

function answeredFolder(workspace: Workspace): string {
  return join(requestsFolder(workspace), 'answered')
}

function requestsFolder(places: Pick<Workspace, 'root' | 'gitDir' | 'commonDir'>): string {
  return ownPath(places, 'requests')
}
