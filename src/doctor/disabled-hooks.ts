import { join, resolve } from 'node:path'
import { jsonValueOf, parseJsonTree } from '../setup/agents/json-text.ts'
import { parseTomlTable } from '../setup/agents/toml-text.ts'
import type { Workspace } from '../worktree/workspace.ts'
import type { DoctorProblem, DoctorNote } from './doctor-problem.ts'

/** Which settings of an agent, in the repository or the user's own, switch off all hooks, or kotef's? */
export async function checkDisabledHooks(
  workspace: Workspace,
  agent: string,
  env: NodeJS.ProcessEnv,
): Promise<DoctorProblem[]> {
  const { files, isOff } = DISABLING_SETTINGS[agent] ?? { files: [], isOff: () => null }
  const found = await Promise.all(
    files.map(async it => {
      const path = agentSettingsPath(workspace, it, env)
      const setting = isOff(await readSettingsTable(workspace, path), workspace.root)
      if (setting === null) return []
      return [
        {
          message: `${setting} in ${path} switches off kotef's hooks`,
          hint: `Remove it: \`"\${EDITOR:-vi}" ${path}\``,
        },
      ]
    }),
  )
  return found.flat()
}

/** Does Codex run the hooks of this repository, as far as the user's own file shows? */
export async function codexTrustNote(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<DoctorNote> {
  const { root } = workspace
  const table = await readSettingsTable(workspace, agentSettingsPath(workspace, '~codex/config.toml', env))
  const isTrusted = tableAt(table, 'projects', root)['trust_level'] === 'trusted'
  const hint = 'Start `codex` here, and open `/hooks`'
  if (!isTrusted) return { message: `Codex does not trust ${root} yet, so it runs none of its hooks`, hint }
  if (codexHookStates(table, root).length === 0)
    return { message: `Codex does not trust the hooks in ${root}/.codex/hooks.json yet, so it skips them`, hint }
  return { message: `kotef can't see whether Codex trusts the current ${root}/.codex/hooks.json`, hint }
}

/** What Codex has stored of each hook that a person reviewed, keyed by the hook's file, event and index. */
function codexHookStates(table: SettingsTable, root: string): unknown[] {
  const states = Object.entries(tableAt(table, 'hooks', 'state'))
  return states.flatMap(([key, state]) => (key.startsWith(`${join(root, '.codex/hooks.json')}:`) ? [state] : []))
}

type SettingsTable = Readonly<Record<string, unknown>>
type DisablingSetting = {
  readonly files: readonly string[]
  readonly isOff: (table: SettingsTable, root: string) => string | null
}

const DISABLING_SETTINGS: Readonly<Record<string, DisablingSetting>> = {
  claude: {
    files: ['.claude/settings.json', '.claude/settings.local.json', '~claude/settings.json'],
    isOff: it => (it['disableAllHooks'] === true ? '`disableAllHooks`' : null),
  },
  codex: {
    files: ['.codex/config.toml', '~codex/config.toml'],
    isOff: (it, root) => {
      const key = ['hooks', 'codex_hooks'].find(name => tableAt(it, 'features')[name] === false)
      if (key !== undefined) return `\`features.${key}\``
      return codexHookStates(it, root).some(state => tableOrEmpty(state)['enabled'] === false) ? '`hooks.state`' : null
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

/** The absolute path of a settings file. `~<agent>/` is the folder of the user's own settings. */
function agentSettingsPath({ root }: Workspace, path: string, env: NodeJS.ProcessEnv): string {
  const [, agent = '', below = ''] = /^~(\w+)\/(.*)$/.exec(path) ?? []
  if (agent === '') return join(root, path)
  const named = { claude: env['CLAUDE_CONFIG_DIR'], codex: env['CODEX_HOME'] }[agent]
  return resolve(root, named ?? join(env['HOME'] ?? '/', `.${agent}`), below)
}

// An unreadable file counts as empty: the agent can't read a setting from it either.
async function readSettingsTable({ files }: Workspace, path: string): Promise<SettingsTable> {
  const text = (await files.read(path).catch(() => null))?.toString('utf8') ?? ''
  const tree = parseJsonTree(text)
  try {
    return tableOrEmpty(path.endsWith('.toml') ? parseTomlTable(text, path) : tree && jsonValueOf(tree))
  } catch {
    return {}
  }
}

function tableAt(table: SettingsTable, ...keys: readonly string[]): SettingsTable {
  return keys.reduce<SettingsTable>((at, key) => tableOrEmpty(at[key]), table)
}

function tableOrEmpty(value: unknown): SettingsTable {
  return typeof value === 'object' && value !== null ? (value as SettingsTable) : {}
}
