import { join } from 'node:path'
import { fixture } from '../../rig/fixture.ts'
import { hookedRepo } from '../../rig/hooked-repo.ts'
import { testPage } from '../../rig/page.ts'
import { answeredClaude, CHECKED_REGISTRY } from '../../rig/session-runs.ts'
import { selectOrThrow } from '../../rig/selection.ts'
import { systemClock } from '../../../src/io/process/clock.ts'

/** A repository in which an agent works on INT-001, and a lesson of a refused write waits. */
const template = fixture(async () => {
  const repo = await hookedRepo({ registry: CHECKED_REGISTRY, start: null })
  await selectOrThrow(repo, { clock: systemClock })
  const agent = answeredClaude(repo)
  await agent.writes('lib/x.ts', 'x\n')
  await repo.play('echo more >>src/a.ts; git commit -qam work')
  await agent.runs('git commit -qam work')
  return repo
})

testPage(join(import.meta.dirname, 'clean-tree.txt'), template)
