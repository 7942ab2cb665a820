import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { runCommands } from '../../rig/judged-repo.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { bypass, verifyFindings } from '../../rig/verify-findings.ts'

const REGISTRY = '.orchestration/active_intents.yaml'
const FOR_1 = 'Intent-ID: INT-001'
const FOR_2 = 'Intent-ID: INT-002'
const CLOSE = `sed -i '/INT-002/s/IN_PROGRESS/COMPLETED/' ${REGISTRY}; ${bypass('done', FOR_1)}`

// On branch `w`, which is where main is. X is a commit of INT-002, and docs/b.md has changed above it since.
const template = fixture(async () => {
  const template = await hookedRepo()
  const { code, stderr } = await runCommands(
    template,
    `printf '%s\\n' 1 2 3 4 5 6 7 8 9 >docs/b.md; ${bypass('lines', FOR_2)}
    sed -i s/8/eight/ docs/b.md; ${bypass('X', FOR_2)}; git tag X
    sed -i s/1/one/ docs/b.md; ${bypass('later', FOR_2)}
    git switch -qc side X^; sed -i s/5/five/ docs/b.md; ${bypass('five', FOR_2)}
    sed -i s/8/acht/ docs/b.md; ${bypass('acht', FOR_2)}
    git update-ref refs/remotes/origin/main side; git switch -q main; git switch -qc w`,
  )
  expect({ code, stderr }).toMatchObject({ code: 0 })
  return template
})

const X = '$(git rev-parse X)'
const SIDE = '$(git rev-parse side)'
const EVIL = 'sed -i s/3/evil/ docs/b.md; git add -A'
const says = (...paragraphs: string[]) => `git commit -qm x ${paragraphs.map(it => `-m "${it}"`).join(' ')}`
const SQUASH = `Squashed commit of the following:\n\ncommit ${X}`
const REVIEW = 'review source-content docs/b.md in'

type Row = [promise: string, commands: string, found: string[]]

async function shows(...[, commands, found]: Row): Promise<void> {
  await using made = await copyGoverned(template())
  const unhooked = `git config core.hooksPath /dev/null; ${commands}`
  expect(await runCommands(made, unhooked)).toMatchObject({ code: 0 })
  expect(await verifyFindings(made, 'main..w')).toEqual(found)
  await using repo = await copyGoverned(template())
  const { code, stderr } = await runCommands(repo, commands)
  expect({ code, stderr }).toMatchObject({ code: found.some(it => it.startsWith('block')) ? 1 : 0 })
}

describe.concurrent('a message that names another commit lends nothing to other content', () => {
  const OUTSIDE = ['block in-scope docs/b.md in x']
  test.each<Row>([
    ['as a revert (41b)', `${EVIL}; ${says(`This reverts commit ${X}.`, FOR_1)}`, OUTSIDE],
    ['as a pick (43b)', `${EVIL}; ${says(`(cherry picked from commit ${X})\n${FOR_1}`)}`, OUTSIDE],
    ['as a squash (42)', `${EVIL}; ${says(SQUASH, FOR_1)}`, OUTSIDE],
    ['of an intent that is completed', `${CLOSE}; ${EVIL}; ${says(`This reverts commit ${X}.`, FOR_1)}`, OUTSIDE],
    ['with that intent cited', `${CLOSE}; ${EVIL}; ${says(`This reverts commit ${X}.`, FOR_2)}`, OUTSIDE],
    [
      'beside what is reverted',
      `git revert -n X; sed -i s/3/evil/ docs/b.md; git add -A; ${says(`This reverts commit ${X}.`, FOR_1)}`,
      OUTSIDE,
    ],
    ['as a removal', `git rm -q docs/b.md; ${says(`This reverts commit ${X}.`, FOR_1)}`, OUTSIDE],
    ['as a mode', `chmod +x docs/b.md; git add -A; ${says(`This reverts commit ${X}.`, FOR_1)}`, OUTSIDE],
  ])('%s', shows)

  test('without any trailer it is work for that intent, which a person reviews while the intent is open', async () => {
    const forged = (before: string) => `git config core.hooksPath /dev/null
      ${before}; ${EVIL}; ${says(`This reverts commit ${X}.`)}`
    await using open = await copyGoverned(template())
    expect(await runCommands(open, forged(':'))).toMatchObject({ code: 0 })
    expect(await verifyFindings(open, 'main..w')).toEqual([`${REVIEW} x`])
    await using closed = await copyGoverned(template())
    expect(await runCommands(closed, forged(CLOSE))).toMatchObject({ code: 0 })
    expect(await verifyFindings(closed, 'main..w')).toEqual(OUTSIDE)
  })
})

describe.concurrent('what git makes of another commit is lent its intent', () => {
  test.each<Row>([
    ['a revert below a later change', `${CLOSE}; git revert --no-edit X >../out`, []],
    ['a revert by hand', `${CLOSE}; git revert -n X; ${says(`This reverts commit ${X}.`, FOR_2)}`, []],
    ['a revert of the revert', `${CLOSE}; git revert --no-edit X; git revert --no-edit HEAD >../out`, []],
    ['a pick above a later change', `${CLOSE}; git cherry-pick -x side~1 >../out`, []],
    ['a squash of two onto a moved branch', `${CLOSE}; git merge -q --squash side~1; git commit -q --no-edit`, []],
    [
      'a file that was written again as it was',
      `git show X^:docs/b.md >docs/b.md; git add -A; ${says(`This reverts commit ${X}.`, FOR_1)}`,
      [],
    ],
    ['the revert of a merge', `git merge -q --no-edit side~1; ${CLOSE}; git revert --no-edit -m 1 HEAD^ >../out`, []],
  ])('%s', shows)
})

describe.concurrent('a conflict that a person settled is reviewed', () => {
  const settle = "sed -i '/^<<<<<<<\\|^=======\\|^>>>>>>>/d' docs/b.md; git add -A"
  test.each<Row>([
    ['a pick', `git cherry-pick -x side >../out || { ${settle}; git commit -q --no-edit; }`, []],
    [
      'a pick of a completed intent',
      `${CLOSE}; git cherry-pick -x side >../out || { ${settle}; git commit -q --no-edit; }`,
      [`${REVIEW} acht`],
    ],
    [
      'a squash of a completed intent',
      `${CLOSE}; git merge -q --squash side >../out || { ${settle}; ${says(`${SQUASH.replace(X, SIDE)}`, FOR_2)}; }`,
      [`${REVIEW} x`],
    ],
  ])('%s', shows)
})

// Git's files say what is reverted or squashed, and a person who has the commit alone does not see them.
describe.concurrent('a message in the words of its author alone lends nothing, in the hook as in the push', () => {
  const CLOSED = ['block intent-open - in x']
  test.each<Row>([
    ['a revert', `${CLOSE}; git revert -n X; ${says(FOR_2)}`, CLOSED],
    ['a squash', `${CLOSE}; git merge -q --squash side~1; ${says(FOR_2)}`, CLOSED],
  ])('%s', shows)

  test('and the hook says how to keep the message of git', async () => {
    await using repo = await copyGoverned(template())
    const { code, stderr } = await runCommands(repo, `${CLOSE}; git revert -n X; git commit -qm mine`)
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('`git commit --no-edit`') })
    expect(await repo.run('git', ['commit', '-q', '--no-edit'])).toMatchObject({ code: 0, stderr: '' })
    expect(await verifyFindings(repo, 'main..w')).toEqual([])
  })
})
