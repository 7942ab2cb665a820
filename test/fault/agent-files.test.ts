import { expect, test } from 'vitest'
import { disk } from '../../src/io/files.ts'
import { AGENTS } from '../../src/setup/agents/agents.ts'
import { configureAgents, unconfigureAgents } from '../../src/setup/agents/init-agents.ts'
import { planFor } from '../../src/setup/agents/plan.ts'
import { openWorkspace } from '../../src/workspace/workspace.ts'
import { treeOf } from '../rig/agent-files.ts'
import { brittleFiles } from '../rig/brittle-files.ts'
import { temporaryRepo } from '../rig/repo.ts'

test('whichever disk call fails, the files of agents are as they were, or all written', async () => {
  await using repo = await temporaryRepo({
    '.claude/settings.json': '{ "a": 1 }',
    'CLAUDE.md': '# Mine\n',
    'opencode.json': '{}',
  })
  const agents = AGENTS.filter(it => ['claude', 'opencode', 'cursor'].includes(it.name))
  const before = await treeOf(repo)
  const whole = await openWorkspace(repo.root)
  await configureAgents(whole, agents, await planFor(whole, agents))
  const after = await treeOf(repo)
  await unconfigureAgents(whole)
  expect(await treeOf(repo)).toEqual(before)
  for (let k = 1; ; k++) {
    const files = brittleFiles(disk, { failing: k })
    const workspace = await openWorkspace(repo.root, { files })
    const isDone = await planFor(workspace, agents)
      .then(plan => configureAgents(workspace, agents, plan))
      .then(
        () => true,
        () => false,
      )
    expect(await treeOf(repo), `call ${k}`).toEqual(isDone ? after : before)
    await unconfigureAgents(whole)
    expect(await treeOf(repo), `after call ${k}`).toEqual(before)
    if (!files.broke()) return
  }
})
