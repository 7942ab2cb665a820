import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { runCommands } from '../../rig/judged-repo.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { packedKotef } from '../../rig/packed-kotef.ts'
import { bypass } from '../../rig/verify-findings.ts'

const FOR_1 = 'Intent-ID: INT-001'
const REGISTRY = '.orchestration/active_intents.yaml'
const NAUGHTY = `echo x >>lib/x.ts; ${bypass('naughty', FOR_1)}`
const FINE = `echo a >>src/a.ts; ${bypass('fine', FOR_1)}`
const PUSH = 'git push -q --no-verify there'

const ORPHAN = `git switch -q --orphan o; mkdir -p lib; echo evil >lib/x.ts; ${bypass('naughty')}`
const OTHER = `git checkout -q --orphan o; ${bypass('mine', 'Governance: why')}`
const MERGED = 'git -c core.hooksPath= merge -q -m M -X theirs --allow-unrelated-histories o'
const NARROW = `sed -i '/INT-001/s|src/..|src/a.ts|' ${REGISTRY}; ${bypass('narrow', 'Governance: why')}`
const replaces = (old: string) =>
  `git -c core.hooksPath= commit -q --allow-empty -m r -m "Governance: replaces $(git rev-parse --short=10 ${old})"`

// The bare repository .git/there has main and kotef's hook.
const template = fixture(async () => {
  const template = await hookedRepo()
  const { root } = packedKotef()
  const commands = `git init -q --bare .git/there; git remote add there .git/there; git push -q --no-verify there main
    cp ${root}/hooks/pre-receive .git/there/hooks/; chmod +x .git/there/hooks/pre-receive; git switch -qc w`
  expect(await runCommands(template, commands)).toMatchObject({ code: 0 })
  return template
})

describe.concurrent('a push over a hook of the server', () => {
  test.each([
    ['a branch that is made again', `${FINE}; ${PUSH} w; git commit -q --amend -m again -m '${FOR_1}'; ${PUSH} -f w`],
    ['a branch without a registry, and another one', `${ORPHAN}; ${PUSH} o; git commit -q --amend -m p; ${PUSH} -f o`],
    ['work that main loses', `${FINE}; ${PUSH} w:main; ${PUSH} -f main`],
    [
      'a policy that main loses, with a reason',
      `${NARROW}; ${PUSH} w:main; git reset -q --hard main; ${replaces('w@{1}')}; ${PUSH} -f w:main`,
    ],
    ['a policy that a branch loses', `${NARROW}; ${PUSH} w; ${PUSH} -f main:w`],
  ])('goes through: %s', async (_, commands) => {
    await using repo = await copyGoverned(template())
    const { code, stderr } = await runCommands(repo, commands)
    expect({ code, stderr }).toMatchObject({ code: 0 })
  })

  test.each([
    ['as a history without a registry', `${ORPHAN}; ${PUSH} -f o:main`, '(history-replaced)'],
    ['as a commit from before the adoption', `${PUSH} -f main~1:main`, '(history-replaced)'],
    [
      'as a history without a registry, with a reason',
      `${ORPHAN}; ${replaces('main')}; ${PUSH} -f o:main`,
      '(history-replaced)',
    ],
    ['as a history without a registry, in a branch', `${PUSH} w; ${ORPHAN}; ${PUSH} -f o:w`, '(history-replaced)'],
    ['as a history of its own', `${OTHER}; ${PUSH} -f o:main`, '(history-replaced)'],
    [
      'as a policy that main loses',
      `${NARROW}; ${PUSH} w:main; ${PUSH} -f main`,
      'had: INT-001 may touch more: src/**',
    ],
    [
      'as a policy that main loses, with the reason of another replacement',
      `${NARROW}; ${PUSH} w:main; git reset -q --hard main; ${replaces('main~1')}; ${PUSH} -f w:main`,
      '(history-replaced)',
    ],
    ['as a default branch that is deleted', `${PUSH} :main`, '(history-replaced)'],
    [
      'as a registry that leaves and comes back',
      `git rm -rq .orchestration .sdd .intentignore; git commit -qnm leave -m 'Governance: leave'; ${NAUGHTY}
        git checkout -q main .; git commit -qnm back -m 'Governance: back'; ${PUSH} w:main`,
      '(policy-in-range)',
    ],
    ['as an orphan that is merged', `${ORPHAN}; git switch -q w; ${MERGED}; ${PUSH} w:main`, '(intent-named)'],
    [
      'in letters of another case',
      `mkdir .Claude; echo '{}' >.Claude/settings.json; ${bypass('naughty', FOR_1)}; ${PUSH} w`,
      '.Claude/settings.json is a governance file and belongs to no intent',
    ],
    [
      'as a submodule in the place of a governance folder',
      `git update-index --add --cacheinfo 160000,$(git rev-parse main),.Claude
        git commit -qnm naughty -m '${FOR_1}'; ${PUSH} w`,
      '.Claude is a governance file and belongs to no intent',
    ],
  ])('is refused %s', async (_, commands, words) => {
    await using repo = await copyGoverned(template())
    const { code, stderr } = await runCommands(repo, commands)
    expect(code, stderr).toBe(1)
    expect(stderr).toContain(words)
    expect(stderr).toContain('[remote rejected]')
  })
})
