import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { copyGoverned } from '../../rig/hooked-repo.ts'
import { judgedRepo, playOrThrow, runCommands } from '../../rig/judged-repo.ts'
import { recordAgentWrite } from '../../rig/recorded-write.ts'

const REGISTRY = '.orchestration/active_intents.yaml'
const RAW_WORK = 'git add -A; git -c core.hooksPath=/dev/null commit -qm work'
const OLD_POLICY = 'by the policy from before this range'
const TRUNK = 'git push -q --no-verify there main:trunk; git remote set-head there trunk'

// The remote `there` has main.
const template = fixture(async () => {
  const template = await judgedRepo()
  const remote = 'git init -q --bare .git/there; git remote add there .git/there; git push -q --no-verify there main'
  await playOrThrow(template, remote)
  return template
})

describe('a push to the default branch obeys the policy of its old tip, whatever another branch brought (60b)', () => {
  const first = (change: string) => `git switch -qc w; sed -i '${change}' ${REGISTRY}
    git commit -qam policy -m 'Governance: why'; git push -q there w 2>../said`
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

  test.each([
    ['there', 'git push -q there w:main'],
    ['of another name', `${TRUNK}; git push -q there w:trunk`],
    ['of another name, beside the other branch, by its address', `${TRUNK}; git push -q .git/there w w:trunk`],
  ])('and what it does not allow is stopped: %s', async (_, push) => {
    await using repo = await copyGoverned(template())
    const reopen = first('/INT-004/s/COMPLETED/PENDING/')
    const work = `echo c >>old/c; ${RAW_WORK} -m 'Intent-ID: INT-004'`
    const { code, stderr } = await runCommands(repo, `${reopen}; ${work}; ${push}`)
    expect({ code, stderr }).toMatchObject({ code: 1 })
    expect(stderr).toContain(OLD_POLICY)
  })
})

describe('what another branch had before, the change of the policy and the work', () => {
  const reopen = `git switch -qc develop; sed -i '/INT-004/s/COMPLETED/PENDING/' ${REGISTRY}`
  const accepted = `git -c core.hooksPath=/dev/null commit -qam reopen -m 'Governance: why'
    git push -q --no-verify there develop; echo c >>old/c; ${RAW_WORK} -m 'Intent-ID: INT-004'
    git push -q there develop`

  test('goes through in silence with a branch that merges it', async () => {
    await using repo = await copyGoverned(template())
    const feature = `git switch -qc feature; echo f >>src/a.ts; ${RAW_WORK} -m 'Intent-ID: INT-001'
      git push -q there feature; git switch -q main`
    await playOrThrow(repo, `${feature}; ${reopen}; ${accepted}`)
    const commands = `git switch -q feature; git merge -q --no-edit develop; git push -q there feature
      echo c >>old/c; ${RAW_WORK} -m 'Intent-ID: INT-004'; git push -q there feature`
    expect(await runCommands(repo, commands)).toMatchObject({ code: 0, stderr: '' })
  })

  const RELEASE = 'git switch -q main; git merge -q --no-ff --no-edit develop; git push -q there main'

  test.each([
    ['the default branch that merges it', RELEASE],
    ['the default branch that is set to it', 'git push -q there develop:main'],
  ])('is for review with %s', async (_, release) => {
    await using repo = await copyGoverned(template())
    await playOrThrow(repo, `${reopen}; ${accepted}`)
    const { code, stderr } = await runCommands(repo, release)
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(stderr).toContain('0 problems, 2 things to look at')
    expect(stderr).toContain('INT-004 was COMPLETED, and is PENDING again')
    expect(stderr).toContain(OLD_POLICY)
  })

  test('is stopped at the default branch where an agent changed the policy', async () => {
    await using repo = await copyGoverned(template())
    await playOrThrow(repo, reopen)
    const before = (await repo.run('cat', [REGISTRY])).stdout
    await recordAgentWrite(repo, REGISTRY, { before, added: '# mine\n' })
    await playOrThrow(repo, `echo '# mine' >>${REGISTRY}; ${accepted}`)
    const { code, stderr } = await runCommands(repo, RELEASE)
    expect({ code, stderr }).toMatchObject({ code: 1 })
    expect(stderr).toMatch(new RegExp(`block .*${OLD_POLICY}`))
  })
})
