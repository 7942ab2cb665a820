import { haveTwoMeanings, type Intent } from './intent.ts'
import { mergeFields } from './merge-fields.ts'
import { mergedKeys, type ThreeWay } from './merge-keys.ts'
import { readRegistryFile } from './registry.ts'
import {
  bodyAt,
  type RegistryItem,
  type RegistrySegments,
  registrySegments,
  segmentsText,
} from './registry-segments.ts'

/** A merged file of a registry. What a person has to choose stands in it between conflict markers. */
export type RegistryMerge = { readonly text: string; readonly conflicts: readonly string[] }

/** How a file of a registry is merged. */
export type RegistryMergeOptions = {
  /** The file's path, which names the intent in a file of its own. */
  readonly path: string
  /** Git's own merge of the lines, if it has no conflict: it wins where it means the same. */
  readonly plain: string | null
  readonly markerSize: number
}

/**
 * Merges three versions of a file of the registry by its meaning: intents by id, and each intent field by field. Only a
 * field that both sides changed is a conflict. Null where a version can't be read: only its lines can be merged.
 */
export function mergeRegistryFile(
  { base, ours, theirs }: ThreeWay<string>,
  { path, plain, markerSize }: RegistryMergeOptions,
): RegistryMerge | null {
  if (ours === theirs || theirs === base) return { text: ours, conflicts: [] }
  if (ours === base) return { text: theirs, conflicts: [] }
  const versions = { base: versionOf(path, base), ours: versionOf(path, ours), theirs: versionOf(path, theirs) }
  const parts = mergedParts(versions, markerSize)
  if (parts === null) return null
  const conflicts = parts.flatMap(it => it.conflicts)
  const text = parts.map(it => it.text).join('')
  if (conflicts.length > 0) return { text: withLineEnds(text, ours), conflicts }
  const merged = intentsIn(path, text)
  if (merged === null) return null
  const isPlain = plain !== null && areSame(intentsIn(path, plain), merged)
  return { text: isPlain ? plain : withLineEnds(text, ours), conflicts }
}

type Version = { readonly segments: RegistrySegments; readonly intents: readonly Intent[] }

function versionOf(path: string, written: string): Version | null {
  const text = written.replaceAll('\r\n', '\n')
  const intents = text.trim() === '' ? [] : intentsIn(path, text)
  // Cutting a text that is not a valid registry could take minutes.
  const segments = intents && registrySegments(text)
  return segments && { segments, intents }
}

function intentsIn(path: string, text: string): readonly Intent[] | null {
  const { intents, problems } = readRegistryFile({ path, text })
  return problems.length === 0 ? intents : null
}

function areSame(one: readonly Intent[] | null, other: readonly Intent[]): boolean {
  const sorted = (intents: readonly Intent[]) => JSON.stringify(intents.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
  return one !== null && sorted(one) === sorted(other)
}

function withLineEnds(text: string, like: string): string {
  return like.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text
}

function mergedParts(
  { base, ours, theirs }: ThreeWay<Version | null>,
  markerSize: number,
): readonly RegistryMerge[] | null {
  if (!base || !ours || !theirs) return null
  const all = { base, ours, theirs }
  const part = (name: 'head' | 'tail') =>
    written(chosen(mapped(all, it => it.segments[name])) ?? undecided(all, name), markerSize)
  const items = itemIds(all).map(id => written(mergedItem(all, id), markerSize))
  const text = segmentsText(
    { head: part('head').text, items: [], tail: '' },
    items.map(it => it.text),
  )
  const conflicts = [...part('head').conflicts, ...items.flatMap(it => it.conflicts)]
  return [{ text, conflicts }, part('tail')]
}

/** A part as it is to be on each side; the same text twice, if nothing has to be chosen. */
type MergedPart = { readonly ours: string; readonly theirs: string; readonly why: string | null }

function undecided({ ours, theirs }: ThreeWay<Version>, name: 'head' | 'tail'): MergedPart {
  const why = `both sides changed the lines ${name === 'head' ? 'before the first' : 'after the last'} intent`
  return { ours: ours.segments[name], theirs: theirs.segments[name], why }
}

function chosen({ base, ours, theirs }: ThreeWay<string>): MergedPart | null {
  const decided = (text: string) => ({ ours: text, theirs: text, why: null })
  if (ours === theirs || theirs === base) return decided(ours)
  return ours === base ? decided(theirs) : null
}

// What a side removed is kept here while the other side has it changed.
function itemIds(versions: ThreeWay<Version>): string[] {
  const ids = mapped(versions, it => it.segments.items.map(({ id }) => id))
  const isOneSided = (id: string) => ids.ours.includes(id) !== ids.theirs.includes(id)
  return mergedKeys({ ...ids, base: ids.base.filter(it => !isOneSided(it) || mergedItem(versions, it).why === null) })
}

function mergedItem(versions: ThreeWay<Version>, id: string): MergedPart {
  const { base, ours, theirs } = mapped(versions, it => it.segments.items.find(item => item.id === id) ?? null)
  const text = mapped({ base, ours, theirs }, it => (it ? it.lead + it.text : ''))
  const decided = chosen(text)
  if (decided) return decided
  if (!ours || !theirs) return { ...text, why: `one side removed ${id}, the other changed it` }
  if (!base && isClash(versions, id)) return { ...text, why: clashWords(id) }
  return mergedVersions(id, { base, ours, theirs })
}

function clashWords(id: string): string {
  return `${id} has two meanings; abort, and give one of them another id: \`kotef intent renumber ${id} --commit\``
}

function isClash({ ours, theirs }: ThreeWay<Version>, id: string): boolean {
  const [one, other] = [ours, theirs].map(it => it.intents.find(intent => intent.id === id))
  return one !== undefined && other !== undefined && haveTwoMeanings(one, other)
}

function mergedVersions(
  id: string,
  { base, ours, theirs }: Pick<ThreeWay<RegistryItem>, 'ours' | 'theirs'> & { readonly base: RegistryItem | null },
): MergedPart {
  const fields = mergeFields({ base: base?.body ?? '', ours: ours.body, theirs: theirs.body })
  const lead = base?.lead === ours.lead ? theirs.lead : ours.lead
  const side = (body: string) => lead + bodyAt(ours, body)
  const why = fields.conflicts.length === 0 ? null : `both sides changed ${fields.conflicts.join(', ')} of ${id}`
  return { ours: side(fields.ours), theirs: side(fields.theirs), why }
}

// Both sides between markers, without the lines in which they agree at the begin and at the end.
function written({ ours, theirs, why }: MergedPart, markerSize: number): RegistryMerge {
  if (why === null) return { text: ours, conflicts: [] }
  const left = linesOf(ours)
  const right = linesOf(theirs)
  const most = Math.min(left.length, right.length)
  let head = 0
  let tail = 0
  while (head < most && left[head] === right[head]) head++
  while (tail < most - head && left.at(-1 - tail) === right.at(-1 - tail)) tail++
  const mark = (sign: string) => sign.repeat(markerSize)
  const text = [
    ...left.slice(0, head),
    `${mark('<')} ours: ${why}\n`,
    ...left.slice(head, left.length - tail),
    `${mark('=')}\n`,
    ...right.slice(head, right.length - tail),
    `${mark('>')} theirs\n`,
    ...left.slice(left.length - tail),
  ].join('')
  return { text, conflicts: [why] }
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function mapped<T, U>({ base, ours, theirs }: ThreeWay<T>, turn: (it: T) => U): ThreeWay<U> {
  return { base: turn(base), ours: turn(ours), theirs: turn(theirs) }
}
