import { join } from 'node:path'
import { addRequest } from '../../world/approvals/requests.ts'
import { KotefError } from '../../core/base/failure.ts'
import { startIntent } from '../../world/lifecycle/start-intent.ts'
import { approveCommand } from '../../core/intents/request.ts'
import { intentFilesIn, REGISTRY_PATH } from '../../core/base/governance-files.ts'
import { printable } from '../../core/base/printable.ts'
import { layoutOf } from '../../world/io/worktree/layout.ts'
import type { Workspace } from '../../world/io/worktree/workspace.ts'
import { uriOfPath } from './file-uri.ts'
import { currentSession } from './governed-state.ts'
import type { Client, ClientWishes, LspHost } from './host.ts'
import { LSP_COMMANDS, type LspCommand } from './scope-actions.ts'
import type { ServedFile } from './worktrees.ts'

/** A command with its arguments, of which the intent is untrusted text. */
export type CommandCall = { readonly command: LspCommand; readonly file: ServedFile; readonly intent: string }

/** What a command needs besides its arguments. */
export type CommandContext = {
  readonly host: LspHost
  readonly client: Client
  readonly wishes: Pick<ClientWishes, 'showsDocuments'>
}

/** True for the name of a command of this server. */
export function isLspCommand(name: unknown): name is LspCommand {
  return LSP_COMMANDS.some(it => it === name)
}

/** Runs a command of a code action by its use-case; the text that the editor shows, or null. */
export async function runLspCommand(call: CommandCall, context: CommandContext): Promise<string | null> {
  const { command, file, intent } = call
  if (command === 'kotef.requestScope') return requestScope(file, intent)
  if (command === 'kotef.switchIntent') return switchIntent(file, intent, context)
  return openIntent(file.worktree.workspace, intent, context)
}

async function requestScope({ worktree, path }: ServedFile, intent: string): Promise<string> {
  const session = worktree.state().sessions.find(it => it.intent === intent)
  if (!session) throw new KotefError('unknown-session', `No session on ${printable(intent)} is live in this worktree.`)
  const agent = session.agent ?? 'a person'
  const draft = { session: session.id, agent, intent, kind: 'scope' as const, wants: [path], reason: REASON }
  const { id } = await addRequest(worktree.workspace, draft)
  return `The request waits for a person. To answer it: ${approveCommand(id)}`
}

const REASON = 'The file is being edited.'

async function switchIntent({ worktree }: ServedFile, intent: string, { host }: CommandContext): Promise<string> {
  await host.requirePerson(worktree.workspace, 'start an intent')
  const before = currentSession(worktree.state()).intent
  const started = await startIntent(worktree.workspace, { intent, agent: null, model: null })
  await worktree.reload()
  const ended = before === null || before.id === intent ? '' : ` The status of ${before.id} did not change.`
  return `You started ${started.intent.id}: ${printable(started.intent.name)}.${ended}`
}

async function openIntent(
  workspace: Workspace,
  intent: string,
  { client, wishes }: CommandContext,
): Promise<string | null> {
  const { path, line } = await placeOfIntent(workspace, intent)
  const at = { line, character: 0 }
  if (!wishes.showsDocuments) return `${intent} is in ${path}, line ${line + 1}.`
  const uri = uriOfPath(join(workspace.root, path))
  await client.connection.window.showDocument({ uri, takeFocus: true, selection: { start: at, end: at } })
  return null
}

/** The registry's file that has an intent, and the line (0-based) of its id. */
async function placeOfIntent(workspace: Workspace, intent: string): Promise<{ path: string; line: number }> {
  const own = intentFilesIn(await workspace.files.list(layoutOf(workspace).intents))
  for (const path of [...own, REGISTRY_PATH]) {
    const text = (await workspace.files.read(join(workspace.root, path)))?.toString('utf8') ?? ''
    const line = text.split('\n').findIndex(it => ID_IN_LINE.exec(it)?.[1] === intent)
    if (line !== -1) return { path, line }
  }
  throw new KotefError('unknown-intent', `There is no intent ${printable(intent)}.`)
}

const ID_IN_LINE = /(?:^|[\s{,-])id: *["']?([\w-]+)/
