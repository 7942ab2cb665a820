import { expect, test } from 'vitest'
import { disk } from '../../src/world/io/files/files.ts'
import { AGENT_SETUPS } from '../../src/world/setup/agents/agent-setups.ts'
import { configureAgents, unconfigureAgents } from '../../src/world/setup/agents/configure-agents.ts'
import { planAgentFiles } from '../../src/world/setup/agents/plan-agent-files.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import { worktreeFiles } from '../rig/worktree-files.ts'
import { brittleFiles } from '../rig/brittle-files.ts'
import { temporaryRepo } from '../rig/repo.ts'

test('whichever disk call fails, the files of agents are as they were, or all written', async () => {
  await using repo = await temporaryRepo({
    '.claude/settings.json': '{ "a": 1 }',
    'CLAUDE.md': '# Mine\n',
    'opencode.json': '{}',
  })
  const agents = AGENT_SETUPS.filter(it => ['claude', 'opencode', 'cursor'].includes(it.name))
  const before = await worktreeFiles(repo)
  const whole = await openWorkspace(repo.root)
  await configureAgents(whole, agents, await planAgentFiles(whole, agents))
  const after = await worktreeFiles(repo)
  await unconfigureAgents(whole)
  expect(await worktreeFiles(repo)).toEqual(before)
  for (let k = 1; ; k++) {
    const files = brittleFiles(disk, { failing: k })
    const workspace = await openWorkspace(repo.root, { files })
    const isDone = await planAgentFiles(workspace, agents)
      .then(plan => configureAgents(workspace, agents, plan))
      .then(
        () => true,
        () => false,
      )
    expect(await worktreeFiles(repo), `call ${k}`).toEqual(isDone ? after : before)
    await unconfigureAgents(whole)
    expect(await worktreeFiles(repo), `after call ${k}`).toEqual(before)
    if (!files.hasFailed()) return
  }
})
