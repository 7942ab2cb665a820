import { setImmediate as nextTurn } from 'node:timers/promises'
import { sessionOfPath } from '../../../core/handover/port.ts'
import { handoverViolations, type NamedDraft } from './handover-violations.ts'
import type { RecordDraft, TraceRecord } from '../../../core/ledger/record.ts'
import type { WriteSource } from '../../../core/ledger/event.ts'
import { type Change, changesOf, type WriteDraft, writeDrafts } from './write-records.ts'
import { partsByWeight } from '../../../core/base/grouping.ts'
import { inspectPaths, type InspectRequest, type Write } from './inspect.ts'
import { settleOutcome } from './settle-outcome.ts'
import type { RecorderContext } from './recorder-context.ts'
import { findMoveCounterparts } from './pair-moves.ts'
import { appendRecords } from '../../ledger/append-records.ts'
import { keepSnapshot } from './snapshots.ts'
import { type AuthorLookup, loadAuthors } from './authors.ts'
import { brokenRule } from '../../../core/intents/scope/broken-rule.ts'

/** What to observe. `recorded` gets the records of each part as soon as they are in the ledger. */
type Observation = Omit<InspectRequest, 'halt'> & {
  readonly source: WriteSource
  /** Paths that will be inspected next. One of them can be the other end of a move. */
  readonly pending?: readonly string[]
  readonly recorded?: (records: readonly TraceRecord[]) => void
}

/** `torn` are the paths to be inspected again: most changed meanwhile, or all as git was working (`isPostponed`). */
type Observed = { readonly torn: readonly string[]; readonly isPostponed: boolean }

/** Inspects paths and records their writes. */
export async function observe(
  context: RecorderContext,
  { source, recorded, pending = [], ...request }: Observation,
): Promise<Observed> {
  const { workspace, state, halt } = context
  const report = (records: readonly TraceRecord[]): void => void (records.length > 0 && recorded?.(records))
  const { writes: inspected, unreadable, ...looked } = await inspectPaths(workspace, state, { ...request, halt })
  await nextTurn()
  const how = { evidence: request.evidence, halt, pending }
  const { found, waiting } = await findMoveCounterparts(context, { writes: inspected, ...how })
  const writes = inspected.filter(it => !waiting.includes(it))
  const { isPostponed } = looked
  const torn = [...looked.torn, ...waiting.map(it => it.path)]
  if (writes.length + unreadable.length === 0) return { torn, isPostponed }
  const head = await context.head()
  report(await appendRecords(workspace, unreadable.map(unreadableProblem), { head }))
  const authors = await loadAuthors(workspace, await context.policyAt(head))
  const parts = partsByWeight(await changesOf(context, [...writes, ...found]), weightOf, PART_WEIGHT)
  const draftsOf = (changes: readonly Change[] = []): Promise<readonly WriteDraft[]> => {
    const drafts = writeDrafts(context, { changes, authors, source })
    // A failure is thrown where they are awaited, if they still are.
    drafts.catch(() => {})
    return drafts
  }
  let drafts = draftsOf(parts[0])
  for (const [n, changes] of parts.entries()) {
    if (halt.aborted) return { torn: [...torn, ...parts.slice(n).flat().flatMap(pathsOfChange)], isPostponed }
    const traced = await drafts
    // While a part is written, git reads what the next one is compared with.
    drafts = draftsOf(parts[n + 1])
    report(await recordChanges(context, { changes, traced, authors, head }))
  }
  return { torn, isPostponed }
}

// The event loop answers others between two parts, and a part is over in a few milliseconds.
const PART_WEIGHT = 500

// A file that is gone is neither read nor hashed.
const weightOf = ({ to }: Change): number => (to.file === null ? 1 : 10)

function pathsOfChange({ from, to }: Change): string[] {
  return from ? [from.path, to.path] : [to.path]
}

type ChangePart = {
  readonly changes: readonly Change[]
  readonly traced: readonly WriteDraft[]
  readonly authors: AuthorLookup
  readonly head: string | null
}

async function recordChanges(
  context: RecorderContext,
  { changes, traced, authors, head }: ChangePart,
): Promise<TraceRecord[]> {
  const { workspace, state } = context
  for (const { to } of changes) await keepForNextDiff(context, to)
  let n = 0
  const acknowledged = (): void => {
    for (const it of traced[n++]?.writes ?? []) settleOutcome(state, { ...it, content: it.after, origin: 'recorded' })
  }
  const drafts = traced.map(it => ({ files: [], ...it.draft, id: workspace.clock.uuid() }))
  const broken = await handoverViolations(context, { changes, drafts, authors })
  const violations = [...drafts.flatMap(it => scopeViolations(it, authors)), ...broken]
  // One append: between two, a crash would leave a write without its violation, which no later look finds.
  return appendRecords(workspace, [...drafts, ...violations], { acknowledged, head })
}

function unreadableProblem({ path, why }: { path: string; why: string }): RecordDraft {
  return { event: { event: 'problem', path, message: `${path} can't be recorded: ${why}` } }
}

async function keepForNextDiff({ workspace, textBytesMax }: RecorderContext, { file }: Write): Promise<void> {
  if (!file?.bytes || file.bytes.length > textBytesMax) return
  await keepSnapshot(workspace, file.oid, file.bytes)
}

/** An event for each rule that a write broke. What a person writes is judged at the commit, and not before. */
function scopeViolations({ id, files }: NamedDraft, authors: AuthorLookup): RecordDraft[] {
  const paths = files
    .filter(it => !authors.isPersons(it.path))
    .flatMap(({ path, kotef: { from } }) =>
      (from === undefined ? [path] : [from, path]).map(it => ({ path: it, creditedAs: path })),
    )
  return paths.flatMap(({ path, creditedAs }) => {
    const { verdict, intent } = authors.verdict(path, creditedAs)
    // Sessions of the handover belong to no intent's scope.
    if (verdict.kind === 'outside' && sessionOfPath(path)) return []
    const broken = brokenRule(verdict, intent)
    if (!broken) return []
    const message = `${path} ${broken.why}`
    return [{ event: { event: 'violation', rule: broken.rule, path, intent, message, record: id } }]
  })
}
