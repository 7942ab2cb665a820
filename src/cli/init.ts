import { openWorkspace, type Workspace } from '../workspace/workspace.ts'
import { type Initialised, initialise } from '../setup/init.ts'
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
  if (!(await isWanted(call, workspace))) return { ...nothing('Nothing was changed.'), exit: 1 }
  const done = await initialise(workspace, { hooks: textOption(call, 'hooks'), cwd: call.cwd })
  const agents = listOption(call, 'agent') ?? []
  const text = [...reportLines(done), ...agentLines(agents), ...(await nextSteps(workspace))].join('\n')
  return { text, json: { ...done, agents: agents.map(name => ({ name, configured: false })) } }
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

function agentLines(agents: readonly string[]): string[] {
  if (agents.length === 0) return []
  return [`Not done: configuring ${agents.join(', ')}. kotef has no agent hooks yet; the git hooks govern every agent.`]
}
