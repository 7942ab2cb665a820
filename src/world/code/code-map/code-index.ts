import { filesOfCommit } from '../../../core/git/line-history.ts'
import { readRegistry } from '../../../core/intents/registry.ts'
import { type Intent, ticketKeys } from '../../../core/intents/intent.ts'
import { VERSION } from '../../io/files/package.ts'
import { withLock } from '../../io/files/lock.ts'
import { filesPutInMemory, writeIfAllowed } from '../../io/files/read-only.ts'
import { LARGE_FILE_BYTES_MAX } from '../../io/files/regular-file.ts'
import {
  type FileFacts,
  type HistoryFacts,
  intentsOfRuns,
  makeEntries,
  runsWithin,
} from '../../../core/code/map/make-entries.ts'
import type { MapEntry } from '../../../core/code/map/map-entry.ts'
import type { IntentMap } from '../../../core/code/map/map-text.ts'
import { type IndexedFile, indexPlaces, type StoredIndex } from '../../../core/code/map/place-index.ts'
import { policyFromTexts } from '../../../core/rules/policy-of-sources.ts'
import { judgePath } from '../../../core/intents/scope/judge-path.ts'
import { parseObject } from '../../../core/base/payload.ts'
import { MAP_LOCK_WAIT_MS_MAX } from '../../../core/base/thresholds.ts'
import { policyTextsAtHead, readHead } from '../../io/worktree/head.ts'
import { ownPath } from '../../io/worktree/layout.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import { type LineHistory, lineHistoryAt } from './line-history.ts'
import { treeFacts } from './tree-facts.ts'

/** Takes the share of the files whose history is read, where that is not kept. */
type MapProgress = (share: number) => void

/** The map of HEAD: made of its tree and its history alone, so that everybody makes the same. */
export async function mapOfHead(workspace: Workspace, progress: MapProgress = () => {}): Promise<IntentMap> {
  const stored = await upToDate<StoredMap>(workspace, 'entries', progress)
  return { entries: stored?.entries ?? [], names: new Map(stored?.names) }
}

/** The index of HEAD's declarations. Where nothing is committed since the last call, one file is read. */
export async function indexOfHead(workspace: Workspace, progress: MapProgress): Promise<StoredIndex> {
  return (await upToDate<StoredPlaces>(workspace, 'places', progress))?.places ?? indexPlaces([], [])
}

type StoredMap = { readonly entries: readonly MapEntry[]; readonly names: readonly (readonly [string, string])[] }
type StoredPlaces = { readonly places: StoredIndex }
type FileName = 'entries' | 'places'

async function upToDate<T>(workspace: Workspace, name: FileName, progress: MapProgress): Promise<T | null> {
  const head = await readHead(workspace)
  if (head === null) return null
  const stored = await readStored<T>(workspace, name, head)
  if (stored) return stored
  const make = async (here: Workspace): Promise<T | null> => {
    // Another process may have made it meanwhile.
    const made = await readStored<T>(here, name, head)
    if (made) return made
    await makeAll(here, head, progress)
    return readStored<T>(here, name, head)
  }
  if (!(await writeIfAllowed(() => workspace.files.privateFolder(ownPath(workspace, 'map')))))
    return make({ ...workspace, files: filesPutInMemory(workspace.files) })
  return withLock(ownPath(workspace, 'map', 'lock'), () => make(workspace), { waitMsMax: MAP_LOCK_WAIT_MS_MAX })
}

async function readStored<T>(workspace: Workspace, name: FileName, head: string): Promise<T | null> {
  const bytes = await workspace.files.read(storedPath(workspace, name), LARGE_FILE_BYTES_MAX).catch(() => null)
  // The whole file is parsed only when it is of this commit and version.
  if (
    !bytes
      ?.subarray(0, KEY_BYTES)
      .toString('utf8')
      .startsWith(`{"of":${JSON.stringify(keyOf(head))}`)
  )
    return null
  return parseObject(bytes.toString('utf8')) as T | null
}

const KEY_BYTES = 256

function keyOf(head: string): string {
  return `${VERSION} ${head}`
}

function storedPath(workspace: Workspace, name: FileName): string {
  return ownPath(workspace, 'map', `${name}.json`)
}

async function makeAll(workspace: Workspace, head: string, progress: MapProgress): Promise<void> {
  const files = await workspace.git.ask(filesOfCommit(head))
  const history = await lineHistoryAt(workspace, { head, files, progress })
  const facts = await treeFacts(workspace, files, history)
  const texts = await policyTextsAtHead(workspace)
  const intents = readRegistry(texts[0] ?? '').intents
  const said = historyFacts(history, texts)
  const put = (name: FileName, value: object) =>
    workspace.files.put(storedPath(workspace, name), JSON.stringify({ of: keyOf(head), ...value }))
  await put('entries', { entries: makeEntries(facts, said), names: intents.map(it => [it.id, it.name]) })
  await put('places', { places: indexPlaces(intents.map(asIndexed), indexedFiles(facts, said)) })
}

// People search by the ticket, too.
function asIndexed({ id, name, description, related_specs: specs }: Intent) {
  const tickets = specs.flatMap(({ url }) => ticketKeys(url))
  return { id, name, description: [description, ...tickets].join(' ').trim() }
}

function historyFacts({ citations }: LineHistory, texts: readonly (string | null)[]): HistoryFacts {
  const policy = policyFromTexts(texts)
  const judge = policy && judgePath(policy)
  const scopes = new Map(policy?.intents.map(it => [it.id, it.owned_scope]))
  const owns = (intent: string, path: string) => judge?.(scopes.get(intent) ?? [], path).kind === 'owned'
  return {
    timeOf: commit => citations.get(commit)?.time ?? 0,
    intentsOf(commit, path) {
      const cited = citations.get(commit)?.intents ?? []
      if (cited.length < 2) return cited
      // A squashed commit cites several: those whose scope has the path made its lines.
      const owners = cited.filter(it => owns(it, path))
      return owners.length > 0 ? owners : cited
    },
  }
}

function indexedFiles(facts: readonly FileFacts[], said: HistoryFacts): IndexedFile[] {
  return facts.map(({ path, runs, declarations }) => ({
    path,
    intents: intentsOfRuns(path, runs, said),
    declarations: declarations.map(({ name, kind, line, own }) => {
      return { name, kind, line, intents: intentsOfRuns(path, runsWithin(runs, own), said) }
    }),
  }))
}
