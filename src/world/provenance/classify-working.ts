import { join } from 'node:path'
import { blobOid } from '../../core/git/blob-oid.ts'
import type { PathChange } from '../../core/git/changes.ts'
import { openBlobs } from '../io/git/blobs.ts'
import type { LedgerEvent } from '../../core/ledger/event.ts'
import type { TraceRecord } from '../../core/ledger/record.ts'
import { appendRecords } from '../ledger/append-records.ts'
import { queryLedger } from '../ledger/query-ledger.ts'
import { changeClasses } from '../code/meaning/change-classes.ts'
import { changesInWorktree, readOrNull } from '../code/meaning/changed-files.ts'
import { type ClassifyBudget, RUN_BUDGET } from '../code/meaning/classify-commits.ts'
import { type Parser, TEXT_CHARS_MAX } from '../code/meaning/parser.ts'
import { languageOf } from '../../core/code/symbols/languages.ts'
import type { Workspace } from '../io/worktree/workspace.ts'

type Terms = { readonly parser: Parser; readonly budget?: ClassifyBudget }

/**
 * Records the classes of the uncommitted changes that the ledger has writes of, from HEAD's blob to the file: each pair
 * of contents once. A file of no known language has none. Returns how many it recorded.
 */
export async function classifyWorking(workspace: Workspace, { parser, budget = RUN_BUDGET }: Terms): Promise<number> {
  const until = workspace.clock.ticks() + budget.ms
  const events: ClassifiedEvent[] = []
  await using blobs = openBlobs(workspace.root, { localOnly: true })
  for await (const { change, bytes, intent } of unclassifiedChanges(workspace)) {
    const own = { read: async (name: string) => (name === change.after?.oid ? bytes : blobs.read(name)) }
    for await (const [path, found] of changeClasses([change], { parser, blobs: own })) {
      const before = change.before?.oid ?? null
      const after = change.after?.oid ?? null
      events.push({ event: 'classified', path, before, after, intent, ...found })
    }
    if (events.length >= budget.files || workspace.clock.ticks() > until) break
  }
  const records = await appendRecords(
    workspace,
    events.map(event => ({ event })),
  )
  return records.length
}

type ClassifiedEvent = Extract<LedgerEvent, { event: 'classified' }>

/** A change since HEAD, with the content of the file, and the intent of its last write. */
type WorkingChange = { readonly change: PathChange; readonly bytes: Buffer | null; readonly intent: string | null }

/** The uncommitted changes that the ledger has writes of, and no class, one file at a time. */
async function* unclassifiedChanges(workspace: Workspace): AsyncGenerator<WorkingChange> {
  const changes = (await changesInWorktree(workspace.git, [])).filter(it => languageOf(it.path) !== null)
  if (changes.length === 0) return
  const files = new Set(changes.map(it => it.path))
  const { records } = await queryLedger(workspace, { wanted: { files }, limit: RECORDS_MAX })
  const known = new Set(records.flatMap(classifiedPair))
  const intents = lastIntents(records)
  for (const it of changes) {
    const intent = intents.get(it.path)
    if (intent === undefined) continue
    const { change, bytes } = await asOnDisk(workspace, it)
    const { before, after } = change
    if (before?.oid === after?.oid && before?.mode === after?.mode) continue
    if (!known.has(pairOf(change.path, before?.oid ?? null, after?.oid ?? null))) yield { change, bytes, intent }
  }
}

// The last records of the changed files: older ones are of contents that nobody has any more.
const RECORDS_MAX = 20_000

// Git does not hash what is not in the index.
async function asOnDisk({ root }: Workspace, change: PathChange): Promise<Pick<WorkingChange, 'change' | 'bytes'>> {
  const { path, before, after } = change
  const bytes = after === null ? null : await readOrNull(join(root, path), TEXT_CHARS_MAX)
  if (after === null || bytes === null) return { change: { path, before, after: null }, bytes: null }
  const oid = blobOid(bytes, before?.oid.length === 64 ? 'sha256' : 'sha1')
  return { change: { path, before, after: { mode: after.mode, oid } }, bytes }
}

function classifiedPair({ metadata }: TraceRecord): string[] {
  const own = metadata['dev.kotef']
  return own.event === 'classified' ? [pairOf(own.path, own.before, own.after)] : []
}

function pairOf(path: string, before: string | null, after: string | null): string {
  return JSON.stringify([path, before, after])
}

/** The intent of the last write of each path. */
function lastIntents(records: readonly TraceRecord[]): Map<string, string | null> {
  const intents = new Map<string, string | null>()
  for (const { files, metadata } of records) {
    if (metadata['dev.kotef'].event !== 'write') continue
    for (const { path, conversations } of files)
      intents.set(path, conversations.flatMap(it => it.related).find(it => it.type === 'intent')?.value ?? null)
  }
  return intents
}
