import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { runCommands, WITHOUT_DRIVER } from '../../rig/judged-repo.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { bypass, verifyFindings } from '../../rig/verify-findings.ts'

const REGISTRY = '.orchestration/active_intents.yaml'
const CONFIG = '.orchestration/config.yaml'
const FOR_1 = 'Intent-ID: INT-001'
const GOVERNS = 'Governance: why'
const WIDEN = `sed -i '/INT-001/s|src/\\*\\*|**|' ${REGISTRY}; ${bypass('widen', GOVERNS)}`
const ADD = `echo '  - { id: INT-009, name: mine, status: IN_PROGRESS, owned_scope: ["**"] }' >>${REGISTRY}
  ${bypass('add', GOVERNS)}`

const template = fixture(async () => {
  const template = await hookedRepo()
  await runCommands(template, `git switch -qc w; ${WITHOUT_DRIVER}`)
  return template
})

type Row = [promise: string, commands: string, found: string[]]

async function shows(...[, commands, found]: Row): Promise<void> {
  await using repo = await copyGoverned(template())
  expect(await runCommands(repo, commands)).toMatchObject({ code: 0 })
  expect(await verifyFindings(repo, 'main..w')).toEqual(found)
}

const WORK = `echo x >>lib/x.ts; ${bypass('work', FOR_1)}`
const STRICT = `echo 'verify: { governance: strict }' >>${CONFIG}; ${bypass('strict', GOVERNS)}; git branch -f main w`
const loosened = `review governance-loosened ${REGISTRY} in widen`
const isNew = `review governance-changed ${REGISTRY} in add`
const WORK_9 = `echo x >>lib/x.ts; ${bypass('work', 'Intent-ID: INT-009')}`

describe.concurrent('what a governance commit of a range grants counts in the range, and is shown', () => {
  test.each<Row>([
    ['an intent that is new, and its work (team S7, solo A2a)', `${ADD}; ${WORK_9}`, [isNew]],
    ['a scope that is wider, and its work (solo A2b)', `${WIDEN}; ${WORK}`, [loosened]],
    [
      'but not after it is taken back',
      `${WIDEN}; git revert -n HEAD; ${bypass('back', GOVERNS)}; ${WORK}`,
      [loosened, `review governance-changed ${REGISTRY} in back`, 'block in-scope lib/x.ts in work'],
    ],
    [
      'but not where its commit gives no reason',
      ADD.replace(GOVERNS, FOR_1) + `; ${WORK_9}`,
      [`block governance-alone ${REGISTRY} in add`, 'block policy-in-range - in work'],
    ],
    [
      'but not a completed intent that is open again',
      `sed -i '/INT-004/s/COMPLETED/PENDING/' ${REGISTRY}; ${bypass('reopen', GOVERNS)}
        echo c >>old/c; ${bypass('work', 'Intent-ID: INT-004')}`,
      [`review governance-loosened ${REGISTRY} in reopen`, 'block policy-in-range - in work'],
    ],
    [
      'but not under a strict config',
      `${STRICT}; ${ADD}; ${WORK_9}`,
      [`block governance-changed ${REGISTRY} in add`, 'block policy-in-range - in work'],
    ],
    [
      'on both sides of a merge',
      `git switch -qc side; ${ADD}; git switch -q w; ${WIDEN}; git merge -q --no-edit side; ${WORK}; ${WORK_9}`,
      [isNew, loosened],
    ],
  ])('%s', async (...[, commands, found]) => {
    await using repo = await copyGoverned(template())
    expect(await runCommands(repo, commands)).toMatchObject({ code: 0 })
    expect((await verifyFindings(repo, 'main..w')).sort()).toEqual([...found].sort())
  })

  test('with its globs', async () => {
    await using repo = await copyGoverned(template())
    await runCommands(repo, `${ADD}; ${WORK_9}`)
    expect((await repo.kotef('verify', 'main..w')).stdout).toContain('review INT-009 is new, with the scope **')
  })
})

describe.concurrent('no commit of a range is allowed by another one in any other way', () => {
  test.each<Row>([
    [
      'a governance plane that is smaller',
      `echo 'governance: [nothing]' >>${CONFIG}; ${bypass('config', GOVERNS)}
        echo 'bots: []' >>${CONFIG}; sed -i '/INT-001/s|src/\\*\\*|**|' ${REGISTRY}; ${bypass('work', FOR_1)}`,
      [
        `review governance-loosened ${CONFIG} in config`,
        `block in-scope ${REGISTRY} in work`,
        `block in-scope ${CONFIG} in work`,
      ],
    ],
    [
      'a registry that is gone',
      `git rm -q ${REGISTRY}; ${bypass('gone', GOVERNS)}; echo x >>lib/x.ts; ${bypass('free')}`,
      [
        `review governance-loosened ${REGISTRY} in gone`,
        'block policy-in-range - in free',
        `block policy-readable ${REGISTRY} in gone`,
      ],
    ],
    [
      'another id of an intent that is widened with it',
      `${WORK_9}; sed -i '/INT-001/{s/INT-001/INT-009/;s|src/\\*\\*|**|}' ${REGISTRY}; ${bypass('renumber', GOVERNS)}`,
      [
        'block intent-known - in work',
        `review governance-changed ${REGISTRY} in renumber`,
        `review governance-changed ${REGISTRY} in renumber`,
      ],
    ],
    [
      'another id of an intent, beyond the scope that it had',
      `${WORK_9}; sed -i 's/INT-001/INT-009/' ${REGISTRY}; ${bypass('renumber', GOVERNS)}`,
      [
        'block in-scope lib/x.ts in work',
        `review governance-changed ${REGISTRY} in renumber`,
        `review governance-changed ${REGISTRY} in renumber`,
      ],
    ],
    [
      'a history of its own with a registry of its own',
      `git switch -q --orphan o; mkdir -p .orchestration
        echo 'active_intents: [{ id: INT-001, name: n, status: IN_PROGRESS, owned_scope: ["**"] }]' >${REGISTRY}
        rm -f .orchestration/agent_trace.jsonl; ${bypass('mine', GOVERNS)}; mkdir -p lib
        echo x >lib/evil; ${bypass('evil', FOR_1)}; git switch -q w
        git -c core.hooksPath=/dev/null merge -q -X ours --allow-unrelated-histories --no-edit o`,
      [
        `review governance-loosened ${REGISTRY} in mine`,
        'block policy-in-range lib/evil in evil',
        "block intent-named - in Merge branch 'o' into w",
        `block intent-id-clash ${REGISTRY} in Merge branch 'o' into w`,
      ],
    ],
  ])('%s', shows)

  const NARROW = `git switch -q main; sed -i '/INT-001/s|src/\\*\\*|src/a.ts|' ${REGISTRY}; ${bypass('narrow', GOVERNS)}
    git switch -q w; git reset -q --hard main`

  test.each<Row>([
    [
      'but a later policy that was merged counts',
      `echo a >>src/a.ts; ${bypass('before', FOR_1)}; git switch -q main; ${ADD}; git switch -q w
        git merge -q --no-edit main; echo x >>lib/x.ts; ${bypass('work', 'Intent-ID: INT-009')}`,
      [],
    ],
    [
      'and an older one that was merged does not',
      `${NARROW}; git switch -qc side main~1; echo a >>src/a.ts; ${bypass('side', FOR_1)}; git switch -q w
        git merge -q --no-edit side; echo b >>src/b.ts; ${bypass('work', FOR_1)}`,
      ['block in-scope src/b.ts in work'],
    ],
    [
      'nor one whose files a merge took',
      `${NARROW}; git switch -qc side main~1; echo a >>src/a.ts; ${bypass('side', FOR_1)}; git switch -q w
        git merge -q --no-commit side; git checkout -q side -- ${REGISTRY}; git commit -qnm take
        echo b >>src/b.ts; ${bypass('work', FOR_1)}`,
      [
        `block governance-alone ${REGISTRY} in take`,
        `block governance-loosened ${REGISTRY} in take`,
        'block policy-in-range src/b.ts in work',
      ],
    ],
  ])('%s', shows)

  test('and the commit that would allow it is named', async () => {
    await using repo = await copyGoverned(template())
    await runCommands(repo, `${STRICT}; ${WIDEN}; ${WORK}`)
    const name = (await repo.git('rev-parse', 'HEAD~1')).slice(0, 10)
    const { stdout } = await repo.kotef('verify', 'main..w')
    expect(stdout).toContain(
      `lib/x.ts is outside intent INT-001 by the policy from before this range, and ${name} (widen)`,
    )
  })

  test('and what is there before the range counts', async () => {
    await using repo = await copyGoverned(template())
    await runCommands(repo, `${WIDEN}; git branch -f main w; ${WORK}`)
    expect(await verifyFindings(repo, 'main..w')).toEqual([])
  })
})

describe.concurrent('a change of what governs', () => {
  test.each<Row>([
    ['is shown', WIDEN, [`review governance-loosened ${REGISTRY} in widen`]],
    ['is shown when it only adds', ADD, [`review governance-changed ${REGISTRY} in add`]],
    ['blocks where the config is strict', `${STRICT}; ${WIDEN}`, [`block governance-loosened ${REGISTRY} in widen`]],
    ['blocks there when it adds', `${STRICT}; ${ADD}`, [`block governance-changed ${REGISTRY} in add`]],
    [
      'passes even there when it allows no more',
      `${STRICT}; sed -i '/INT-001/s|src/\\*\\*|src/a.ts|' ${REGISTRY}; ${bypass('narrow', GOVERNS)}`,
      [`review governance-changed ${REGISTRY} in narrow`],
    ],
    [
      'can not soften itself',
      `${STRICT}; sed -i /^verify/d ${CONFIG}; ${bypass('soften', GOVERNS)}; ${WIDEN}`,
      [`block governance-loosened ${CONFIG} in soften`, `block governance-loosened ${REGISTRY} in widen`],
    ],
    [
      'is none when kotef itself writes it along the way',
      `sed -i '/INT-003/s/PENDING/IN_PROGRESS/' ${REGISTRY}
      ${bypass('start', FOR_1)}`,
      [],
    ],
    [
      'comes alone',
      `echo a >>src/a.ts; echo x >.intentignore; ${bypass('both', GOVERNS)}`,
      ['block governance-alone src/a.ts in both', 'review governance-changed .intentignore in both'],
    ],
    [
      'says so',
      `echo x >.intentignore; ${bypass('silent', FOR_1)}`,
      ['block governance-alone .intentignore in silent'],
    ],
  ])('%s', shows)
})

describe.concurrent('a bot that the config names', () => {
  const BOT = `echo 'bots: [{ email: bot@example.com, paths: ["lib/*.json"] }]' >>${CONFIG}
    ${bypass('bots', GOVERNS)}; git branch -f main w`
  const by = (who: string) => `git add -A; git -c core.hooksPath=/dev/null commit -qm bump --author '${who}'`

  test.each<Row>([
    ['needs no intent for its paths', `${BOT}; echo 1 >lib/l.json; ${by('b <Bot@example.com>')}`, []],
    [
      'needs one for any other',
      `${BOT}; echo 1 >lib/l.json; echo 1 >>lib/x.ts; ${by('b <bot@example.com>')}`,
      ['block intent-named - in bump'],
    ],
    [
      'is not known by its name',
      `${BOT}; echo 1 >lib/l.json; ${by('bot@example.com <me@example.com>')}`,
      ['block intent-named - in bump'],
    ],
    [
      'may not govern',
      `sed -i '/^bots/d' ${CONFIG}; ${BOT.replace('lib/*.json', '**')}; echo x >.intentignore
      ${by('b <bot@example.com>')}`,
      ['block governance-alone .intentignore in bump'],
    ],
    [
      'is none when the range itself names it (team A9)',
      `echo 'bots: [{ email: b@c, paths: ["**"] }]' >>${CONFIG}
      ${bypass('bots', GOVERNS)}; echo 1 >>lib/x.ts; ${by('b <b@c>')}`,
      [`review governance-loosened ${CONFIG} in bots`, 'block policy-in-range - in bump'],
    ],
  ])('%s', shows)
})

test('what was before the adoption is passed over, and counted', async () => {
  await using repo = await copyGoverned(template())
  const { stdout } = await repo.kotef('verify', '--json', 'main')
  expect(JSON.parse(stdout)).toMatchObject({ ranges: [{ commits: 1, passedOver: 1 }], findings: [] })
})
