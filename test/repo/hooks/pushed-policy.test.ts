import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { copyGoverned } from '../../rig/hooked-repo.ts'
import { judgedRepo, playOrThrow, runCommands } from '../../rig/judged-repo.ts'

const REGISTRY = '.orchestration/active_intents.yaml'

// The remote `there` has main.
const template = fixture(async () => {
  const template = await judgedRepo()
  const remote = 'git init -q --bare .git/there; git remote add there .git/there; git push -q --no-verify there main'
  await playOrThrow(template, remote)
  return template
})

describe('a push to a branch obeys the policy of its old tip, whatever another branch brought (60b)', () => {
  const first = (change: string) => `git switch -qc w; sed -i '${change}' ${REGISTRY}
    git commit -qam policy -m 'Governance: why'; git push -q there w 2>../said`
  const RAW_WORK = 'git add -A; git -c core.hooksPath=/dev/null commit -qm work'

  test.each([
    ['there', 'git push -q there w:main'],
    ['by its address', 'git push -q .git/there w:main'],
  ])('and what that loosens is shown: %s', async (_, push) => {
    await using repo = await copyGoverned(template())
    const widen = first('/INT-001/s|src/..|**|')
    const work = `echo l >>lib/x.ts; ${RAW_WORK} -m 'Intent-ID: INT-001'`
    const { code, stderr } = await runCommands(repo, `${widen}; ${work}; ${push}`)
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(stderr).toContain('policy: INT-001 may touch more: **')
  })

  test('and what it does not allow is stopped', async () => {
    await using repo = await copyGoverned(template())
    const reopen = first('/INT-004/s/COMPLETED/PENDING/')
    const work = `echo c >>old/c; ${RAW_WORK} -m 'Intent-ID: INT-004'`
    const { code, stderr } = await runCommands(repo, `${reopen}; ${work}; git push -q there w:main`)
    expect({ code, stderr }).toMatchObject({ code: 1 })
    expect(stderr).toContain('by the policy from before this range')
  })
})
