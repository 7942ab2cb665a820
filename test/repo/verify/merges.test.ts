import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { runCommands, WITHOUT_DRIVER } from '../../rig/judged-repo.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { bypass, verifyFindings } from '../../rig/verify-findings.ts'

const REGISTRY = '.orchestration/active_intents.yaml'
const CONFIG = '.orchestration/config.yaml'
const GOVERNS = 'Governance: why'
const FOR_1 = 'Intent-ID: INT-001'
const line = (id: string, name: string) => `  - { id: ${id}, name: ${name}, owned_scope: ["${name}/**"] }`
const add = (id: string, name: string) => `echo '${line(id, name)}' >>${REGISTRY}; ${bypass(name, GOVERNS)}`
const addFirst = (id: string, name: string) =>
  `sed -i '/^active_intents/a\\${line(id, name)}' ${REGISTRY}; ${bypass(name, GOVERNS)}`
const ours = (name: string) => `review governance-changed ${REGISTRY} in ${name}`

// On branch `w`, which is where main is. Both sides of the merges below add to the end of the registry.
const template = fixture(async () => {
  const template = await hookedRepo()
  await runCommands(template, `git config core.hooksPath /dev/null; git switch -qc w; ${WITHOUT_DRIVER}`)
  return template
})

const BOTH = `git switch -q main; ${add('INT-008', 'theirs')}; git switch -q w; ${add('INT-009', 'ours')}
  git merge -q main >../out 2>&1 || :`
const settle = (more = '') => `sed -i -e '/^<<<<<<<\\|^=======\\|^>>>>>>>/d' ${more} ${REGISTRY}; git add -A`

type Row = [promise: string, commands: string, found: string[]]

describe.concurrent('a merge that settles a conflict in the registry', () => {
  test.each<Row>([
    [
      "may keep both sides as kotef's merge driver does, which is nothing of its own (team S6)",
      `${BOTH}; ${settle()}; git commit -qm merge`,
      [ours('ours')],
    ],
    [
      'may keep both sides in another order',
      `${BOTH}; ${settle(`-e '/INT-009/{h;d}' -e '/INT-008/G'`)}; git commit -qm merge`,
      [ours('ours'), `review governance-alone ${REGISTRY} in merge`],
    ],
    [
      'may not allow more than both sides, under a strict config or not (team S1)',
      `${BOTH}; ${settle(`-e '/INT-002/s|docs/..|**|'`)}; git commit -qm merge`,
      [ours('ours'), `review governance-alone ${REGISTRY} in merge`, `block governance-loosened ${REGISTRY} in merge`],
    ],
    [
      'may allow more where its message says why',
      `${BOTH}; ${settle(`-e '/INT-002/s|docs/..|**|'`)}; git commit -qm merge -m '${GOVERNS}'`,
      [ours('ours'), `review governance-loosened ${REGISTRY} in merge`],
    ],
    [
      'may not, even so, under a strict config (team S1)',
      `echo 'verify: { governance: strict }' >>${CONFIG}; ${bypass('strict', GOVERNS)}; git branch -f main w
        ${BOTH}; ${settle(`-e '/INT-002/s|docs/..|**|'`)}; git commit -qm merge -m '${GOVERNS}'`,
      [`block governance-changed ${REGISTRY} in ours`, `block governance-loosened ${REGISTRY} in merge`],
    ],
    [
      'may not add an intent that neither side has',
      `${BOTH}; ${settle()}; echo '${line('INT-010', 'evil')}' >>${REGISTRY}; git commit -qam merge`,
      [ours('ours'), `review governance-alone ${REGISTRY} in merge`, `block governance-changed ${REGISTRY} in merge`],
    ],
    [
      'may not leave its markers (team B4b)',
      `${BOTH}; git add -A; git commit -qm merge`,
      [ours('ours'), `review governance-alone ${REGISTRY} in merge`, `block policy-readable ${REGISTRY} in merge`],
    ],
  ])('%s', async (...[, commands, found]) => {
    await using repo = await copyGoverned(template())
    expect(await runCommands(repo, commands)).toMatchObject({ code: 0 })
    expect(await verifyFindings(repo, 'main..w')).toEqual(found)
  })
})

describe.concurrent('one id with two meanings', () => {
  const CLASH = `git switch -q main; ${addFirst('INT-006', 'errors')}; git switch -q w; ${add('INT-006', 'reply')}`

  test('is found before the merge, which git makes without a conflict (team B4a)', async () => {
    await using repo = await copyGoverned(template())
    await runCommands(repo, CLASH)
    expect(await verifyFindings(repo, 'main..w')).toEqual([
      ours('reply'),
      `block intent-id-clash ${REGISTRY} in -`,
      `block policy-readable ${REGISTRY} in -`,
    ])
  })

  test('is found in the merge, with the commit that made it so (team B4a)', async () => {
    await using repo = await copyGoverned(template())
    await runCommands(repo, `${CLASH}; git merge -q --no-edit -m merge main`)
    expect(await verifyFindings(repo, 'main..w')).toEqual([ours('reply'), `block policy-readable ${REGISTRY} in merge`])
    const { stdout } = await repo.kotef('verify', 'main..w')
    const name = (await repo.git('rev-parse', 'w')).slice(0, 10)
    expect(stdout).toContain(`because an earlier intent is INT-006, found "INT-006" (since ${name} merge)`)
  })

  test('is found where the merge gave one of them another id, and nobody its commits (solo A4)', async () => {
    await using repo = await copyGoverned(template())
    const renumber = `sed -i '$s/INT-006/INT-007/' ${REGISTRY}; git add -A; git commit -qm merge`
    await runCommands(repo, `${CLASH}; git merge -q --no-commit main >../out; ${renumber}`)
    expect(await verifyFindings(repo, 'main..w')).toContain(`block intent-id-clash ${REGISTRY} in merge`)
  })

  test('is settled by another id on a side, before the merge', async () => {
    await using repo = await copyGoverned(template())
    const renumber = `sed -i '$s/INT-006/INT-007/' ${REGISTRY}; ${bypass('renumber', GOVERNS)}`
    await runCommands(repo, `${CLASH}; ${renumber}; git merge -q --no-edit main`)
    expect((await verifyFindings(repo, 'main..w')).filter(it => it.startsWith('block'))).toEqual([])
  })
})

describe.concurrent('the end of a range', () => {
  const work = `echo a >>src/a.ts; ${bypass('work', FOR_1)}`
  const BROKEN = `sed -i '/INT-002/{p;p}' ${REGISTRY}; ${bypass('broken', GOVERNS)}`
  test.each<Row>([
    [
      'has a registry that can be read (team B4c)',
      `${BROKEN}; ${work}`,
      [`review governance-loosened ${REGISTRY} in broken`, `block policy-readable ${REGISTRY} in broken`],
    ],
    [
      'may repair it, and the last readable one judges until then',
      `${BROKEN}; git branch -f main w; ${work}; git checkout -q main~1 -- ${REGISTRY}; ${bypass('repair', GOVERNS)}`,
      [`review governance-changed ${REGISTRY} in repair`],
    ],
    [
      'has a config that can be read',
      `echo 'colour: red' >>${CONFIG}; ${bypass('config', GOVERNS)}`,
      [`review governance-loosened ${CONFIG} in config`, `block policy-readable ${CONFIG} in config`],
    ],
    [
      'has a KOTEF.md without conflict markers',
      `printf '<<<<<<< a\\n=======\\n>>>>>>> b\\n' >>.sdd/KOTEF.md; ${bypass('rules', GOVERNS)}`,
      ['review governance-changed .sdd/KOTEF.md in rules', 'block policy-readable .sdd/KOTEF.md in rules'],
    ],
  ])('%s', async (...[, commands, found]) => {
    await using repo = await copyGoverned(template())
    expect(await runCommands(repo, commands)).toMatchObject({ code: 0 })
    expect(await verifyFindings(repo, 'main..w')).toEqual(found)
  })
})
