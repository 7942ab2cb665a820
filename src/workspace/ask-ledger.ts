import { openFile, type OpenFile } from '../io/stretches.ts'
import { type Place, placesFor } from '../ledger/catalogue.ts'
import { type Entry, readLedger } from '../ledger/read.ts'
import type { TraceRecord } from '../ledger/record.ts'
import { isWanted, type Wanted } from '../ledger/select.ts'
import type { Problem } from '../report/finding.ts'
import { dropCatalogue, freshCatalogue, type Progress } from './catalogue.ts'
import { placesOf, type Workspace } from './workspace.ts'

export type LedgerAnswer = {
  readonly records: readonly TraceRecord[]
  /** How many records were wanted as well, and are older than the limit lets through. */
  readonly older: number
  readonly problems: readonly Problem[]
}

/** The records that are wanted, the last ones up to a limit; reads only their lines, and those with problems. */
export async function askLedger(workspace: Workspace, question: Question): Promise<LedgerAnswer> {
  await using ledger = await openFile(placesOf(workspace).ledger)
  if (!ledger) return { records: [], older: 0, problems: [] }
  const answer = await answered(workspace, ledger, question)
  if (answer) return answer
  // What was catalogued is not what stands there: somebody has changed the ledger.
  await dropCatalogue(workspace)
  return (await answered(workspace, ledger, question)) ?? { records: [], older: 0, problems: [] }
}

type Question = { readonly wanted: Wanted; readonly limit: number | null; readonly progress?: Progress }

async function answered(workspace: Workspace, ledger: OpenFile, { wanted, limit, progress }: Question) {
  const catalogue = await freshCatalogue(workspace, ledger, progress)
  const places = placesFor(catalogue, wanted)
  const open = readLedger((await ledger.read(catalogue.reached, ledger.size)).toString('utf8'), catalogue.lines + 1)
  // A second is all that the catalogue knows of a time.
  const isExact = (wanted.since ?? 0) % 1000 === 0
  const last = open.entries.map(it => it.record).filter(it => isWanted(it, wanted))
  const most = limit === null || !isExact ? Infinity : Math.max(0, limit - last.length)
  const chosen = most === Infinity ? places.wanted : places.wanted.slice(Math.max(0, places.wanted.length - most))
  const read = await entriesAt(ledger, chosen)
  if (read.length < chosen.length || !read.every(it => (isExact ? isWanted(it.record, wanted) : true))) return null
  const all = [...read.map(it => it.record).filter(it => isWanted(it, wanted)), ...last]
  const records = limit === null ? all : all.slice(-limit)
  const older = places.wanted.length - chosen.length + all.length - records.length
  return { records, older, problems: [...(await problemsAt(ledger, places.unsound)), ...open.problems] }
}

async function entriesAt(ledger: OpenFile, places: readonly Place[]): Promise<Entry[]> {
  const entries: Entry[] = []
  for await (const { line, text } of linesAt(ledger, places))
    for (const each of readLedger(text, line).entries) entries.push(each)
  return entries
}

async function problemsAt(ledger: OpenFile, places: readonly Place[]): Promise<Problem[]> {
  const problems: Problem[] = []
  for await (const { line, text } of linesAt(ledger, places)) {
    const { entries, problems: own } = readLedger(text, line)
    for (const each of own) problems.push(each)
    const [good] = entries
    if (!good || own.length > 0) continue
    // Nothing is wrong with the line but that there was another one.
    const found = `${good.record.id} a second time`
    problems.push({ file: '.orchestration/agent_trace.jsonl', line, expected: 'an id of its own', found })
  }
  return problems
}

/** The texts of lines; those that lie close together are read at once. */
async function* linesAt(ledger: OpenFile, places: readonly Place[]): AsyncGenerator<{ line: number; text: string }> {
  for (let n = 0; n < places.length;) {
    const group = groupFrom(places, n)
    const [from, to] = [group[0]?.start ?? 0, group.at(-1)?.end ?? 0]
    const bytes = await ledger.read(from, to)
    for (const { line, start, end } of group) {
      yield { line, text: bytes.toString('utf8', start - from, end - from) }
    }
    n += group.length
  }
}

function groupFrom(places: readonly Place[], first: number): Place[] {
  const group: Place[] = []
  for (let n = first; n < places.length; n++) {
    const [place, before, start] = [places[n], group.at(-1), group[0]]
    if (!place || (before && place.start - before.end > GAP_BYTES)) break
    if (start && place.end - start.start > GROUP_BYTES) break
    group.push(place)
  }
  return group
}

const GAP_BYTES = 16_384
const GROUP_BYTES = 4 * 2 ** 20
