import { KotefError } from '../../report/failure.ts'
import {
  type Item,
  type Json,
  memberOf,
  type Node,
  nodeOf,
  valueOf,
  withItem,
  withoutItem,
  withValue,
} from './json-text.ts'

/** What kotef has in a file of JSON: the rest of it is somebody else's. */
export type JsonFile = {
  readonly path: string
  readonly agent: string
  /** What is called at each event: one element of the list `hooks.<event>`. */
  readonly hooks?: Readonly<Record<string, Json>>
  /** How the MCP server is started, and the key that servers stand under. */
  readonly server?: { readonly under: string; readonly value: Json }
  /** What the file must say besides, unless it does. */
  readonly also?: Readonly<Record<string, Json>>
}

/** The text with all that kotef needs in it. What is there already stays in place; an older call is replaced. */
export function withOurs(text: string, file: JsonFile): string {
  const { hooks = {}, server, also = {} } = file
  let out = withoutCalls(text, file, Object.keys(hooks))
  for (const [key, value] of Object.entries(also))
    if (!memberOf(rootOf(out, file), key)) out = withMember(out, file, { at: [], key, value })
  for (const [event, value] of Object.entries(hooks)) out = withCall(out, file, { event, value })
  return server ? withServer(out, file, server) : out
}

/** The text without what kotef has in it; null when nothing is left that would be missed. */
export function withoutOurs(text: string, file: JsonFile): string | null {
  const { server, also = {} } = file
  let out = withoutCalls(text, file, [])
  const servers = server && memberOf(rootOf(out, file), server.under)
  const own = memberOf(servers?.node, 'kotef')
  if (servers && own) out = pruned(withoutItem(out, servers.node, own), file, [server.under])
  const left = rootOf(out, file).items.filter(it => !isSaid(out, it, also))
  return left.length === 0 ? null : out
}

/** The events at which a text calls kotef as it is wanted, and whether it names the server so. */
export function foundIn(
  text: string,
  file: JsonFile,
): { readonly events: readonly string[]; readonly server: boolean } {
  const root = nodeOf(text)
  const hooks = memberOf(root, 'hooks')?.node
  const isThere = (event: string, value: Json) =>
    memberOf(hooks, event)?.node.items.some(it => isSame(valueOf(text, it.node), value)) ?? false
  const own = file.server && memberOf(memberOf(root, file.server.under)?.node, 'kotef')
  return {
    events: Object.entries(file.hooks ?? {}).flatMap(([event, value]) => (isThere(event, value) ? [event] : [])),
    server: own !== undefined && isSame(valueOf(text, own.node), file.server?.value ?? null),
  }
}

function withCall(text: string, file: JsonFile, { event, value }: { event: string; value: Json }): string {
  const list = placeOf(text, file, ['hooks', event])
  if (list?.items.some(it => isSame(valueOf(text, it.node), value))) return text
  if (list) return withItem(text, list, { key: null, value })
  return withMember(text, file, { at: ['hooks'], key: event, value: [value] })
}

function withServer(text: string, file: JsonFile, { under, value }: { under: string; value: Json }): string {
  const own = memberOf(placeOf(text, file, [under]), 'kotef')
  if (!own) return withMember(text, file, { at: [under], key: 'kotef', value })
  return isSame(valueOf(text, own.node), value) ? text : withValue(text, own.node, value)
}

type Member = { readonly at: readonly string[]; readonly key: string; readonly value: Json }

// Objects on the way that are missing come with it.
function withMember(text: string, file: JsonFile, { at, key, value }: Member): string {
  const into = placeOf(text, file, at)
  if (into) return withItem(text, into, { key, value })
  return withMember(text, file, { at: at.slice(0, -1), key: at.at(-1) ?? '', value: { [key]: value } })
}

/** What stands in a place; null when nothing does. The last part of `hooks.<event>` is a list, all else are objects. */
function placeOf(text: string, file: JsonFile, at: readonly string[]): Node | null {
  let node: Node | undefined = rootOf(text, file)
  for (const [index, key] of at.entries()) {
    node = memberOf(node, key)?.node
    const kind = index === 1 ? 'list' : 'object'
    if (!node) return null
    if (node.kind !== kind) throw damaged(file, `${at.slice(0, index + 1).join('.')} is no ${kind}`)
  }
  return node
}

function rootOf(text: string, file: JsonFile): Node {
  const root = nodeOf(text)
  if (root?.kind !== 'object') throw damaged(file, root ? 'it is no object' : 'it is no JSON')
  return root
}

function damaged({ path }: JsonFile, why: string): KotefError {
  return new KotefError('agent-config', `${path} is not as an agent reads it: ${why}.`)
}

/** Takes out the calls of kotef, but for one as it is wanted at each event. Lists of `wanted` events stay if empty. */
function withoutCalls(text: string, file: JsonFile, wanted: readonly string[]): string {
  const hooks = memberOf(rootOf(text, file), 'hooks')?.node
  let out = text
  for (const event of hooks?.items.map(it => it.key ?? '') ?? []) {
    const value = wanted.includes(event) ? file.hooks?.[event] : undefined
    const without = withoutCallsAt(out, file, { event, value })
    out = without === out || wanted.includes(event) ? without : pruned(without, file, ['hooks', event])
  }
  return out
}

// From the last one on, so that those before keep their places.
function withoutCallsAt(
  text: string,
  file: JsonFile,
  { event, value }: { event: string; value: Json | undefined },
): string {
  const list = () => memberOf(memberOf(rootOf(out, file), 'hooks')?.node, event)?.node
  let out = text
  let isThere = false
  for (let index = (list()?.items.length ?? 0) - 1; index >= 0; index--) {
    const node = list()
    const item = node?.items[index]
    if (!node || !item) continue
    const found = valueOf(out, item.node)
    if (!isThere && value !== undefined && isSame(found, value)) isThere = true
    else if (isCall(found, file.agent)) out = withoutItem(out, node, item)
    else out = withoutInner(out, item.node, file.agent)
  }
  return out
}

// A person may have put a call of kotef's beside one of their own.
function withoutInner(text: string, group: Node, agent: string): string {
  const inner = memberOf(group, 'hooks')?.node
  const own = inner?.items.findLast(it => isCall(valueOf(text, it.node), agent))
  return inner && own && inner.items.length > 1 ? withoutItem(text, inner, own) : text
}

function isCall(value: Json, agent: string): boolean {
  if (typeof value !== 'object' || value === null) return false
  const inner = 'hooks' in value ? value['hooks'] : undefined
  if (Array.isArray(inner)) return inner.length > 0 && inner.every(it => isCall(it as Json, agent))
  return new RegExp(`kotef.*\\bagent-hook ${agent}(?![\\w-])`, 's').test(JSON.stringify(value))
}

/** Takes away what is empty, from the end of a way on. */
function pruned(text: string, file: JsonFile, at: readonly string[]): string {
  if (at.length === 0) return text
  let above: Node | undefined = rootOf(text, file)
  for (const key of at.slice(0, -1)) above = memberOf(above, key)?.node
  const item = memberOf(above, at.at(-1) ?? '')
  if (!above || !item || item.node.items.length > 0 || item.node.kind === 'scalar') return text
  return pruned(withoutItem(text, above, item), file, at.slice(0, -1))
}

function isSaid(text: string, { key, node }: Item, also: Readonly<Record<string, Json>>): boolean {
  const said = key === null ? undefined : also[key]
  return said !== undefined && isSame(valueOf(text, node), said)
}

function isSame(a: Json, b: Json): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
