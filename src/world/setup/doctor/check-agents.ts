import { join } from 'node:path'
import { runProgram } from '../../io/process/run.ts'
import { CLAUDE_SETTINGS, hooksOffKey, settingsPath } from '../../../core/agents/hook-settings.ts'
import { toKotefError } from '../../../core/base/failure.ts'
import type { AgentSetup } from '../agents/agent-setups.ts'
import { listConfiguredAgents } from '../agents/configure-agents.ts'
import { mentionsKotef } from '../agents/agent-file.ts'
import { planAgentFiles, readAgentFile } from '../agents/plan-agent-files.ts'
import { layoutOf } from '../../io/worktree/layout.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import type { DoctorNote, DoctorProblem } from './doctor-problem.ts'
import { commandIn, listNames } from './check-hooks.ts'
import { jsonValueOf, parseJsonTree } from '../agents/json-text.ts'
import { parseTomlTable } from '../agents/toml-text.ts'

/** What keeps the configured agents from calling kotef? */
export async function checkAgents(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<DoctorProblem[]> {
  const agents = await listConfiguredAgents(workspace)
  if (agents.length === 0) return []
  const each = await Promise.all(agents.map(it => checkAgent(workspace, it, env)))
  return [...(await checkAgentScript(workspace, env)), ...each.flat()]
}

/** What can't kotef see of the configured agents? */
export async function agentNotes(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<DoctorNote[]> {
  const agents = await listConfiguredAgents(workspace)
  const has = (name: string): boolean => agents.some(it => it.name === name)
  return [...(has('claude') ? [MODS_NOTE] : []), ...(has('codex') ? [await codexTrustNote(workspace, env)] : [])]
}

const MODS_NOTE: DoctorNote = {
  message:
    "mods, the code of a user's plugins, can overrule kotef's hook in Claude Code; the commit gate and `kotef " +
    "verify` can't be overruled",
  hint: 'A company switches them off in its managed settings: `allowManagedModsOnly` (see docs/agents.md)',
}

async function checkAgent(workspace: Workspace, agent: AgentSetup, env: NodeJS.ProcessEnv): Promise<DoctorProblem[]> {
  return [...(await checkAgentFiles(workspace, agent)), ...(await checkDisabledHooks(workspace, agent.name, env))]
}

/** Which files of an agent lack kotef's entries, or have those of another version? */
async function checkAgentFiles(workspace: Workspace, agent: AgentSetup): Promise<DoctorProblem[]> {
  const hint = `Run \`${commandIn(workspace.root, `kotef init --agent ${agent.name}`)}\``
  try {
    const { changes, pastes } = await planAgentFiles(workspace, [agent])
    const byHand = await Promise.all(
      pastes.map(async it => ({ path: it.path, text: await readAgentFile(workspace, it.path) })),
    )
    const paths = [...changes, ...byHand.filter(it => !mentionsKotef(it.text ?? ''))].map(it => it.path)
    const own = paths.filter(path => agent.files.some(it => it.path === path))
    return own.length === 0
      ? []
      : [{ message: `kotef's entries for ${agent.name} are missing or outdated in ${listNames(own)}`, hint }]
  } catch (thrown) {
    const { message, hint } = toKotefError(thrown)
    return [{ message, hint }]
  }
}

/** Runs the script that agents run, with an option that changes nothing. */
async function checkAgentScript(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<DoctorProblem[]> {
  const script = join(layoutOf(workspace).shared, 'agent')
  const { exit, stderr } = await runProgram('sh', [script, '--version'], { cwd: workspace.root, env })
  if (exit === 0) return []
  const why = stderr.trim().split('\n').at(-1) ?? ''
  return [
    {
      message: `agents can't find kotef from ${workspace.root}: ${why}`,
      hint: `Run \`${commandIn(workspace.root, 'kotef init')}\``,
    },
  ]
}

/** Which settings of an agent, in the repository or the user's own, switch off all hooks, or kotef's? */
async function checkDisabledHooks(
  workspace: Workspace,
  agent: string,
  env: NodeJS.ProcessEnv,
): Promise<DoctorProblem[]> {
  const { files, isOff } = DISABLING_SETTINGS[agent] ?? { files: [], isOff: () => null }
  const found = await Promise.all(
    files.map(async it => {
      const path = settingsPath(it, settingsPlace(workspace, env))
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
async function codexTrustNote(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<DoctorNote> {
  const { root } = workspace
  const table = await readSettingsTable(workspace, settingsPath('~codex/config.toml', settingsPlace(workspace, env)))
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
    files: CLAUDE_SETTINGS,
    isOff: it => hooksOffKey(it) && `\`${hooksOffKey(it)}\``,
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

function settingsPlace({ root }: Workspace, env: NodeJS.ProcessEnv) {
  return { root, home: env['HOME'] ?? '/', env }
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
