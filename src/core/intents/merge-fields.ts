import { type Document, isMap, isScalar, isSeq, Pair, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml'
import { editDocument } from './edit-document.ts'
import { mergedKeys, type ThreeWay } from './merge-keys.ts'

/** One intent with the changes of both sides: two texts that differ in the fields which both changed. */
export type MergedFields = { readonly ours: string; readonly theirs: string; readonly conflicts: readonly string[] }

/** Merges an intent field by field; each version is a YAML document of its own. Without an ancestor its base is ''. */
export function mergeFields(bodies: ThreeWay<string>): MergedFields {
  const maps = { base: mapOf(bodies.base), ours: mapOf(bodies.ours), theirs: mapOf(bodies.theirs) }
  const keys = mergedKeys({ base: [], ours: keysOf(maps.ours), theirs: keysOf(maps.theirs) })
  const changes = keys.map(key => ({ key, change: fieldChange(key, pairsAt(maps, key)) }))
  const conflicts = changes.filter(it => it.change === 'conflict').map(it => it.key)
  const written = (conflictTo: 'ours' | 'theirs') =>
    editDocument(bodies.ours, doc => {
      for (const { key, change } of changes) {
        const to = change === 'conflict' ? conflictTo : change
        if (to !== 'ours') setPair(doc, key, { pair: to === 'theirs' ? pairAt(maps.theirs, key) : to, after: keys })
      }
    })
  const ours = written('ours')
  return { ours, theirs: conflicts.length === 0 ? ours : written('theirs'), conflicts }
}

type PairNode = Pair<unknown, unknown>
type FieldPairs = ThreeWay<PairNode | null>

// What is to stand in a field: that of a side, a merged pair, or one of two that a person has to choose from.
function fieldChange(key: string, pairs: FieldPairs): 'ours' | 'theirs' | 'conflict' | PairNode {
  const { base, ours, theirs } = pairs
  const was = printedPair(base)
  const here = printedPair(ours)
  const there = printedPair(theirs)
  if (here === there || there === was) return 'ours'
  if (here === was) return 'theirs'
  return mergedValue(key, pairs)
}

function mergedValue(key: string, pairs: FieldPairs): 'ours' | 'theirs' | 'conflict' | PairNode {
  const { base, ours, theirs } = pairs
  const was = valueOf(key, base)
  const here = valueOf(key, ours)
  const there = valueOf(key, theirs)
  if (here === there || there === was) return 'ours'
  if (here === was) return 'theirs'
  if (key === 'created_at') return here < there ? 'ours' : 'theirs'
  if (key === 'updated_at') return here > there ? 'ours' : 'theirs'
  return LISTS.includes(key) ? mergedList(pairs) : 'conflict'
}

const LISTS = ['owned_scope', 'constraints', 'acceptance_criteria', 'non_goals', 'related_specs', 'depends_on']

function mergedList({ base, ours, theirs }: FieldPairs): PairNode | 'ours' | 'theirs' {
  if (!ours || !isSeq(ours.value)) return 'theirs'
  if (!theirs || !isSeq(theirs.value)) return 'ours'
  const was = itemsOf(base)
  const here = itemsOf(ours)
  const there = itemsOf(theirs)
  const keys = mergedKeys({ base: [...was.keys()], ours: [...here.keys()], theirs: [...there.keys()] })
  const list = ours.value.clone() as YAMLSeq
  list.items = keys.map(it => here.get(it) ?? there.get(it))
  return new Pair(ours.key, list)
}

function itemsOf(pair: PairNode | null): Map<string, unknown> {
  const items = isSeq(pair?.value) ? pair.value.items : []
  return new Map(items.map(it => [JSON.stringify(it), it]))
}

// A status that says only that somebody works means an open intent, as none does.
function valueOf(key: string, pair: PairNode | null): string {
  const value = JSON.stringify(pair?.value ?? null) ?? 'null'
  if (key !== 'status') return value === '[]' ? 'null' : value
  return value === '"IN_PROGRESS"' || value === 'null' ? '"PENDING"' : value
}

function printedPair(pair: PairNode | null): string {
  if (!pair) return ''
  return JSON.stringify([pair.value, comments(pair.key), comments(pair.value)])
}

function comments(node: unknown): unknown {
  const { commentBefore, comment, items } = Object(node) as Record<string, unknown>
  return [commentBefore, comment, Array.isArray(items) && isSeq(node) ? items.map(comments) : []]
}

function setPair(
  { contents: map }: Document,
  key: string,
  { pair, after }: { readonly pair: PairNode | null; readonly after: readonly string[] },
): void {
  if (!isMap(map)) return
  const at = map.items.findIndex(it => keyOf(it) === key)
  if (at !== -1) map.items.splice(at, 1, ...(pair ? [pair] : []))
  if (at !== -1 || !pair) return
  const before = after.slice(0, after.indexOf(key))
  map.items.splice(map.items.findLastIndex(it => before.includes(keyOf(it))) + 1, 0, pair)
}

function mapOf(body: string): YAMLMap | null {
  const { contents } = parseDocument(body)
  return isMap(contents) ? contents : null
}

function pairsAt(maps: ThreeWay<YAMLMap | null>, key: string): FieldPairs {
  return { base: pairAt(maps.base, key), ours: pairAt(maps.ours, key), theirs: pairAt(maps.theirs, key) }
}

function pairAt(map: YAMLMap | null, key: string): PairNode | null {
  return map?.items.find(it => keyOf(it) === key) ?? null
}

function keysOf(map: YAMLMap | null): string[] {
  return map?.items.map(keyOf) ?? []
}

function keyOf({ key }: PairNode): string {
  return String(isScalar(key) ? key.value : key)
}
