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
      'a squash whose last message has a trailer of its own',
      `echo a >>src/a.ts; echo d >>docs/b.md
      ${bypass('one', FOR_1, 'two', 'Intent-ID: INT-002')}`,
      [],
    ],
  ])('%s', shows)
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
