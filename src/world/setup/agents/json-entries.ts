import { stripComments } from 'jsonc-parser'
import { KotefError } from '../../../core/base/failure.ts'
import {
  addJsonItem,
  isEmptyJson,
  jsonMember,
  type JsonNode,
  type JsonValue,
  jsonValueOf,
  parseJsonTree,
  removeJsonItem,
  replaceJsonValue,
} from './json-text.ts'

/** The entries of kotef in a JSON file. Everything else in the file belongs to other people. */
export type JsonEntries = {
  readonly path: string
  readonly agent: string
  /** The hook call of each event: one element of the list `hooks.<event>`. */
  readonly hooks?: Readonly<Record<string, JsonValue>>
  /** How the MCP server is started, and the key under which the agent keeps its servers. */
  readonly server?: { readonly under: string; readonly value: JsonValue }
  /** Members that the agent requires. A file that has one keeps its value. */
  readonly also?: Readonly<Record<string, JsonValue>>
  /** Members that the agent would add to a new file by itself. */
  readonly whenNew?: Readonly<Record<string, JsonValue>>
}

/** The text with all entries of kotef. Present entries stay where they are; an older hook call is replaced. */
export function addJsonEntries(text: string, file: JsonEntries): string {
  const { hooks = {}, server, also = {}, whenNew = {} } = file
  const isNew = isEmptyJson(text, rootObject(text, file))
  let out = removeHookCalls(text, file, Object.keys(hooks))
  for (const [key, value] of Object.entries(isNew ? { ...whenNew, ...also } : also))
    if (!jsonMember(rootObject(out, file), key)) out = addMember(out, file, { at: [], key, value })
  for (const [event, value] of Object.entries(hooks)) out = addHookCall(out, file, { event, value })
  return server ? addServer(out, file, server) : out
}

/** The text without the entries of kotef; null when nothing else is in it. */
export function removeJsonEntries(text: string, file: JsonEntries): string | null {
  const { server } = file
  const also = { ...file.whenNew, ...file.also }
  let out = removeHookCalls(text, file, [])
  const own = server && jsonMember(jsonMember(rootObject(out, file), server.under), 'kotef')
  if (own) out = pruneEmpty(removeJsonItem(out, own), file, [server.under])
  const others = Object.entries(jsonValueOf(rootObject(out, file)) as Record<string, JsonValue>).filter(
    ([key, value]) => also[key] === undefined || !isSameJson(value, also[key]),
  )
  return others.length === 0 && stripComments(out) === out ? null : out
}

/** The events at which a text has the current hook call of kotef, and whether it has the current server. */
export function findJsonEntries(
  text: string,
  file: JsonEntries,
): { readonly events: readonly string[]; readonly server: boolean } {
  const root = parseJsonTree(text)
  const hooks = jsonMember(root, 'hooks')
  const own = file.server && jsonMember(jsonMember(root, file.server.under), 'kotef')
  return {
    events: Object.entries(file.hooks ?? {}).flatMap(([event, value]) =>
      hasElement(jsonMember(hooks, event), value) ? [event] : [],
    ),
    server: own !== undefined && isSameJson(jsonValueOf(own), file.server?.value ?? null),
  }
}

function addHookCall(text: string, file: JsonEntries, { event, value }: { event: string; value: JsonValue }): string {
  const list = containerAtKeys(text, file, ['hooks', event])
  if (!list) return addMember(text, file, { at: ['hooks'], key: event, value: [value] })
  return hasElement(list, value) ? text : addJsonItem(text, list, { key: null, value })
}

function hasElement(list: JsonNode | undefined, value: JsonValue): boolean {
  return elementsOf(list).some(it => isSameJson(jsonValueOf(it), value))
}

function elementsOf(list: JsonNode | undefined): readonly JsonNode[] {
  return list?.type === 'array' ? (list.children ?? []) : []
}

function addServer(text: string, file: JsonEntries, { under, value }: { under: string; value: JsonValue }): string {
  const own = jsonMember(containerAtKeys(text, file, [under]), 'kotef')
  if (!own) return addMember(text, file, { at: [under], key: 'kotef', value })
  return isSameJson(jsonValueOf(own), value) ? text : replaceJsonValue(text, own, value)
}

type NewMember = { readonly at: readonly string[]; readonly key: string; readonly value: JsonValue }

// Makes the objects that are missing on the path to the member.
function addMember(text: string, file: JsonEntries, { at, key, value }: NewMember): string {
  const into = containerAtKeys(text, file, at)
  if (into) return addJsonItem(text, into, { key, value })
  return addMember(text, file, { at: at.slice(0, -1), key: at.at(-1) ?? '', value: { [key]: value } })
}

/** The container at a path; undefined when there is none. `hooks.<event>` has to be a list, all others objects. */
function containerAtKeys(text: string, file: JsonEntries, at: readonly string[]): JsonNode | undefined {
  let node: JsonNode | undefined = rootObject(text, file)
  for (const [index, key] of at.entries()) {
    node = jsonMember(node, key)
    if (!node) return undefined
    const [type, name] = index === 1 ? ['array', 'a list'] : ['object', 'an object']
    if (node.type !== type) throw agentFileError(file, `${at.slice(0, index + 1).join('.')} is not ${name}`)
  }
  return node
}

function rootObject(text: string, file: JsonEntries): JsonNode {
  const root = parseJsonTree(text)
  if (root?.type !== 'object') throw agentFileError(file, root ? 'it is not an object' : 'it is not JSON')
  return root
}

function agentFileError({ path }: JsonEntries, why: string): KotefError {
  return new KotefError('agent-config', `The agent can't read ${path}: ${why}.`)
}

/** Removes kotef's calls, but keeps one current call at each `wanted` event, and the lists of these events. */
function removeHookCalls(text: string, file: JsonEntries, wanted: readonly string[]): string {
  const hooks = jsonMember(rootObject(text, file), 'hooks')
  let out = text
  for (const event of Object.keys(hooks?.type === 'object' ? (jsonValueOf(hooks) as object) : {})) {
    const value = wanted.includes(event) ? file.hooks?.[event] : undefined
    const without = removeHookCallsAt(out, file, { event, value })
    out = without === out || wanted.includes(event) ? without : pruneEmpty(without, file, ['hooks', event])
  }
  return out
}

// Starts at the last element, so that the indexes of those before it stay valid.
function removeHookCallsAt(
  text: string,
  file: JsonEntries,
  { event, value }: { event: string; value: JsonValue | undefined },
): string {
  const elements = () => elementsOf(jsonMember(jsonMember(rootObject(out, file), 'hooks'), event))
  let out = text
  let isThere = false
  for (let index = elements().length - 1; index >= 0; index--) {
    const node = elements()[index]
    if (!node) continue
    const found = jsonValueOf(node)
    if (!isThere && value !== undefined && isSameJson(found, value)) isThere = true
    else if (isKotefCall(found, file.agent)) out = removeJsonItem(out, node)
    else out = removeInnerCall(out, node, file.agent)
  }
  return out
}

// A person may have put a call of kotef beside a call of their own.
function removeInnerCall(text: string, group: JsonNode, agent: string): string {
  const calls = elementsOf(jsonMember(group, 'hooks'))
  const own = calls.findLast(it => isKotefCall(jsonValueOf(it), agent))
  return own && calls.length > 1 ? removeJsonItem(text, own) : text
}

function isKotefCall(value: JsonValue, agent: string): boolean {
  if (typeof value !== 'object' || value === null) return false
  const inner = 'hooks' in value ? value['hooks'] : undefined
  if (Array.isArray(inner)) return inner.length > 0 && inner.every(it => isKotefCall(it as JsonValue, agent))
  return new RegExp(`kotef.*\\bagent-hook ${agent}(?![\\w-])`, 's').test(JSON.stringify(value))
}

/** Removes the container at a path if it is empty, and then those above it. A comment keeps its container. */
function pruneEmpty(text: string, file: JsonEntries, at: readonly string[]): string {
  const node = at.reduce<JsonNode | undefined>(jsonMember, rootObject(text, file))
  if (at.length === 0 || !node || !isEmptyJson(text, node)) return text
  return pruneEmpty(removeJsonItem(text, node), file, at.slice(0, -1))
}

function isSameJson(a: JsonValue, b: JsonValue): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
