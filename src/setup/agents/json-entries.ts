import { KotefError } from '../../findings/failure.ts'
import {
  type JsonItem,
  type JsonValue,
  jsonMember,
  type JsonNode,
  parseJsonNode,
  jsonValueOf,
  addJsonItem,
  removeJsonItem,
  replaceJsonValue,
} from './json-text.ts'

/** What kotef has in a file of JSON: the rest of it is somebody else's. */
export type JsonEntries = {
  readonly path: string
  readonly agent: string
  /** What is called at each event: one element of the list `hooks.<event>`. */
  readonly hooks?: Readonly<Record<string, JsonValue>>
  /** How the MCP server is started, and the key that servers stand under. */
  readonly server?: { readonly under: string; readonly value: JsonValue }
  /** What the file must say besides, unless it does. */
  readonly also?: Readonly<Record<string, JsonValue>>
}

/** The text with all that kotef needs in it. What is there already stays in place; an older call is replaced. */
export function addJsonEntries(text: string, file: JsonEntries): string {
  const { hooks = {}, server, also = {} } = file
  let out = removeHookCalls(text, file, Object.keys(hooks))
  for (const [key, value] of Object.entries(also))
    if (!jsonMember(rootObject(out, file), key)) out = addMember(out, file, { at: [], key, value })
  for (const [event, value] of Object.entries(hooks)) out = addHookCall(out, file, { event, value })
  return server ? addServer(out, file, server) : out
}

/** The text without what kotef has in it; null when nothing is left that would be missed. */
export function removeJsonEntries(text: string, file: JsonEntries): string | null {
  const { server, also = {} } = file
  let out = removeHookCalls(text, file, [])
  const servers = server && jsonMember(rootObject(out, file), server.under)
  const own = jsonMember(servers?.node, 'kotef')
  if (servers && own) out = pruneEmpty(removeJsonItem(out, servers.node, own), file, [server.under])
  const left = rootObject(out, file).items.filter(it => !isRequiredMember(out, it, also))
  return left.length === 0 ? null : out
}

/** The events at which a text calls kotef as it is wanted, and whether it names the server so. */
export function findJsonEntries(
  text: string,
  file: JsonEntries,
): { readonly events: readonly string[]; readonly server: boolean } {
  const root = parseJsonNode(text)
  const hooks = jsonMember(root, 'hooks')?.node
  const isThere = (event: string, value: JsonValue) =>
    jsonMember(hooks, event)?.node.items.some(it => isSameJson(jsonValueOf(text, it.node), value)) ?? false
  const own = file.server && jsonMember(jsonMember(root, file.server.under)?.node, 'kotef')
  return {
    events: Object.entries(file.hooks ?? {}).flatMap(([event, value]) => (isThere(event, value) ? [event] : [])),
    server: own !== undefined && isSameJson(jsonValueOf(text, own.node), file.server?.value ?? null),
  }
}

function addHookCall(text: string, file: JsonEntries, { event, value }: { event: string; value: JsonValue }): string {
  const list = containerAtKeys(text, file, ['hooks', event])
  if (list?.items.some(it => isSameJson(jsonValueOf(text, it.node), value))) return text
  if (list) return addJsonItem(text, list, { key: null, value })
  return addMember(text, file, { at: ['hooks'], key: event, value: [value] })
}

function addServer(text: string, file: JsonEntries, { under, value }: { under: string; value: JsonValue }): string {
  const own = jsonMember(containerAtKeys(text, file, [under]), 'kotef')
  if (!own) return addMember(text, file, { at: [under], key: 'kotef', value })
  return isSameJson(jsonValueOf(text, own.node), value) ? text : replaceJsonValue(text, own.node, value)
}

type JsonMember = { readonly at: readonly string[]; readonly key: string; readonly value: JsonValue }

// Objects on the way that are missing come with it.
function addMember(text: string, file: JsonEntries, { at, key, value }: JsonMember): string {
  const into = containerAtKeys(text, file, at)
  if (into) return addJsonItem(text, into, { key, value })
  return addMember(text, file, { at: at.slice(0, -1), key: at.at(-1) ?? '', value: { [key]: value } })
}

/** What stands in a place; null when nothing does. The last part of `hooks.<event>` is a list, all else are objects. */
function containerAtKeys(text: string, file: JsonEntries, at: readonly string[]): JsonNode | null {
  let node: JsonNode | undefined = rootObject(text, file)
  for (const [index, key] of at.entries()) {
    node = jsonMember(node, key)?.node
    const kind = index === 1 ? 'list' : 'object'
    if (!node) return null
    if (node.kind !== kind) throw agentFileError(file, `${at.slice(0, index + 1).join('.')} is no ${kind}`)
  }
  return node
}

function rootObject(text: string, file: JsonEntries): JsonNode {
  const root = parseJsonNode(text)
  if (root?.kind !== 'object') throw agentFileError(file, root ? 'it is no object' : 'it is no JSON')
  return root
}

function agentFileError({ path }: JsonEntries, why: string): KotefError {
  return new KotefError('agent-config', `${path} is not as an agent reads it: ${why}.`)
}

/** Takes out the calls of kotef, but for one as it is wanted at each event. Lists of `wanted` events stay if empty. */
function removeHookCalls(text: string, file: JsonEntries, wanted: readonly string[]): string {
  const hooks = jsonMember(rootObject(text, file), 'hooks')?.node
  let out = text
  for (const event of hooks?.items.map(it => it.key ?? '') ?? []) {
    const value = wanted.includes(event) ? file.hooks?.[event] : undefined
    const without = removeHookCallsAt(out, file, { event, value })
    out = without === out || wanted.includes(event) ? without : pruneEmpty(without, file, ['hooks', event])
  }
  return out
}

// From the last one on, so that those before keep their places.
function removeHookCallsAt(
  text: string,
  file: JsonEntries,
  { event, value }: { event: string; value: JsonValue | undefined },
): string {
  const list = () => jsonMember(jsonMember(rootObject(out, file), 'hooks')?.node, event)?.node
  let out = text
  let isThere = false
  for (let index = (list()?.items.length ?? 0) - 1; index >= 0; index--) {
    const node = list()
    const item = node?.items[index]
    if (!node || !item) continue
    const found = jsonValueOf(out, item.node)
    if (!isThere && value !== undefined && isSameJson(found, value)) isThere = true
    else if (isKotefCall(found, file.agent)) out = removeJsonItem(out, node, item)
    else out = removeInnerCall(out, item.node, file.agent)
  }
  return out
}

// A person may have put a call of kotef's beside one of their own.
function removeInnerCall(text: string, group: JsonNode, agent: string): string {
  const inner = jsonMember(group, 'hooks')?.node
  const own = inner?.items.findLast(it => isKotefCall(jsonValueOf(text, it.node), agent))
  return inner && own && inner.items.length > 1 ? removeJsonItem(text, inner, own) : text
}

function isKotefCall(value: JsonValue, agent: string): boolean {
  if (typeof value !== 'object' || value === null) return false
  const inner = 'hooks' in value ? value['hooks'] : undefined
  if (Array.isArray(inner)) return inner.length > 0 && inner.every(it => isKotefCall(it as JsonValue, agent))
  return new RegExp(`kotef.*\\bagent-hook ${agent}(?![\\w-])`, 's').test(JSON.stringify(value))
}

/** Takes away what is empty, from the end of a way on. */
function pruneEmpty(text: string, file: JsonEntries, at: readonly string[]): string {
  if (at.length === 0) return text
  let above: JsonNode | undefined = rootObject(text, file)
  for (const key of at.slice(0, -1)) above = jsonMember(above, key)?.node
  const item = jsonMember(above, at.at(-1) ?? '')
  if (!above || !item || item.node.items.length > 0 || item.node.kind === 'scalar') return text
  return pruneEmpty(removeJsonItem(text, above, item), file, at.slice(0, -1))
}

function isRequiredMember(text: string, { key, node }: JsonItem, also: Readonly<Record<string, JsonValue>>): boolean {
  const required = key === null ? undefined : also[key]
  return required !== undefined && isSameJson(jsonValueOf(text, node), required)
}

function isSameJson(a: JsonValue, b: JsonValue): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
