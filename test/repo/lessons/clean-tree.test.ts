import { join } from 'node:path'
import { fixture } from '../../rig/fixture.ts'
import { hookedRepo } from '../../rig/hooked-repo.ts'
import { testPage } from '../../rig/page.ts'
import { answeredClaude, CHECKED_REGISTRY } from '../../rig/session-runs.ts'
import { selectOrThrow } from '../../rig/selection.ts'
import { systemClock } from '../../../src/world/io/process/clock.ts'

/** A repository in which an agent works on INT-001, and a lesson of tests that failed waits. */
const template = fixture(async () => {
  const repo = await hookedRepo({ registry: CHECKED_REGISTRY, start: null })
  await selectOrThrow(repo, { clock: systemClock })
  const agent = answeredClaude(repo)
  await agent.runs('npm test', { exit: 1, output: 'TypeError: no x at src/a.ts:1:1' })
  await repo.play('echo more >>src/a.ts; git commit -qam work')
  await agent.runs('npm test')
  return repo
})

testPage(join(import.meta.dirname, 'clean-tree.txt'), template)
