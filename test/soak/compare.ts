import type { LedgerWrite } from '../rig/ledger-writes.ts'
import { keyOf, type SoakModel } from './model.ts'

type LedgerView = {
  /** All that the ledger says was written, and how much of it was there when the round began. */
  readonly written: readonly LedgerWrite[]
  readonly before: number
  /** Paths that are not as git's HEAD has them. */
  readonly dirty: ReadonlySet<string>
}

/** Every way in which the ledger differs from what was done, a sentence each. */
export function differencesOf(model: SoakModel, { written, before, dirty }: LedgerView): string[] {
  const latest = new Map<string, string | null>()
  for (const { path, from, after } of written.slice(before)) {
    if (from !== null) latest.set(from, null)
    latest.set(path, after)
  }
  const recorded = countOf(written)
  const madeOf = (key: string) => (model.made.get(key) ?? 0) + (model.again.get(key) ?? 0)
  const ghosts = [...recorded].filter(([key, times]) => times > madeOf(key))
  return [
    ...ghosts.map(([key, times]) => {
      const sources = written.filter(it => keyOf([it.path, it.after]) === key).map(it => it.source)
      return `${times} records (${sources.join(', ')}) say ${key}; it was made ${madeOf(key)} times`
    }),
    ...[...model.changedBy].flatMap(([path, by]) => {
      const holds = model.tree.get(path) ?? null
      if (model.unseenByWatcher.has(path) && model.unseenByWatcher.get(path) === holds) return []
      if (by === 'somebody') return differencesAt(model, { path, holds, latest, isDirty: dirty.has(path) })
      const key = keyOf([path, holds])
      const isMade = holds !== null && model.made.has(key) && !model.settled.has(key)
      const isOwn = isMade && dirty.has(path) && model.firstAt.get(holds) === path
      return isOwn && !recorded.has(key) ? [`${path} ${holds} was brought back, and never told`] : []
    }),
  ]
}

/** How often each row of the table decided between git and a person, by what the daemons have said. */
export function countRows(lines: readonly string[]): Map<string, number> {
  const rows = new Map<string, number>()
  for (const line of lines) {
    const [, row] = /^judged .*: \w+ \((\S+)\)$/.exec(line) ?? []
    if (row) rows.set(row, (rows.get(row) ?? 0) + 1)
  }
  return rows
}

type ChangedPath = {
  readonly path: string
  readonly holds: string | null
  readonly latest: ReadonlyMap<string, string | null>
  readonly isDirty: boolean
}

function differencesAt(model: SoakModel, { path, holds, latest, isDirty }: ChangedPath): string[] {
  const recorded = latest.get(path)
  if (recorded === holds) return []
  // What git has by now, and went while nobody watched, may have been staged, and taken away by git.
  const wasOld = recorded !== undefined && recorded !== null && model.firstAt.get(recorded) !== path
  const isElsewhere = [...model.tree.values()].includes(recorded ?? '')
  if ((wasOld || isElsewhere) && holds === null && model.unwatched) return []
  if (holds === null && model.reset.has(path)) return []
  // What is removed or moved and committed while nobody watches is lost.
  if (holds === null && model.unwatched && !isDirty) return []
  if (recorded !== undefined)
    return [`${path} ${holds ?? 'nothing'} is there, but the last record says ${recorded ?? 'nothing'}`]
  // What was put back as it was needs no record; what was committed while nobody watched can't have one.
  // An older content that was moved there, with its folder, while nobody watched may have come out of a stash.
  const before = model.history.get(path)?.slice(0, -1) ?? []
  if (model.unwatched && holds !== null && before.some(it => it.startsWith(holds))) return []
  const isCommitted = !isDirty || model.settled.has(keyOf([path, holds]))
  if ((model.began.get(path) ?? null) === holds || (model.unwatched && isCommitted)) return []
  return [`${path} ${holds ?? 'nothing'} was made by somebody, and no record tells of it`]
}

function countOf(written: readonly LedgerWrite[]): Map<string, number> {
  const counts = new Map<string, number>()
  const add = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
  for (const { path, from, after } of written) {
    add(keyOf([path, after]))
    if (from !== null) add(keyOf([from, null]))
  }
  return counts
}
