import { openWorkspace, type Workspace } from '../workspace/workspace.ts'
import { type Agent, agentsNamed } from '../setup/agents/agents.ts'
import { agentsWaiting, unheld } from '../setup/agents/init-agents.ts'
import { type Configured, type Initialised, initialise } from '../setup/init.ts'
import { KotefError } from '../report/failure.ts'
import type { Answer } from '../report/answer.ts'
import { hooksLine, newerLine } from './hooks-line.ts'
import { nextSteps } from './next-steps.ts'
import { listOption, textOption } from './options.ts'
import type { Call, Run } from './verb.ts'

/** `kotef init`: governs this repository, and says what it did and what comes next. */
export const run: Run = async call => {
  if (call.env['KOTEF'] === '0') return nothing('KOTEF=0 is set: nothing was changed.')
  const workspace = await openUnlessUnattended(call)
  if (!workspace) return nothing(`${call.cwd} is not in a git worktree: there is nothing to govern.`)
  agentsNamed(listOption(call, 'agent') ?? [])
  if (!(await isWanted(call, workspace))) return { ...nothing('Nothing was changed.'), exit: 1 }
  const agents = await agentsMeant(call, workspace)
  const done = await initialise(workspace, { hooks: textOption(call, 'hooks'), cwd: call.cwd }, agents)
  const offered = agents.length > 0 ? [] : await agentsWaiting(workspace)
  const lines = [
    ...reportLines(done),
    ...agentLines(agents, done.agents),
    ...unheldLines(agents, call),
    ...offerLines(offered),
  ]
  const text = [...lines, ...(await nextSteps(workspace, done.agents.changed))].join('\n')
  const json = { ...done, agents: { names: agents.map(it => it.name), ...done.agents, offered } }
  return { text, json }
}

function nothing(text: string): Answer {
  return { text, json: { created: [] } }
}

// `prepare` in package.json runs in containers and archives as well, where no repository is; that must not break them.
async function openUnlessUnattended({ cwd, env }: Call): Promise<Workspace | null> {
  const isUnattended = Boolean(env['CI']) || /^(prepare|(pre|post)?install)$/.test(env['npm_lifecycle_event'] ?? '')
  return openWorkspace(cwd).catch((thrown: unknown) => {
    if (isUnattended && thrown instanceof KotefError && thrown.code === 'not-a-repo') return null
    throw thrown
  })
}

async function isWanted({ options, interactive, confirm }: Call, { root }: Workspace): Promise<boolean> {
  if (!interactive || options['yes'] || options['json']) return true
  return confirm(`Govern ${root} with kotef? It adds missing files and a call to each git hook, and replaces nothing.`)
}

function reportLines({ root, created, hooks, newer }: Initialised): string[] {
  const files = created.length > 0 ? ['Created:', ...created.map(it => `  ${it}`)] : ['Every file was there already.']
  return [`kotef governs ${root}`, ...files, ...hooksLine(hooks), ...(newer === null ? [] : [newerLine(newer)])]
}

/** The agents that are named, or else those of which there are traces and which a person at the terminal chooses. */
async function agentsMeant(call: Call, workspace: Workspace): Promise<Agent[]> {
  const named = listOption(call, 'agent')
  if (named) return agentsNamed(named)
  if (!call.interactive || call.options['yes'] || call.options['json']) return []
  const seen = await agentsWaiting(workspace)
  if (seen.length === 0) return []
  return agentsNamed(await call.choose('Configure these agents, of which there are traces here?', seen))
}

function agentLines(agents: readonly Agent[], { changed, pastes }: Configured): string[] {
  if (agents.length === 0) return []
  const names = agents.map(it => it.name).join(', ')
  const first =
    changed.length > 0 ? [`Configured ${names}:`, ...changed.map(it => `  ${it}`)] : [`Configured ${names}.`]
  const byHand = pastes.flatMap(({ path, text }) => [
    `Put this into ${path} by hand, it is not kotef's to rewrite:`,
    text,
  ])
  return [...first, ...byHand, ...agents.flatMap(it => it.notes), ...windowsLine()]
}

function unheldLines(agents: readonly Agent[], { env }: Call): string[] {
  const names = unheld(agents, env)
  if (names.length === 0) return []
  return [
    `There is no \`timeout\` command here: where a hook takes over a minute, ${names.join(', ')} go on without it.`,
  ]
}

function windowsLine(): string[] {
  if (process.platform !== 'win32') return []
  return [
    'On Windows no agent can run these hooks: they need a POSIX shell. Use WSL; the git hooks govern all the same.',
  ]
}

function offerLines(offered: readonly string[]): string[] {
  if (offered.length === 0) return []
  const flags = offered.map(it => `--agent ${it}`).join(' ')
  return [`There are traces of ${offered.join(', ')}. Configure: \`kotef init ${flags}\``]
}
