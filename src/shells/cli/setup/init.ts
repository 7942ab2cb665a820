import { addIntent } from '../../../world/lifecycle/change-intents.ts'
import { type ChoreProposal, choresCommand, proposeChores } from '../../../world/setup/propose-chores.ts'
import { addRides } from '../../../world/setup/scaffold.ts'
import { fetchFirstNotes } from '../../../world/provenance/first-notes.ts'
import { layoutOf } from '../../../world/io/worktree/layout.ts'
import { openWorkspace, type Workspace } from '../../../world/io/worktree/workspace.ts'
import { type AgentSetup, agentSetupsByName } from '../../../world/setup/agents/agent-setups.ts'
import { agentsWithoutTimeout, listUnconfiguredAgents } from '../../../world/setup/agents/configure-agents.ts'
import { type AgentFilesResult, initialise, type InitResult, nextSteps } from '../../../world/setup/init.ts'
import { KotefError } from '../../../core/base/failure.ts'
import type { VerbOutput } from '../../../core/report/verb-output.ts'
import { listOption, type RunVerb, textOption, type VerbCall } from '../verb.ts'
import { type Enforcement, ENFORCEMENTS } from '../../../core/intents/enforcement.ts'
import { typedName } from '../../../world/io/process/typed-name.ts'
import { VERSION } from '../../../world/io/files/package.ts'
import type { HooksSetup } from '../../../world/setup/hooks/hooks-setup.ts'

/** `kotef init`: sets up kotef in this repository, and prints what it did and what to do next. */
export const initRepository: RunVerb = async call => {
  if (call.env['KOTEF'] === '0') return answerNothingCreated('The environment switches kotef off: nothing was changed.')
  const workspace = await openUnlessUnattended(call)
  if (!workspace) return answerNothingCreated(`${call.cwd} is not in a git worktree: there is nothing to govern.`)
  agentSetupsByName(listOption(call, 'agent') ?? [])
  if (!(await confirmInit(call, workspace))) return { ...answerNothingCreated('Nothing was changed.'), exit: 1 }
  const isNew = (await workspace.files.modifiedAt(layoutOf(workspace).registry)) === null
  const asks = isNew && call.interactive && !call.options['yes'] && !call.options['json']
  const mode = modeIn(call) ?? (asks ? await chooseMode(call) : null)
  const agents = await chooseAgents(call, workspace)
  const wish = {
    hooks: textOption(call, 'hooks'),
    cwd: call.cwd,
    mode,
    team: call.options['team'] === true,
  }
  const result = await initialise(workspace, wish, agents)
  if (!isNew && !call.env['CI']) await fetchFirstNotes(workspace, call)
  const chores = isNew ? await offerChores(call, workspace, asks) : []
  const detected = agents.length > 0 ? [] : await listUnconfiguredAgents(workspace)
  const lines = [
    ...reportLines(result),
    ...agentLines(agents, result.agents),
    ...missingTimeoutLines(agents, call),
    ...detectedAgentLines(detected),
    ...chores,
  ]
  const name = typedName(call.cwd, call.env)
  const next = (await nextSteps(workspace, result.agents.changed)).map(it => it.replace(/^ {2}kotef /, `  ${name} `))
  const text = [...lines, ...next].join('\n')
  const json = { ...result, agents: { names: agents.map(it => it.name), ...result.agents, offered: detected } }
  return { text, json }
}

function modeIn(call: VerbCall): Enforcement | null {
  return enforcementNamed(textOption(call, 'mode'))
}

function enforcementNamed(name: string | null): Enforcement | null {
  return ENFORCEMENTS.find(it => it === name) ?? null
}

// Without a word everything blocks, so that is not written into the config.
async function chooseMode({ pick }: VerbCall): Promise<Enforcement | null> {
  const mode = enforcementNamed(await pick('What happens when a commit breaks a rule?', MODES))
  return mode === 'block' ? null : mode
}

const MODES = [
  { value: 'block', hint: 'it is refused' },
  { value: 'warn', hint: 'it goes through, and the problem is printed' },
  { value: 'observe', hint: 'it goes through, and the problem is only recorded' },
]

/** Lets lock files go with any work, and adds a standing intent when a person wants one; else says by which command. */
async function offerChores(call: VerbCall, workspace: Workspace, asks: boolean): Promise<string[]> {
  const proposal = await proposeChores(workspace)
  await addRides(workspace, proposal.rides)
  const [file, ...more] = proposal.rides
  const go = more.length > 0 ? 'go' : 'goes'
  const rides = `${proposal.rides.join(', ')} ${go} with the work for any intent (\`rides\`).`
  return [...(file === undefined ? [] : [rides]), ...(await offerStanding(call, workspace, { proposal, asks }))]
}

type Offer = { readonly proposal: ChoreProposal; readonly asks: boolean }

async function offerStanding(call: VerbCall, workspace: Workspace, { proposal, asks }: Offer): Promise<string[]> {
  if (proposal.scope.length === 0) return []
  const files = proposal.scope.join(', ')
  if (!asks) return [`Let people make small changes to ${files} without an intent: \`${choresCommand(proposal)}\``]
  if (!(await call.confirm(`Add a standing intent, so that people need no other one for small changes to ${files}?`)))
    return []
  const intent = await addIntent(workspace, { id: null, name: 'chores', standing: true, owned_scope: proposal.scope })
  return [`Added ${intent.id}, a standing intent for ${files}.`]
}

function answerNothingCreated(text: string): VerbOutput {
  return { text, json: { created: [] } }
}

// `prepare` in package.json also runs in containers and unpacked archives, without a repository: it must not fail.
async function openUnlessUnattended({ cwd, env }: VerbCall): Promise<Workspace | null> {
  const isUnattended = Boolean(env['CI']) || /^(prepare|(pre|post)?install)$/.test(env['npm_lifecycle_event'] ?? '')
  return openWorkspace(cwd).catch((thrown: unknown) => {
    if (isUnattended && thrown instanceof KotefError && thrown.code === 'not-a-repo') return null
    throw thrown
  })
}

async function confirmInit({ options, interactive, confirm }: VerbCall, { root }: Workspace): Promise<boolean> {
  if (!interactive || options['yes'] || options['json']) return true
  return confirm(`Govern ${root} with kotef? It adds missing files and a call to each git hook, and replaces nothing.`)
}

function reportLines({ root, created, hooks, newer }: InitResult): string[] {
  const files = created.length > 0 ? ['Created:', ...created.map(it => `  ${it}`)] : ['All files already exist.']
  return [`kotef governs ${root}`, ...files, ...hooksLines(hooks), ...(newer === null ? [] : [newerHooksLine(newer)])]
}

/** The agents that the call names; without any, those that a person chooses among the detected ones. */
async function chooseAgents(call: VerbCall, workspace: Workspace): Promise<AgentSetup[]> {
  const named = listOption(call, 'agent')
  if (named) return agentSetupsByName(named)
  if (!call.interactive || call.options['yes'] || call.options['json']) return []
  const detected = await listUnconfiguredAgents(workspace)
  if (detected.length === 0) return []
  return agentSetupsByName(await call.choose('Found these agents. Which ones should be configured?', detected))
}

function agentLines(agents: readonly AgentSetup[], { changed, pastes }: AgentFilesResult): string[] {
  if (agents.length === 0) return []
  const names = agents.map(it => it.name).join(', ')
  const first =
    changed.length > 0 ? [`Configured ${names}:`, ...changed.map(it => `  ${it}`)] : [`Configured ${names}.`]
  const byHand = pastes.flatMap(({ path, text }) => [
    `Add this to ${path} by hand; kotef does not rewrite that file:`,
    text,
  ])
  return [...first, ...byHand, ...agents.flatMap(it => it.notes), ...windowsLine()]
}

function missingTimeoutLines(agents: readonly AgentSetup[], { env }: VerbCall): string[] {
  const names = agentsWithoutTimeout(agents, env)
  if (names.length === 0) return []
  return [
    `There is no \`timeout\` command here: if a hook takes over a minute, ${names.join(', ')} will not wait for it.`,
  ]
}

function windowsLine(): string[] {
  if (process.platform !== 'win32') return []
  return ['On Windows agents cannot run these hooks, which need a POSIX shell: use WSL. The git hooks work without it.']
}

function detectedAgentLines(offered: readonly string[]): string[] {
  if (offered.length === 0) return []
  const flags = offered.map(it => `--agent ${it}`).join(' ')
  return [`Found ${offered.join(', ')}. Configure ${offered.length === 1 ? 'it' : 'them'}: \`kotef init ${flags}\``]
}

/** Describes who manages the hooks of a repository, and how they call kotef. */
export function hooksLines({ manager, way, folder, next }: HooksSetup): string[] {
  if (way === 'config')
    return [`git calls kotef through its config, in addition to the hooks in ${folder}${managerSuffix(manager)}`]
  if (way === 'handing-on') return [`git runs the hooks in ${folder}`, ...forwardingLines(next)]
  if (manager === 'git') return [`git runs the hooks in ${folder}, and each calls kotef first.`]
  if (manager === 'husky') return [`Husky runs the hooks in ${folder}, and each calls kotef first.`]
  return [
    `git runs the hooks in ${folder}${managerSuffix(manager)}, and each calls kotef first.`,
    `  When ${manager} rewrites them, the calls are lost; restore them with \`kotef init\` or \`kotef intent start\``,
  ]
}

/** Warns that a newer kotef installed the git hooks; an older one does not replace them. */
export function newerHooksLine(version: string): string {
  return `The git hooks are from kotef ${version}, newer than this one (${VERSION}): \`npm i -D kotef-watch@latest\``
}

function managerSuffix(manager: HooksSetup['manager']): string {
  return manager === 'git' ? '' : ` (${manager})`
}

function forwardingLines(next: string | null): string[] {
  const to = next ?? "git's own hooks folder"
  return [`  Each calls kotef, then the hook of the same name in ${to} (core.hooksPath).`]
}
