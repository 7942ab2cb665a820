import { join, resolve } from 'node:path'
import { withoutComments } from '../setup/agents/part.ts'
import { tableOf } from '../setup/agents/toml-file.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Complaint, Note } from './complaint.ts'

/** Which settings of an agent, here or of the user, switch off every hook, or kotef's. */
export async function switchedOff(workspace: Workspace, agent: string, env: NodeJS.ProcessEnv): Promise<Complaint[]> {
  const { files, isOff } = SWITCHES[agent] ?? { files: [], isOff: () => null }
  const found = await Promise.all(
    files.map(async it => {
      const path = placeOf(workspace, it, env)
      const setting = isOff(await tableIn(workspace, path), workspace.root)
      if (setting === null) return []
      return [
        { what: `${setting} in ${path} switches off kotef's hooks`, fix: `Take it out: \`"\${EDITOR:-vi}" ${path}\`` },
      ]
    }),
  )
  return found.flat()
}

/** What the user's own file shows of whether Codex runs the hooks of this repository. */
export async function codexTrust(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<Note> {
  const { root } = workspace
  const table = await tableIn(workspace, placeOf(workspace, '~codex/config.toml', env))
  const isTrusted = tableAt(table, 'projects', root)['trust_level'] === 'trusted'
  const fix = 'Start `codex` here, and look at `/hooks`'
  if (!isTrusted) return { what: `Codex has not been told to trust ${root}, and runs none of its hooks`, fix }
  if (seenHooks(table, root).length === 0)
    return { what: `Codex has not been told to trust the hooks in ${root}/.codex/hooks.json: it skips them`, fix }
  return { what: `whether Codex trusts ${root}/.codex/hooks.json as it is now can't be seen from here`, fix }
}

/** What Codex keeps of each hook of a repository that a person has seen: by its file, its event and its place there. */
function seenHooks(table: Table, root: string): unknown[] {
  const states = Object.entries(tableAt(table, 'hooks', 'state'))
  return states.flatMap(([key, state]) => (key.startsWith(`${join(root, '.codex/hooks.json')}:`) ? [state] : []))
}

type Table = Readonly<Record<string, unknown>>
type Switch = { readonly files: readonly string[]; readonly isOff: (table: Table, root: string) => string | null }

const SWITCHES: Readonly<Record<string, Switch>> = {
  claude: {
    files: ['.claude/settings.json', '.claude/settings.local.json', '~claude/settings.json'],
    isOff: it => (it['disableAllHooks'] === true ? '`disableAllHooks`' : null),
  },
  codex: {
    files: ['.codex/config.toml', '~codex/config.toml'],
    isOff: (it, root) => {
      const key = ['hooks', 'codex_hooks'].find(name => tableAt(it, 'features')[name] === false)
      if (key !== undefined) return `\`features.${key}\``
      return seenHooks(it, root).some(state => tableOr(state)['enabled'] === false) ? '`hooks.state`' : null
    },
  },
  gemini: {
    files: ['.gemini/settings.json', '~gemini/settings.json'],
    isOff: it => {
      const { enabled, disabled } = tableAt(it, 'hooksConfig')
      if (enabled === false) return '`hooksConfig.enabled`'
      return Array.isArray(disabled) && disabled.some(name => String(name).includes('kotef'))
        ? '`hooksConfig.disabled`'
        : null
    },
  },
  copilot: {
    files: ['.github/hooks/kotef.json', '.github/copilot/settings.json', '.github/copilot/settings.local.json'],
    isOff: it => (it['disableAllHooks'] === true ? '`disableAllHooks`' : null),
  },
}

/** Where each agent keeps what is the user's own. */
function placeOf({ root }: Workspace, path: string, env: NodeJS.ProcessEnv): string {
  const [, agent = '', below = ''] = /^~(\w+)\/(.*)$/.exec(path) ?? []
  if (agent === '') return join(root, path)
  const named = { claude: env['CLAUDE_CONFIG_DIR'], codex: env['CODEX_HOME'] }[agent]
  return resolve(root, named ?? join(env['HOME'] ?? '/', `.${agent}`), below)
}

// What can't be read switches nothing off.
async function tableIn({ files }: Workspace, path: string): Promise<Table> {
  const text = (await files.read(path).catch(() => null))?.toString('utf8') ?? ''
  try {
    return tableOr(path.endsWith('.toml') ? tableOf(text, path) : JSON.parse(withoutComments(text)))
  } catch {
    return {}
  }
}

function tableAt(table: Table, ...way: readonly string[]): Table {
  return way.reduce<Table>((at, key) => tableOr(at[key]), table)
}

function tableOr(value: unknown): Table {
  return typeof value === 'object' && value !== null ? (value as Table) : {}
}
