import { join } from 'node:path'
import { readRequest, type Request, REQUESTS_MAX } from '../intents/request.ts'
import { KotefError } from '../report/failure.ts'
import { malformation } from '../scope/globs.ts'
import { loadRegistry } from './policy.ts'
import { record } from './record.ts'
import { liveSessions } from './sessions.ts'
import { placesOf, type Workspace } from './workspace.ts'

/** Puts a request before a person: told in the ledger, and listed until it is granted or its session is over. */
export async function ask(workspace: Workspace, wish: Omit<Request, 'id' | 'at'>): Promise<Request> {
  const { files, clock } = workspace
  const request = { id: clock.uuid(), at: new Date(clock.now()).toISOString(), ...wish }
  if (readRequest(JSON.stringify(request)) === null) throw new KotefError('usage', `A request has ${LIMITS}.`)
  refuseMalformed(wish)
  const pending = (await pendingRequests(workspace)).filter(it => it.session === wish.session)
  const same = pending.find(it => it.kind === wish.kind && String(it.wants) === String(wish.wants))
  if (same) return same
  if (pending.length >= REQUESTS_MAX) {
    throw new KotefError('usage', `${REQUESTS_MAX} requests of this session wait already.`, {
      hint: 'Go on with what is in scope until a person has answered: `kotef approve --list`',
    })
  }
  const { session, intent, kind, wants, reason } = request
  await record(workspace, [{ event: { event: 'requested', session, intent, kind, wants, reason } }])
  await files.replace(join(folderOf(workspace), `${request.id}.json`), `${JSON.stringify(request, null, 2)}\n`, 0o600)
  return request
}

const LIMITS = '1 to 20 texts of 300 characters at most, and a reason of 1000'

function refuseMalformed({ kind, wants }: Pick<Request, 'kind' | 'wants'>): void {
  if (kind !== 'scope') return
  const flaws = wants.flatMap(it => malformation(it) ?? [])
  if (flaws.length > 0) throw new KotefError('usage', `A scope takes ${flaws[0]}.`)
}

/** The requests that wait for a person, oldest first: their sessions live, and their scope is not granted yet. */
export async function pendingRequests(workspace: Workspace): Promise<Request[]> {
  const names = (await workspace.files.list(folderOf(workspace))).filter(it => it.endsWith('.json'))
  if (names.length === 0) return []
  const texts = await Promise.all(names.map(it => workspace.files.read(join(folderOf(workspace), it))))
  const requests = texts.flatMap(it => readRequest(it?.toString('utf8') ?? '') ?? [])
  const live = new Set((await liveSessions(workspace)).map(it => it.id))
  const { intents } = await loadRegistry(workspace)
  const scopes = new Map(intents.map(it => [it.id, new Set(it.owned_scope)]))
  const isGranted = ({ kind, wants, intent }: Request) => {
    return kind === 'scope' && wants.every(it => scopes.get(intent)?.has(it))
  }
  const pending = requests.filter(it => live.has(it.session) && !isGranted(it))
  return pending.sort((one, other) => (one.at < other.at ? -1 : 1))
}

function folderOf(workspace: Workspace): string {
  return join(placesOf(workspace).own, 'requests')
}
