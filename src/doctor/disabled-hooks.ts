import { join, resolve } from 'node:path'
import { jsonValueOf, parseJsonTree } from '../setup/agents/json-text.ts'
import { parseTomlTable } from '../setup/agents/toml-text.ts'
import type { Workspace } from '../worktree/workspace.ts'
import type { DoctorProblem, DoctorNote } from './doctor-problem.ts'

/** Which settings of an agent, here or of the user, switch off every hook, or kotef's. */
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
        { what: `${setting} in ${path} switches off kotef's hooks`, fix: `Take it out: \`"\${EDITOR:-vi}" ${path}\`` },
      ]
    }),
  )
  return found.flat()
}

/** What the user's own file shows of whether Codex runs the hooks of this repository. */
export async function codexTrustNote(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<DoctorNote> {
  const { root } = workspace
  const table = await readSettingsTable(workspace, agentSettingsPath(workspace, '~codex/config.toml', env))
  const isTrusted = tableAt(table, 'projects', root)['trust_level'] === 'trusted'
  const fix = 'Start `codex` here, and look at `/hooks`'
  if (!isTrusted) return { what: `Codex has not been told to trust ${root}, and runs none of its hooks`, fix }
  if (codexHookStates(table, root).length === 0)
    return { what: `Codex has not been told to trust the hooks in ${root}/.codex/hooks.json: it skips them`, fix }
  return { what: `whether Codex trusts ${root}/.codex/hooks.json as it is now can't be seen from here`, fix }
}

/** What Codex keeps of each hook of a repository that a person has seen: by its file, its event and its place there. */
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

/** Where each agent keeps what is the user's own. */
function agentSettingsPath({ root }: Workspace, path: string, env: NodeJS.ProcessEnv): string {
  const [, agent = '', below = ''] = /^~(\w+)\/(.*)$/.exec(path) ?? []
  if (agent === '') return join(root, path)
  const named = { claude: env['CLAUDE_CONFIG_DIR'], codex: env['CODEX_HOME'] }[agent]
  return resolve(root, named ?? join(env['HOME'] ?? '/', `.${agent}`), below)
}

// What can't be read switches nothing off.
async function readSettingsTable({ files }: Workspace, path: string): Promise<SettingsTable> {
  const text = (await files.read(path).catch(() => null))?.toString('utf8') ?? ''
  const tree = path.endsWith('.toml') ? null : parseJsonTree(text)
  try {
    return tableOrEmpty(tree ? jsonValueOf(tree) : parseTomlTable(text, path))
  } catch {
    return {}
  }
}

function tableAt(table: SettingsTable, ...way: readonly string[]): SettingsTable {
  return way.reduce<SettingsTable>((at, key) => tableOrEmpty(at[key]), table)
}

function tableOrEmpty(value: unknown): SettingsTable {
  return typeof value === 'object' && value !== null ? (value as SettingsTable) : {}
}
