import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { runCommands, FORGE_SQUASH } from '../../rig/judged-repo.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { bypass, verifyFindings } from '../../rig/verify-findings.ts'

const REGISTRY = '.orchestration/active_intents.yaml'
const FOR_1 = 'Intent-ID: INT-001'

// On branch `w`, which is where main is. INT-004 owned old/** and is completed.
const template = fixture(async () => {
  const template = await hookedRepo()
  await runCommands(template, 'git switch -qc w')
  return template
})

type Row = [promise: string, commands: string, found: string[]]

async function shows(...[, commands, found]: Row): Promise<void> {
  await using repo = await copyGoverned(template())
  expect(await runCommands(repo, commands)).toMatchObject({ code: 0 })
  expect(await verifyFindings(repo, 'main..w')).toEqual(found)
}

describe.concurrent('the trailer of a commit', () => {
  const work = 'echo a >>src/a.ts'
  test.each<Row>([
    ['names the intent that owns the change', `${work}; ${bypass('ok', FOR_1)}`, []],
    ['is missing', `${work}; ${bypass('bare')}`, ['block intent-named - in bare']],
    [
      'is in the body, where git finds none',
      `${work}; ${bypass('body', FOR_1, 'and prose')}`,
      ['block trailer-misplaced - in body'],
    ],
    [
      'is among prose',
      `${work}; ${bypass('prose', `${FOR_1}\nand prose about it, which is no trailer`)}`,
      ['block trailer-misplaced - in prose'],
    ],
    [
      'is above other text, and another one at the end',
      `echo b >>docs/b.md; ${bypass('two', 'Intent-ID: INT-002', 'text', FOR_1)}`,
      ['review trailer-misplaced - in two', 'block in-scope docs/b.md in two'],
    ],
    ['is the subject', `${work}; ${bypass(FOR_1)}`, [`block trailer-misplaced - in ${FOR_1}`]],
    ['is forged', `${work}; ${bypass('forged', 'Intent-ID: INT-999')}`, ['block intent-known - in forged']],
    ['is spelled almost right', `${work}; ${bypass('near', 'Intent-ID: int-001')}`, ['block intent-known - in near']],
    [
      'names an intent that is completed',
      `echo c >>old/c; ${bypass('closed', 'Intent-ID: INT-004')}`,
      ['block intent-open - in closed'],
    ],
    [
      'names an intent that owns something else',
      `${work}; ${bypass('other', 'Intent-ID: INT-002')}`,
      ['block in-scope src/a.ts in other'],
    ],
    ['stands above `Co-authored-by:` of a button', `${work}; ${bypass('one', FOR_1, 'Co-authored-by: A <a@b>')}`, []],
  ])('%s', shows)
})

describe.concurrent('what a commit changes', () => {
  test.each<Row>([
    ['a file outside', `echo x >>lib/x.ts; ${bypass('s', FOR_1)}`, ['block in-scope lib/x.ts in s']],
    ['a rename into the scope', `git mv lib/x.ts src/x.ts; ${bypass('s', FOR_1)}`, ['block in-scope lib/x.ts in s']],
    ['a rename out of it', `git mv src/a.ts lib/a.ts; ${bypass('s', FOR_1)}`, ['block in-scope lib/a.ts in s']],
    ['a deletion', `git rm -q lib/x.ts; ${bypass('s', FOR_1)}`, ['block in-scope lib/x.ts in s']],
    ['a mode', `chmod +x lib/x.ts; ${bypass('s', FOR_1)}`, ['block in-scope lib/x.ts in s']],
    ['a symlink', `ln -s ../lib/x.ts lib/l; ${bypass('s', FOR_1)}`, ['block in-scope lib/l in s']],
    [
      'a submodule',
      `git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),lib/m; mkdir lib/m; ${bypass('s', FOR_1)}`,
      ['block in-scope lib/m in s'],
    ],
    [
      'a fixup that nobody squashed',
      `echo a >>src/a.ts; ${bypass('fixup! it', FOR_1)}`,
      ['review autosquash - in fixup! it'],
    ],
    [
      'all sides of a merge',
      `${side('echo x >>lib/x.ts')}; git merge -q --no-edit side`,
      ['block in-scope lib/x.ts in side'],
    ],
    ['a clean merge', `${side('echo b >>src/b.ts')}; git merge -q --no-edit side`, []],
    ['what a merge adds to both sides', `${side('echo b >>src/b.ts')}; ${EVIL}`, ['block intent-named - in evil']],
  ])('%s', shows)
})

const EVIL = 'git merge -q --no-commit side 2>/dev/null; echo e >>lib/x.ts; git add -A; git commit -qnm evil'

function side(commands: string): string {
  const on = (branch: string) => bypass(branch, FOR_1)
  return `git switch -qc side; ${commands}; ${on('side')}; git switch -q w; echo a >>src/a.ts; ${on('w')}`
}

describe.concurrent('what was made of other commits', () => {
  // Of an intent that was completed before the range begins.
  const OLD = `git switch -q main; echo 1 >>old/c; ${bypass('old work', 'Intent-ID: INT-004')}
    git switch -q w; git reset -q --hard main; old=$(git rev-parse HEAD)`
  const UNDO = 'git checkout -q main~1 -- old; git add -A; git -c core.hooksPath=/dev/null commit -qm undo -m'

  test.each<Row>([
    ['a revert', `${OLD}; git -c core.hooksPath=/dev/null revert --no-edit HEAD >../out`, []],
    ['a revert in words of its own', `${OLD}; ${UNDO} "Reverts $old, which was wrong"`, []],
    [
      'a revert that does more',
      `${OLD}; echo x >>lib/x.ts; ${UNDO} "This reverts commit $old."`,
      ['block in-scope lib/x.ts in undo'],
    ],
    [
      'a revert of nothing that is here',
      `${OLD}; ${UNDO} "This reverts commit ${'1'.repeat(40)}."`,
      ['block intent-named - in undo'],
    ],
    [
      'a pick',
      `git switch -qc p; echo a >>src/a.ts; ${bypass('work', FOR_1)}; git switch -q w
      git -c core.hooksPath=/dev/null cherry-pick -x p >../out`,
      [],
    ],
    ['a squash at a button', `echo a >>src/a.ts; echo d >>docs/b.md; ${FORGE_SQUASH}`, []],
    [
      'a squash at a button, and more',
      `echo a >>src/a.ts; echo x >>lib/x.ts; ${FORGE_SQUASH}`,
      ['block in-scope lib/x.ts in * one'],
    ],
    [
      'a squash by hand, whose last message has the only trailer that git finds',
      `echo a >>src/a.ts; echo d >>docs/b.md
      ${bypass('one', FOR_1, 'two', 'Intent-ID: INT-002')}`,
      ['review trailer-misplaced - in one', 'block in-scope src/a.ts in one'],
    ],
  ])('%s', shows)
})

const ADD_9 = `echo '  - { id: INT-009, name: new, owned_scope: ["new/**"] }' >>${REGISTRY}`
const WORK_9 = 'mkdir -p new; echo n >>new/n'
const isNew = (subject: string) => `review governance-changed ${REGISTRY} in ${subject}`

describe.concurrent('a squash of a governance commit and its work', () => {
  const github = ['* add', 'Governance: new', '* work', 'Intent-ID: INT-009', '---------', 'Co-authored-by: A <a@b>']
  test.each<Row>([
    [
      'with both trailers in one paragraph (team A10)',
      `${ADD_9}; ${WORK_9}; ${bypass('both', 'Governance: new\nIntent-ID: INT-009')}`,
      [isNew('both')],
    ],
    ['as GitHub writes it', `${ADD_9}; ${WORK_9}; ${bypass(...github)}`, [isNew('* add')]],
    [
      'grants nothing to another intent',
      `${ADD_9}; echo x >>lib/x.ts; ${bypass('both', 'Governance: new\nIntent-ID: INT-009')}`,
      ['block in-scope lib/x.ts in both', isNew('both')],
    ],
    [
      'without a word of governance',
      `${ADD_9}; ${WORK_9}; ${bypass('work', 'Intent-ID: INT-009')}`,
      [`block governance-alone ${REGISTRY} in work`, 'block intent-known - in work'],
    ],
    [
      'whose description lost the trailers (team A10)',
      `${ADD_9}; ${WORK_9}; ${bypass('Title (#1)')}`,
      [`block governance-alone ${REGISTRY} in Title (#1)`, 'block intent-named - in Title (#1)'],
    ],
  ])('%s', shows)
})

describe.concurrent('a revert of work whose intent came with it', () => {
  const BRANCH = `git switch -qc x; ${ADD_9}; ${bypass('add', 'Governance: new')}; ${WORK_9}
    ${bypass('work', 'Intent-ID: INT-009')}; git switch -q w`
  const LANDED = 'git branch -f main w'
  const gone = (subject: string) => `review governance-changed ${REGISTRY} in ${subject}`

  test.each<Row>([
    [
      'of a merge (solo A3, team S7)',
      `${BRANCH}; git merge -q --no-ff --no-edit x; ${LANDED}; git revert --no-edit -m 1 HEAD >../out`,
      [gone('Revert "Merge branch \'x\' into w"')],
    ],
    [
      'of a squash (team S7)',
      `${BRANCH}; git merge -q --squash x; ${bypass('s', 'Governance: new\nIntent-ID: INT-009')}; ${LANDED}
        git revert --no-edit HEAD >../out`,
      [gone('Revert "s"')],
    ],
    [
      'of a merge, with another change of the registry since',
      `${BRANCH}; git merge -q --no-ff --no-edit x; m=$(git rev-parse HEAD)
        sed -i 's/^active_intents:/&  # all/' ${REGISTRY}
        ${bypass('c', 'Governance: comment')}; ${LANDED}; git revert --no-edit -m 1 $m >../out`,
      [gone('Revert "Merge branch \'x\' into w"')],
    ],
    [
      'that widens something on the way',
      `${BRANCH}; git merge -q --no-ff --no-edit x; ${LANDED}; git revert -n -m 1 HEAD
        sed -i '/INT-001/s|src/..|**|' ${REGISTRY}; ${bypass('r', 'This reverts commit OID.')}`,
      [
        `block governance-alone ${REGISTRY} in r`,
        `review governance-loosened ${REGISTRY} in r`,
        `review governance-changed ${REGISTRY} in r`,
      ],
    ],
  ])('%s', async (...[, commands, found]) => {
    await using repo = await copyGoverned(template())
    const script = commands.replace("'This reverts commit OID.'", '"This reverts commit $(git rev-parse HEAD)."')
    expect(await runCommands(repo, `git config core.hooksPath /dev/null; ${script}`)).toMatchObject({ code: 0 })
    expect(await verifyFindings(repo, 'main..w')).toEqual(found)
  })
})

describe.concurrent('a pick onto a branch that lacks the intent', () => {
  // The release branch was cut before INT-009 came to main, which the remote has.
  const RELEASE = `git config core.hooksPath /dev/null; git branch release; git switch -q main; ${ADD_9}
    ${bypass('add', 'Governance: new')}; ${WORK_9}; ${bypass('work', 'Intent-ID: INT-009')}; pick=$(git rev-parse HEAD)
    git init -q --bare ../there; git remote add origin ../there; git push -q --no-verify origin main release
    git switch -qC w release`

  test.each<Row>([
    ['is lent the intent of the original (team S12)', `${RELEASE}; git cherry-pick -x $pick >../out`, []],
    [
      'only for the paths of the original',
      `${RELEASE}; git cherry-pick -x $pick >../out; echo m >new/m; git add new; git commit -q --amend --no-edit`,
      ['block in-scope new/m in work'],
    ],
  ])('%s', async (...[, commands, found]) => {
    await using repo = await copyGoverned(template())
    expect(await runCommands(repo, commands)).toMatchObject({ code: 0 })
    expect(await verifyFindings(repo, 'release..w')).toEqual(found)
  })

  test('onto one from before the adoption has nothing to judge (team S12)', async () => {
    await using repo = await copyGoverned(template())
    const commands = `${RELEASE}; git branch old $(git rev-list --max-parents=0 main); git switch -q old
      git cherry-pick -x $pick >../out`
    expect(await runCommands(repo, commands)).toMatchObject({ code: 0 })
    const { code, stdout } = await repo.kotef('verify', 'old~1..old')
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing to judge') })
  })
})

test('an intent that is completed on the way covers nothing after that', async () => {
  await using repo = await copyGoverned(template())
  await runCommands(
    repo,
    `echo a >>src/a.ts; sed -i '/INT-001/s/IN_PROGRESS/COMPLETED/' ${REGISTRY}
    ${bypass('last', FOR_1)}; echo b >>src/a.ts; ${bypass('late', FOR_1)}`,
  )
  expect(await verifyFindings(repo, 'main..w')).toEqual(['block intent-open - in late'])
})
