import { type AdoptionCommit, commitAdoption } from '../../../world/setup/adopt.ts'
import { startIntent } from '../../../world/lifecycle/start-intent.ts'
import { plural, printable } from '../../../core/base/printable.ts'
import type { Intent } from '../../../core/intents/intent.ts'
import { ADOPTION } from '../../../core/rules/hints.ts'
import { scopeRemarkLines, scopeRemarks } from '../intent/scope-remarks.ts'
import { startedLines } from '../intent/started-lines.ts'
import { requirePerson } from '../person.ts'
import { addIntent } from '../../../world/lifecycle/change-intents.ts'
import { CHORES_NAME, choresCommand } from '../../../world/setup/propose-chores.ts'
import { addRides } from '../../../world/setup/scaffold.ts'
import { fetchFirstNotes } from '../../../world/provenance/first-notes.ts'
import { openWorkspace, type Workspace } from '../../../world/io/worktree/workspace.ts'
import { type AgentSetup, agentSetupsByName } from '../../../world/setup/agents/agent-setups.ts'
import { agentsWithoutTimeout } from '../../../world/setup/agents/configure-agents.ts'
import { type AgentFilesResult, initialise, type InitResult, nextSteps } from '../../../world/setup/init.ts'
import { KotefError } from '../../../core/base/failure.ts'
import type { VerbOutput } from '../../../core/report/verb-output.ts'
import { askInitWishes, type FirstWork, type InitWishes } from './init-questions.ts'
import { listOption, type RunVerb, textOption, type VerbCall } from '../verb.ts'
import { typedName } from '../../../world/io/process/typed-name.ts'
import { VERSION } from '../../../world/io/files/package.ts'
import type { HooksSetup } from '../../../world/setup/hooks/hooks-setup.ts'

/** `kotef init`: sets up kotef in this repository, and prints what it did and what to do next. */
export const initRepository: RunVerb = async call => {
  if (call.env['KOTEF'] === '0') return answerNothingCreated('The environment switches kotef off: nothing was changed.')
  const workspace = await openUnlessUnattended(call)
  if (!workspace) return answerNothingCreated(`${call.cwd} is not in a git worktree: there is nothing to govern.`)
  agentSetupsByName(listOption(call, 'agent') ?? [])
  const wishes = await askInitWishes(call, workspace)
  if (!wishes) return { ...answerNothingCreated('Nothing was changed.'), exit: 1 }
  const { isNew, mode, agents, offered } = wishes
  if (wishes.work) await requirePerson(call, workspace, { what: 'start an intent' })
  const wish = {
    hooks: textOption(call, 'hooks'),
    cwd: call.cwd,
    mode,
    team: call.options['team'] === true,
  }
  const result = await initialise(workspace, wish, agents)
  if (!isNew && !call.env['CI']) await fetchFirstNotes(workspace, call)
  const first = isNew ? await firstSteps(workspace, wishes, { result, env: call.env }) : null
  const lines = [
    ...reportLines(result),
    ...agentLines(agents, result.agents),
    ...missingTimeoutLines(agents, call),
    ...offeredAgentLines(wishes),
    ...(first?.lines ?? []),
  ]
  const name = typedName(call.env)
  const next = (await nextSteps(workspace, result.agents.changed)).map(it => it.replace(/^ {2}kotef /, `  ${name} `))
  const text = [...lines, ...next].join('\n')
  const json = {
    ...result,
    agents: { names: agents.map(it => it.name), ...result.agents, offered: offered.map(it => it.name) },
    first: first?.json ?? null,
  }
  return { text, json }
}

/** What is done once in a new repository: its first intents, the adoption commit, and the start of the work. */
async function firstSteps(
  workspace: Workspace,
  wishes: InitWishes,
  { result, env }: { readonly result: InitResult; readonly env: NodeJS.ProcessEnv },
) {
  const work = wishes.work ? await addWork(workspace, wishes.work) : null
  const chores = await addChores(workspace, wishes)
  const commit = wishes.commits ? await commitAdoption(workspace, result, env) : null
  const started = work && (await startIntent(workspace, { intent: work.intent.id, ...NO_AGENT }))
  return {
    lines: [
      ...(work?.lines ?? []),
      ...chores.lines,
      ...commitLines(commit),
      ...(started ? startedLines(started, workspace.clock.now()) : []),
    ],
    json: {
      started: started?.intent.id ?? null,
      standing: chores.standing,
      committed: commit !== null && commit.failure === null,
    },
  }
}

const NO_AGENT = { agent: null, model: null, steal: false }

async function addWork(workspace: Workspace, { name, scope }: FirstWork): Promise<{ intent: Intent; lines: string[] }> {
  const intent = await addIntent(workspace, { id: null, name, owned_scope: scope })
  const remarks = scopeRemarkLines(await scopeRemarks(workspace, intent))
  return { intent, lines: [`Added ${intent.id}: ${printable(name)}`, ...remarks] }
}

function commitLines(commit: AdoptionCommit | null): string[] {
  if (commit === null) return []
  const { files, failure } = commit
  if (failure === null) return [`Committed ${plural(files, 'file')} as "${ADOPTION}".`]
  return ['git did not commit it:', ...failure.split('\n').map(it => `  ${it}`)]
}

type Chores = { readonly lines: readonly string[]; readonly standing: string | null }

/** Lets lock files go with any work, and adds the standing intent that is wanted; else says by which command. */
async function addChores(workspace: Workspace, { chores, isStanding }: InitWishes): Promise<Chores> {
  await addRides(workspace, chores.rides)
  const go = chores.rides.length > 1 ? 'go' : 'goes'
  const rides = `${chores.rides.join(', ')} ${go} with the work for any intent (\`rides\`).`
  const lines = chores.rides.length > 0 ? [rides] : []
  if (chores.scope.length === 0) return { lines, standing: null }
  const files = chores.scope.join(', ')
  const advice = `Let people make small changes to ${files} without an intent: \`${choresCommand(chores)}\``
  if (!isStanding) return { lines: [...lines, advice], standing: null }
  const { id } = await addIntent(workspace, { id: null, name: CHORES_NAME, standing: true, owned_scope: chores.scope })
  return { lines: [...lines, `Added ${id}, a standing intent for ${files}.`], standing: id }
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

function reportLines({ root, created, hooks, newer }: InitResult): string[] {
  const files = created.length > 0 ? ['Created:', ...created.map(it => `  ${it}`)] : ['All files already exist.']
  return [`kotef governs ${root}`, ...files, ...hooksLines(hooks), ...(newer === null ? [] : [newerHooksLine(newer)])]
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

function offeredAgentLines({ isNew, agents, offered }: InitWishes): string[] {
  const [first, ...more] = offered.map(it => it.name)
  if (first === undefined)
    return isNew && agents.length === 0 ? [`Let an agent ask for an intent first: \`kotef init --agent claude\``] : []
  const flags = [first, ...more].map(it => `--agent ${it}`).join(' ')
  return [
    `Found ${[first, ...more].join(', ')}. Configure ${more.length === 0 ? 'it' : 'them'}: \`kotef init ${flags}\``,
  ]
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
