import { REGISTRY_PATH } from '../intents/registry.ts'
import { committedTexts } from '../workspace/committed.ts'
import { type Initialised, initialise } from '../setup/init.ts'
import { openWorkspace, type Workspace } from '../workspace/workspace.ts'
import { confirmed } from './confirm.ts'
import { listOption, textOption } from './options.ts'
import type { Call, Run } from './verb.ts'

/** `kotef init`: governs this repository, and says what it did and what comes next. */
export const run: Run = async call => {
  const workspace = await openWorkspace(call.cwd)
  if (!(await isWanted(call, workspace))) return { text: 'Nothing was changed.', json: { created: [] }, exit: 1 }
  const done = await initialise(workspace, { hooks: textOption(call, 'hooks') })
  const agents = listOption(call, 'agent') ?? []
  const text = [...reportLines(done), ...agentLines(agents), ...(await nextLines(workspace))].join('\n')
  return { text, json: { ...done, agents: agents.map(name => ({ name, configured: false })) } }
}

async function isWanted({ options, interactive }: Call, { root }: Workspace): Promise<boolean> {
  if (!interactive || options['yes'] || options['json']) return true
  return confirmed(
    `Govern ${root} with kotef? It adds missing files and a call to each git hook, and replaces nothing.`,
  )
}

function reportLines({ root, created, hooks }: Initialised): string[] {
  const files = created.length > 0 ? ['Created:', ...created.map(it => `  ${it}`)] : ['Every file was there already.']
  return [`kotef governs ${root}`, ...files, `The git hooks call it from ${hooks.folder} (${hooks.manager}).`]
}

function agentLines(agents: readonly string[]): string[] {
  if (agents.length === 0) return []
  return [`Not done: configuring ${agents.join(', ')}. kotef has no agent hooks yet; the git hooks govern every agent.`]
}

async function nextLines({ git }: Workspace): Promise<string[]> {
  const [adopted] = await committedTexts(git, [REGISTRY_PATH])
  const adopt = 'git add -A && git commit -m "adopt kotef" -m "Governance: adopt kotef"'
  return [
    '',
    'Next:',
    ...(adopted ? [] : [`  ${adopt}`]),
    "  kotef intent add --id INT-001 --name 'what is wanted' --scope 'src/**'",
    '  kotef intent start INT-001',
    '  npx kotef-watch',
  ]
}
