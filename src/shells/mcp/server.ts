import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  type Resource,
  ResourceNotFoundError,
  Server,
} from '@modelcontextprotocol/server'
import { serveStdio, type ServeStdioOptions } from '@modelcontextprotocol/server/stdio'
import { mapOfHead } from '../../world/code/code-map/code-index.ts'
import { mapLines } from '../../core/report/map-lines.ts'
import { SESSIONS_FOLDER } from '../../core/handover/port.ts'
import { MANDATE } from '../../core/agents/context/context-text.ts'
import { VERSION } from '../../world/io/files/package.ts'
import { loadPromptSection } from '../../world/provenance/intent-context.ts'
import { answerToolCall } from './answer-call.ts'
import { type Host, selectedSession } from './host.ts'
import { personAt } from './person.ts'
import { refusalOf } from '../../core/agents/gate/denial.ts'
import { toolsFor } from './tools.ts'
import type { Workspace } from '../../world/io/worktree/workspace.ts'
import { escapeInvisible } from '../../core/base/printable.ts'
import { asOneList } from '../../core/intents/edit-yaml.ts'
import { loadRegistry } from '../../world/intents/policy/load-policy.ts'

/**
 * Serves the Model Context Protocol in its versions with and without an initialize call, on stdin and stdout or the
 * streams in `options`.
 */
export function serveMcp(host: Host, options: ServeStdioOptions = {}): void {
  // A client's probe gets its own server; all lasting state is in `host` and on disk.
  serveStdio(() => mcpServer(host), options)
}

function mcpServer(host: Host): Server {
  const capabilities = { tools: { listChanged: true }, resources: {}, prompts: {} }
  const server = new Server({ name: 'kotef', version: VERSION }, { capabilities, instructions: MANDATE })
  const { take } = host.turns
  server.setRequestHandler('tools/list', () =>
    take(async () => {
      const opened = host.open()
      return { tools: toolsFor({ isSelected: await isSelected(host, opened), hasSessions: await hasSessions(opened) }) }
    }),
  )
  server.setRequestHandler('tools/call', ({ params: { name, arguments: args = {} } }, context) =>
    take(async () => {
      context.mcpReq.signal.throwIfAborted()
      const opened = host.open()
      const before = await isSelected(host, opened)
      const client = clientOf(server, context.mcpReq.envelope)
      const person = personAt(server, context, host.turns)
      const answer = await answerToolCall(host, { name, args, client, person, opened })
      if (before !== (await isSelected(host, opened))) await server.sendToolListChanged()
      return answer
    }),
  )
  server.setRequestHandler('resources/list', () => ({ resources }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const text = await take(() => orProtocolError(() => resourceText(host, uri)))
    return { contents: [{ uri, mimeType: 'text/plain', text }] }
  })
  server.setRequestHandler('prompts/list', () => ({ prompts: [GOVERNANCE_PROMPT] }))
  server.setRequestHandler('prompts/get', async ({ params: { name } }) => {
    if (name !== GOVERNANCE_PROMPT.name)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${name}.`)
    const text = await take(() => orProtocolError(() => governanceText(host)))
    return { messages: [{ role: 'user', content: { type: 'text', text } }] }
  })
  return server
}

const GOVERNANCE_PROMPT = {
  name: 'governance',
  description: 'The governance of this session: the context of its intent, or how to select one.',
}

async function governanceText(host: Host): Promise<string> {
  const workspace = await host.open()
  return loadPromptSection(workspace, await selectedSession(host.identity, workspace))
}

// When the selection can't be read, only the tools that lead to one are listed.
async function isSelected(host: Host, opened: Promise<Workspace>): Promise<boolean> {
  const selected = async () => (await selectedSession(host.identity, await opened)) !== null
  return selected().catch(() => false)
}

function hasSessions(opened: Promise<Workspace>): Promise<boolean> {
  return opened.then(
    it => existsSync(join(it.root, SESSIONS_FOLDER)),
    () => false,
  )
}

// Resources and prompts have no form for a refusal, so a failure is a protocol error.
async function orProtocolError(read: () => Promise<string>): Promise<string> {
  return read().catch((thrown: unknown) => {
    if (thrown instanceof ProtocolError) throw thrown
    const { message, action_hint } = refusalOf(thrown)
    throw new ProtocolError(ProtocolErrorCode.InternalError, `${message} ${action_hint}`)
  })
}

/** The client's name: in each request of the later protocol, in the initialize call of the earlier one. */
function clientOf(server: Server, envelope: object | undefined): string | null {
  const info: unknown = Object(envelope)[CLIENT_INFO_META_KEY]
  const name: unknown = Object(info ?? server.getClientVersion()).name
  return typeof name === 'string' ? name : null
}

const REGISTRY_URI = 'kotef://registry'
const GOVERNANCE_URI = 'kotef://governance'
const MAP_URI = 'kotef://map'

/** The resources that a client can read. */
const resources: Resource[] = [
  {
    uri: REGISTRY_URI,
    name: 'registry',
    description: 'The intents of this repository, as YAML.',
    mimeType: 'text/plain',
  },
  {
    uri: GOVERNANCE_URI,
    name: 'governance',
    description: 'The context of the selected intent; before the selection, how to select one.',
    mimeType: 'text/plain',
  },
  {
    uri: MAP_URI,
    name: 'map',
    description: 'The files and declarations of each intent at the last commit, with the commits that made them.',
    mimeType: 'text/plain',
  },
]

/** The text of a resource; throws for an unknown one. */
async function resourceText(host: Host, uri: string): Promise<string> {
  if (resources.every(it => it.uri !== uri)) throw new ResourceNotFoundError(uri)
  const workspace = await host.open()
  if (uri === MAP_URI) return escapeInvisible(mapLines(await mapOfHead(workspace)).join('\n'))
  if (uri === REGISTRY_URI) return escapeInvisible(asOneList((await loadRegistry(workspace)).text))
  return loadPromptSection(workspace, await selectedSession(host.identity, workspace))
}
