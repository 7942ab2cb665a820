import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { runCommands, judgeNewHistory, judgedRepo } from '../../rig/judged-repo.ts'
import { copyGoverned } from '../../rig/hooked-repo.ts'
import type { Repo } from '../../rig/repo.ts'

const UNHOOKED = '-c core.hooksPath=/dev/null'

// `side` has a commit of INT-002, and one that names no intent.
const template = fixture(async () => {
  const template = await judgedRepo()
  const commands = `
    git switch -qc side
    echo x >>docs/b.md; git commit -qam docs -m 'Intent-ID: INT-002'
    echo y >>src/b.ts; git ${UNHOOKED} commit -qam 'of nobody'
    git switch -q main
    echo z >>src/a.ts; git commit -qam 'on main'`
  expect(await runCommands(template, commands)).toMatchObject({ code: 0, stderr: '' })
  await judgeNewHistory(template)
  return template
})

const IDS = '%(trailers:key=Intent-ID,valueonly,separator=%x2C)'
const REGISTRY = '.orchestration/active_intents.yaml'
// What the hooks make of this commit is shown elsewhere.
const CLOSE = `sed -i '/INT-002/s/IN_PROGRESS/COMPLETED/' ${REGISTRY}
  git ${UNHOOKED} commit -qam 'INT-002 is done' -m 'Intent-ID: INT-001'`
const quiet = { code: 0, stderr: '' }

/** Runs commands; the ids of the newest commit, and what is found afterwards. */
async function afterwards(repo: Repo, commands: string) {
  const { code, stderr } = await runCommands(repo, commands)
  return {
    code,
    stderr,
    ids: (await repo.git('log', '-1', `--format=${IDS}`)).trim(),
    found: await judgeNewHistory(repo),
  }
}

describe('a cherry-pick', () => {
  test('keeps its own id, and needs no other', async () => {
    await using repo = await copyGoverned(template())
    const outcome = await afterwards(repo, 'git cherry-pick -x side~1 >../out')
    expect(outcome).toEqual({ ...quiet, ids: 'INT-002', found: [] })
  })

  test('without an id is given the live one, and is judged by it', async () => {
    await using repo = await copyGoverned(template())
    const plain = await afterwards(repo, 'git cherry-pick side >../out')
    expect(plain).toEqual({ ...quiet, ids: 'INT-001', found: [] })
    await runCommands(
      repo,
      `git switch -q side; echo l >>lib/x.ts; git ${UNHOOKED} commit -qam stray; git switch -q main`,
    )
    await judgeNewHistory(repo)
    const stray = await afterwards(repo, 'git cherry-pick side >../out')
    expect(stray).toEqual({ ...quiet, ids: 'INT-001', found: ['in-scope lib/x.ts in stray'] })
  })

  test('of an intent that is completed by now breaks no rule, in conflict or not', async () => {
    await using repo = await copyGoverned(template())
    expect(await afterwards(repo, `${CLOSE}; git cherry-pick -x side~1 >../out`)).toMatchObject({ code: 0, found: [] })
    const clash = `git reset -q --hard HEAD~1; mkdir -p docs; echo other >docs/b.md
      git commit -qanm other -m 'Intent-ID: INT-001'; git cherry-pick -x side~1 >../out 2>&1 || :
      echo both >docs/b.md; git add docs`
    await runCommands(repo, clash)
    await judgeNewHistory(repo)
    expect(await afterwards(repo, 'git commit -q --no-edit')).toEqual({ ...quiet, ids: 'INT-002', found: [] })
  })

  test('that was in conflict is held to its own intent and to the live one', async () => {
    await using repo = await copyGoverned(template())
    const clash = `echo other >docs/b.md; git commit -qanm other; git cherry-pick side~1 >../out 2>&1 || :
      echo both >docs/b.md; echo l >>lib/x.ts; git add -A; git cherry-pick --continue`
    const { code, stderr } = await runCommands(repo, clash)
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('block  lib/x.ts is outside intent INT-001'),
    })
  })
})

test('a cherry-pick in conflict covers what it picks of a completed intent, and no path besides', async () => {
  await using repo = await copyGoverned(template())
  const clash = `echo other >docs/b.md; git commit -qanm other -m 'Intent-ID: INT-002'; ${CLOSE}
    git cherry-pick side~1 >../out 2>&1 || :; echo both >docs/b.md; echo n >docs/n.md; git add docs`
  await runCommands(repo, clash)
  const { code, stderr } = await runCommands(repo, 'git commit -q --no-edit')
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('1 problem.\n  block  docs/n.md') })
  expect(await afterwards(repo, 'git rm -q --cached docs/n.md; git commit -q --no-edit')).toMatchObject({ ...quiet })
})

describe('a revert', () => {
  test('of a completed intent breaks no rule, nor does its own revert', async () => {
    await using repo = await copyGoverned(template())
    const commands = `git merge -q --no-ff side~1 -m merge; ${CLOSE}; git revert --no-edit side~1 >../out
      git revert --no-edit HEAD >../out`
    expect(await afterwards(repo, commands)).toEqual({ ...quiet, ids: 'INT-002', found: [] })
  })

  test('in conflict, of a completed intent, is judged and goes through', async () => {
    await using repo = await copyGoverned(template())
    const clash = `git merge -q --no-ff side~1 -m merge; echo more >>docs/b.md
      git commit -qam m -m 'Intent-ID: INT-002'
      ${CLOSE}; git revert side~1 >../out 2>&1 || :; echo b >docs/b.md; git add docs`
    await runCommands(repo, clash)
    expect(await afterwards(repo, 'git commit -q --no-edit')).toEqual({ ...quiet, ids: 'INT-002', found: [] })
  })

  test('of a merge takes back the work of its whole side', async () => {
    await using repo = await copyGoverned(template())
    const commands = `git merge -q --no-ff side~1 -m merge; ${CLOSE}; git revert --no-edit -m 1 HEAD~1 >../out`
    expect(await afterwards(repo, commands)).toMatchObject({ ...quiet, found: [] })
  })

  test('of what no intent owned is free (solo N14)', async () => {
    await using repo = await copyGoverned(template())
    const commands = 'echo l >>lib/x.ts; git commit -qanm stray; git revert --no-edit HEAD >../out'
    expect((await afterwards(repo, commands)).found).toEqual(['in-scope lib/x.ts in stray'])
  })
})

const CLASH = `git switch -qc w HEAD~1; echo w >>src/a.ts; git commit -qam w; git rebase -q main >../out 2>&1 || :
  echo both >src/a.ts; echo l >>lib/x.ts; git add -A`

describe('a rebase', () => {
  test('is never refused and never stamped, and what it carries is judged anew', async () => {
    await using repo = await copyGoverned(template())
    const outcome = await afterwards(repo, 'git rebase -q main side')
    expect(outcome).toEqual({ ...quiet, ids: '', found: ['intent-named - in of nobody'] })
  })

  test('of an intent that is completed by now keeps its id, and breaks no rule', async () => {
    await using repo = await copyGoverned(template())
    const outcome = await afterwards(repo, `${CLOSE}; git rebase -q main side~1`)
    expect(outcome).toEqual({ ...quiet, ids: 'INT-002', found: [] })
  })

  test('with --apply, which runs no hook of a commit, is judged as well', async () => {
    await using repo = await copyGoverned(template())
    const { found } = await afterwards(repo, 'git rebase -q --apply main side')
    expect(found).toEqual(['intent-named - in of nobody'])
  })

  test('whose conflict is settled outside the intent is found when it is over', async () => {
    await using repo = await copyGoverned(template())
    await runCommands(repo, CLASH)
    expect(await judgeNewHistory(repo)).toEqual([])
    const found = ['in-scope lib/x.ts in w']
    expect(await afterwards(repo, 'git rebase --continue >../out 2>&1')).toEqual({ ...quiet, ids: 'INT-001', found })
  })

  test('whose conflict is settled by a commit of the user is held to the intent', async () => {
    await using repo = await copyGoverned(template())
    const { code, stderr } = await runCommands(repo, `${CLASH}; git commit -q --no-edit`)
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('block  lib/x.ts is outside') })
    const { stderr: none } = await runCommands(repo, 'git restore -SW lib; git commit -q --no-edit')
    expect(none).toBe('')
    expect(await afterwards(repo, 'git rebase --continue >../out 2>&1')).toMatchObject({ code: 0, found: [] })
  })

  test('that is aborted leaves nothing to tell', async () => {
    await using repo = await copyGoverned(template())
    await runCommands(repo, `git switch -qc w HEAD~1; echo n >>src/n.ts; git add src; git ${UNHOOKED} commit -qm n`)
    expect(await judgeNewHistory(repo)).toEqual(['intent-named - in n'])
    await runCommands(repo, 'echo w >>src/a.ts; git commit -qam w; git rebase -q main >../out 2>&1 || :')
    // By now one commit has been made anew.
    expect(await repo.git('log', '-1', '--format=%s')).toBe('n\n')
    expect(await judgeNewHistory(repo)).toEqual([])
    expect(await afterwards(repo, 'git rebase --abort')).toMatchObject({ code: 0, found: [] })
  })

  test('that squashes two intents breaks no rule', async () => {
    await using repo = await copyGoverned(template())
    const commands = `git switch -qc w; echo d >>docs/b.md; git commit -qam d -m 'Intent-ID: INT-002'
      GIT_SEQUENCE_EDITOR='sed -i 2s/pick/squash/' git rebase -q -i HEAD~2`
    expect(await afterwards(repo, commands)).toMatchObject({ code: 0, found: [] })
    expect(await repo.git('rev-list', '--count', 'main..')).toBe('1\n')
  })

  test('in conflict, of an intent that is completed by now, goes through by a commit of the user', async () => {
    await using repo = await copyGoverned(template())
    const clash = `echo other >docs/b.md; git commit -qam other -m 'Intent-ID: INT-002'; ${CLOSE}
      git rebase -q main side~1 >../out 2>&1 || :; echo both >docs/b.md; git add docs`
    await runCommands(repo, clash)
    const commands = 'git commit -q --no-edit; git rebase --continue >../out 2>&1'
    expect(await afterwards(repo, commands)).toEqual({ ...quiet, ids: 'INT-002', found: [] })
    expect(await repo.git('log', '-1', '--format=%s')).toBe('docs\n')
  })

  test('that rewords accepts the id of an intent that is completed by now', async () => {
    await using repo = await copyGoverned(template())
    const commands = `${CLOSE}; git switch -q --detach side~1
      GIT_SEQUENCE_EDITOR='sed -i 1s/pick/reword/' git rebase -q -i main`
    expect(await afterwards(repo, commands)).toEqual({ ...quiet, ids: 'INT-002', found: [] })
  })

  test('that rewords accepts the id that the commit has', async () => {
    await using repo = await copyGoverned(template())
    const commands = `git switch -q --detach side~1
      GIT_SEQUENCE_EDITOR='sed -i 1s/pick/reword/' git rebase -q -i HEAD~1`
    expect(await afterwards(repo, commands)).toMatchObject({ code: 0, ids: 'INT-002', found: [] })
  })

  test('from the root accuses nobody anew', async () => {
    await using repo = await copyGoverned(template())
    const { code, found } = await afterwards(repo, 'git rebase -q --root -f')
    expect({ code, found }).toEqual({ code: 0, found: [] })
  })

  test('that stops lets the user commit, who is held to the intent and stamped', async () => {
    await using repo = await copyGoverned(template())
    await runCommands(repo, "GIT_SEQUENCE_EDITOR='sed -i 1s/pick/edit/' git rebase -q -i HEAD~1 >../out 2>&1")
    const outside = await runCommands(repo, 'echo l >>lib/x.ts; git add lib; git commit -qm stray')
    expect(outside).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('block  lib/x.ts is outside intent INT-001'),
    })
    const inside =
      'git restore -SW lib; echo n >src/n; git add src; git commit -qm own; git rebase --continue >../out 2>&1'
    expect(await afterwards(repo, inside)).toEqual({ ...quiet, ids: 'INT-001', found: [] })
  })
})

describe('an amendment', () => {
  test('is judged, and what it replaced is not', async () => {
    await using repo = await copyGoverned(template())
    const commands = `echo l >>lib/x.ts; git commit -qanm stray; git restore -s HEAD~1 -SW lib
      echo n >>docs/b.md; git commit -qan --amend -m amended -m 'Intent-ID: INT-001'`
    expect((await afterwards(repo, commands)).found).toEqual(['in-scope docs/b.md in amended'])
  })

  test('that names no intent any more inherits what it was', async () => {
    await using repo = await copyGoverned(template())
    await repo.write('../editor', '#!/bin/sh\necho anew >"$1"\n', 0o755)
    const commands = 'git switch -qc w side~1; GIT_EDITOR=../editor git commit -q --amend --no-verify'
    expect(await afterwards(repo, commands)).toMatchObject({ code: 0, ids: '', found: [] })
    expect(await repo.git('log', '-1', '--format=%B')).toBe('anew\n\n')
  })
})

test('what comes by mail is judged', async () => {
  await using repo = await copyGoverned(template())
  const { code, found } = await afterwards(repo, 'git format-patch -q --stdout main~1..side | git am -q')
  expect({ code, found }).toEqual({ code: 0, found: ['intent-named - in of nobody'] })
})
