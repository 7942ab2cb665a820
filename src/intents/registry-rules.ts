import type { Problem } from '../findings/finding.ts'
import { type YamlPath, type YamlReading, excerptAt } from './read-yaml.ts'

type RawRegistry = Pick<YamlReading<unknown>, 'raw' | 'lineAt'>
type Mention = { readonly id: string; readonly path: YamlPath }
type IntentNode = Mention & { readonly dependsOn: readonly Mention[] }

/** The problems that a schema can't find: duplicate ids, unknown dependencies, circular dependencies. */
export function registryProblems(file: string, { raw, lineAt }: RawRegistry): Problem[] {
  const nodes = nodesOf(raw)
  const at = ({ path }: Mention, expected: string, found = excerptAt(raw, path)): Problem => {
    return { file, line: lineAt(path), expected, found }
  }
  return [
    ...repeatedIds(nodes).map(it => at(it, `an id of its own, because an earlier intent is ${it.id}`)),
    ...danglingReferences(nodes).map(it => at(it, 'the id of another intent in this file')),
    ...circularIntents(nodes).map(it =>
      at(it, 'an intent that does not wait for itself', `${it.id} in its own depends_on`),
    ),
  ]
}

function nodesOf(raw: unknown): IntentNode[] {
  return listAt(raw, 'active_intents').flatMap((it, n) => {
    const id: unknown = Object(it).id
    const path = ['active_intents', n]
    const dependsOn = listAt(it, 'depends_on').flatMap((to, k) => {
      return typeof to === 'string' ? [{ id: to, path: [...path, 'depends_on', k] }] : []
    })
    return typeof id === 'string' ? [{ id, path: [...path, 'id'], dependsOn }] : []
  })
}

function listAt(value: unknown, key: string): readonly unknown[] {
  const list: unknown = Object(value)[key]
  return Array.isArray(list) ? list : []
}

function repeatedIds(nodes: readonly IntentNode[]): IntentNode[] {
  const seen = new Set<string>()
  return nodes.filter(({ id }) => seen.size === seen.add(id).size)
}

function danglingReferences(nodes: readonly IntentNode[]): Mention[] {
  const known = new Set(nodes.map(it => it.id))
  return nodes.flatMap(it => it.dependsOn).filter(it => !known.has(it.id))
}

function circularIntents(nodes: readonly IntentNode[]): IntentNode[] {
  const next = new Map(nodes.map(({ id, dependsOn }) => [id, dependsOn.map(it => it.id)]))
  return nodes.filter(({ id }) => {
    const reached = new Set(next.get(id))
    // Iterating over a set that grows visits each intent once.
    for (const it of reached) for (const further of next.get(it) ?? []) reached.add(further)
    return reached.has(id)
  })
}
