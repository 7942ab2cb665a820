import type { MapEntry } from '../code/map/map-entry.ts'
import type { IntentMap } from '../code/map/map-text.ts'
import type { FoundPlace } from '../code/map/where.ts'
import { groupBy } from '../base/grouping.ts'
import { printable } from '../base/printable.ts'

/** The map as lines for a person: each intent with its files, and below them their declarations. */
export function mapLines({ entries, names }: IntentMap): string[] {
  const sections = [...groupBy(entries, it => it.intent)]
  return sections.flatMap(([intent, own], n) => [
    ...(n === 0 ? [] : ['']),
    names.has(intent) ? `${intent}  ${printable(names.get(intent)!)}` : intent,
    ...[...groupBy(own, it => it.path)].flatMap(([path, of]) => [
      `  ${printable(path)}`,
      ...of.flatMap(declarationLine),
    ]),
  ])
}

function declarationLine({ kind, name, commits }: MapEntry): string[] {
  return name === '' ? [] : [`    ${kind.padEnd(8)}  ${printable(name)}  ${commits.join(' ')}`]
}

/** The map as programs read it. */
export function mapJson({ entries, names }: IntentMap) {
  return {
    intents: [...groupBy(entries, it => it.intent)].map(([id, own]) => ({
      id,
      name: names.get(id) ?? null,
      files: [...groupBy(own, it => it.path)].map(([path, of]) => ({
        path,
        declarations: of
          .filter(it => it.name !== '')
          .map(({ kind, name, hash, commits }) => ({ kind, name, hash, commits })),
        ...of.filter(it => it.name === '').map(({ hash, commits }) => ({ hash, commits }))[0],
      })),
    })),
  }
}

/** Found places as lines: where each is, the intents that it belongs to, and the words that led to it. */
export function placeLines(places: readonly FoundPlace[]): string[] {
  return places.map(it => {
    const intents = it.kind === 'intent' || it.intents.length === 0 ? '' : `  [${it.intents.join(' ')}]`
    const why = it.reasons.map(({ word, field, found, how }) => {
      return `${how === 'exact' ? word : `${word} ${how === 'prefix' ? 'begins' : 'in'} ${found}`} (${field})`
    })
    return `${placeText(it)}${intents}  ${why.join(', ')}`
  })
}

function placeText({ kind, name, path, line, intents }: FoundPlace): string {
  if (kind === 'intent') return `${intents[0] ?? ''}  intent  ${printable(name)}`
  if (kind === 'lesson') return `lesson  ${printable(name)}`
  const at = printable(path ?? '')
  return kind === 'file' ? at : `${at}:${line}  ${kind}  ${printable(name)}`
}
