import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../../rig/packed-kotef.ts'
import { AGENT_VARIABLES, agentVariable } from '../../../src/core/agents/detect-agent.ts'

test.each(AGENT_VARIABLES)('%s says that an agent runs this', name => {
  expect(agentVariable({ PATH: '/bin', [name]: '1' })).toBe(name)
  expect(agentVariable({ [name]: '' })).toBeNull()
})

test('the hook after a commit looks at the same variables', () => {
  const hook = readFileSync(join(repositoryRoot, 'hooks/post-commit'), 'utf8')
  expect([...hook.matchAll(/\$\{([A-Z_]+)-\}/g)].map(it => it[1])).toEqual(AGENT_VARIABLES)
})

test('where no agent says so there is no sign', () => {
  expect(agentVariable({ PATH: '/bin', AGENT: 'x', CI: 'true' })).toBeNull()
})
