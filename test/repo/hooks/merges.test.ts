import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { runCommands, judgeNewHistory, judgedRepo } from '../../rig/judged-repo.ts'
import { copyGoverned } from '../../rig/hooked-repo.ts'
import { ledgerEvents } from '../../rig/ledger-events.ts'

// Beside main lies `side`, where another intent changed docs/b.md and, as main did, src/b.ts on other lines.
const template = fixture(async () => {
  const template = await judgedRepo()
  const commands = `
    git switch -qc side
    echo x >>docs/b.md; git commit -qam 'on side' -m 'Intent-ID: INT-002'
    git switch -q main
    echo y >>src/a.ts; git commit -qam 'on main'`
  expect(await runCommands(template, commands)).toMatchObject({ code: 0, stderr: '' })
  expect(await judgeNewHistory(template)).toEqual([])
  return template
})

const FINE = { code: 0, stdout: '', stderr: '' }
const CLASH = `
  git switch -q side; echo s >>src/b.ts; echo s >>lib/x.ts
  git commit -qam theirs --no-verify -m 'Intent-ID: INT-002'
  git switch -q main; echo m >>src/b.ts; echo m >>lib/x.ts; git commit -qam ours --no-verify; git merge -q side || :
  echo both >src/b.ts; echo both >lib/x.ts; git add -A`
const EVIL = 'git merge -q --no-commit --no-ff side; echo evil >>lib/x.ts; git add lib'

describe('an ordinary merge', () => {
  test.each([
    ['--no-ff', 'git merge -q --no-ff side'],
    ['--no-commit, then commit', 'git merge -q --no-commit --no-ff side 2>../out; git commit -qm merge'],
    ['with an edited message', 'GIT_EDITOR=true git merge -q --no-ff --edit side'],
    ['that moves HEAD only', 'git branch -f side HEAD; git switch -qc old HEAD~1; git merge -q --ff-only side'],
    ['of three sides', 'git branch third side~1; git switch -qc o third; git merge -q main side >../out'],
    ['that cites nothing that is open', "git merge -q --no-ff side -m merge -m 'Intent-ID: INT-004'"],
  ])('%s goes through in silence, and leaves nothing to tell', async (_, commands) => {
    await using repo = await copyGoverned(template())
    expect(await runCommands(repo, commands)).toEqual(FINE)
    expect(await judgeNewHistory(repo)).toEqual([])
  })

  test('starts no Node, and is given no trailer', async () => {
    await using repo = await copyGoverned(template())
    await repo.write(
      '.git/kotef/hook.cjs',
      'console.error(`${process.argv[2]} takes the long way`); process.exit(88)\n',
    )
    expect(await runCommands(repo, 'git merge -q --no-ff side')).toEqual(FINE)
    expect(await repo.git('log', '-1', '--format=%p %(trailers)')).toMatch(/^\w+ \w+ \n$/)
  })

  test('is judged the long way where git is too old to tell what it would make', async () => {
    await using repo = await copyGoverned(template())
    const git = (await repo.run('sh', ['-c', 'command -v git'])).stdout.trim()
    await repo.write('../old/git', `#!/bin/sh\n[ "$1" != merge-tree ] || exit 129\nexec ${git} "$@"\n`, 0o755)
    for (const hook of ['pre-merge-commit', 'commit-msg']) {
      const path = `.git/hooks/${hook}`
      await repo.write(path, (await repo.read(path)).replace('\n', `\nPATH=${repo.base}/old:$PATH\n`))
    }
    const old = 'git merge -q --no-ff side'
    expect(await runCommands(repo, old)).toEqual(FINE)
  })
})

describe('a conflict', () => {
  test('that is settled inside the intent goes through in silence', async () => {
    await using repo = await copyGoverned(template())
    const clash = `git switch -q side; echo s >>src/b.ts; git commit -qam theirs
      git switch -q main; echo m >>src/b.ts; git commit -qam ours; git merge -q side >../out || :
      echo both >src/b.ts; git commit -qam merge`
    expect(await runCommands(repo, clash)).toEqual(FINE)
    expect(await repo.git('show', 'HEAD:src/b.ts')).toBe('both\n')
    expect(await judgeNewHistory(repo)).toEqual([])
  })

  test('that is settled outside the intent is shown and let through, and is no violation', async () => {
    await using repo = await copyGoverned(template())
    expect(await runCommands(repo, CLASH)).toMatchObject({ code: 0 })
    await judgeNewHistory(repo)
    const { code, stderr } = await repo.run('git', ['commit', '-qm', 'merge'])
    expect(code).toBe(0)
    expect(stderr).toContain('for review, 0 problems, 1 thing to look at.\n  review lib/x.ts is outside intent')
    expect(stderr.match(/for review/g)).toHaveLength(1)
    expect(await judgeNewHistory(repo)).toEqual([])
  })

  test('does not excuse what else the merge changes', async () => {
    await using repo = await copyGoverned(template())
    await runCommands(repo, `${CLASH}; echo evil >>old/c; git add -A`)
    await judgeNewHistory(repo)
    const { code, stderr } = await repo.run('git', ['commit', '-qm', 'merge'])
    expect(code).toBe(1)
    expect(stderr).toContain('  block  old/c is outside intent INT-001; the merge itself changes it')
    expect(stderr).toContain('  review lib/x.ts')
    await repo.git('commit', '-q', '--no-verify', '-m', 'merge', '-m', 'Intent-ID: INT-001')
    expect(await judgeNewHistory(repo)).toEqual(['in-scope old/c in merge'])
  })
})

describe('an evil merge', () => {
  test('is stopped when it is committed', async () => {
    await using repo = await copyGoverned(template())
    const { code, stderr } = await runCommands(repo, `${EVIL}; git commit -qm merge`)
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('lib/x.ts is outside intent INT-001; the merge itself changes it'),
    })
  })

  test('that the live intent owns is stamped with it, and goes through', async () => {
    await using repo = await copyGoverned(template())
    const commands =
      'git merge -q --no-commit --no-ff side 2>../out; echo more >src/new.ts; git add src; git commit -qm merge'
    expect(await runCommands(repo, commands)).toMatchObject({ code: 0, stderr: '' })
    expect(await repo.git('log', '-1', '--format=%(trailers:key=Intent-ID,valueonly)')).toBe('INT-001\n\n')
    expect(await judgeNewHistory(repo)).toEqual([])
  })

  test('that another intent owns goes through when the message cites that', async () => {
    await using repo = await copyGoverned(template())
    const message = "git commit -qm merge -m 'Intent-ID: INT-002'"
    const { code } = await runCommands(
      repo,
      `git merge -q --no-commit --no-ff side; echo n >docs/n.md; git add docs; ${message}`,
    )
    expect(code).toBe(0)
    expect(await judgeNewHistory(repo)).toEqual([])
  })

  test("that a hook of the user's own makes of a clean one is stopped", async () => {
    await using repo = await copyGoverned(template())
    await runCommands(repo, "echo 'echo evil >>lib/x.ts; git add lib' >>.git/hooks/pre-merge-commit")
    const { code, stderr } = await runCommands(repo, 'git merge -q --no-ff side')
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('block  lib/x.ts is outside') })
  })

  test('that a strategy makes is stopped before it is committed', async () => {
    await using repo = await copyGoverned(template())
    // A strategy of the user's own is a program on the PATH.
    const strategy = 'git read-tree side; echo e | git hash-object -w --stdin >../e\n'
    await repo.write(
      '../bin/git-merge-evil',
      `#!/bin/sh\n${strategy}git update-index --add --cacheinfo 100644,$(cat ../e),lib/e\n`,
      0o755,
    )
    const { code, stderr } = await runCommands(repo, 'PATH=$PWD/../bin:$PATH git merge -q --no-ff -s evil side')
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('kotef: merge stopped, 1 problem'),
    })
    expect(stderr).toContain('block  lib/e is outside intent INT-001; the merge itself changes it')
  })

  test.each([
    ['by commit --no-verify', `${EVIL}; git commit -qnm merge`],
    ['by KOTEF=0', `${EVIL}; KOTEF=0 git commit -qm merge`],
    [
      'by plumbing',
      `${EVIL}; git update-ref HEAD $(git commit-tree -p HEAD -p side -m merge $(git write-tree)); rm .git/MERGE_*`,
    ],
  ])('that gets in %s is a violation afterwards', async (_, commands) => {
    await using repo = await copyGoverned(template())
    await runCommands(repo, commands)
    const found = await judgeNewHistory(repo)
    expect(found.filter(it => !it.startsWith('skipped'))).toEqual(['intent-named - in merge'])
  })

  test('that an amendment makes is a violation of the intent that it is stamped with', async () => {
    await using repo = await copyGoverned(template())
    await runCommands(repo, 'git merge -q --no-ff side; echo evil >>lib/x.ts; git commit -qan --amend -m merge')
    expect(await judgeNewHistory(repo)).toEqual(['in-scope lib/x.ts in merge'])
  })

  test('is told of with what it changes', async () => {
    await using repo = await copyGoverned(template())
    await runCommands(repo, `${EVIL}; echo e >lib/e; git add lib; git commit -qnm merge`)
    await judgeNewHistory(repo)
    const reported = (await ledgerEvents(repo)).map(it => it['message']).at(-1)
    expect(reported).toBe('the message names no intent, and the merge itself changes lib/e and 1 more')
  })
})

describe('a merge of three sides', () => {
  const THREE = `git switch -qc third main~1; echo t >src/t.ts; git add src; git commit -qm third; git switch -q main
    git merge -q --no-commit third side >../out 2>&1`

  test('goes through in silence when it is just these', async () => {
    await using repo = await copyGoverned(template())
    expect(await runCommands(repo, `${THREE}; git commit -qm merge`)).toEqual(FINE)
    expect(await repo.git('log', '-1', '--format=%P')).toMatch(/^\w+ \w+ \w+\n$/)
    expect(await judgeNewHistory(repo)).toEqual([])
  })

  test('goes through in silence where some open intent owns what it changes', async () => {
    await using repo = await copyGoverned(template())
    expect(await runCommands(repo, `${THREE}; echo e >>docs/b.md; git add docs; git commit -qm merge`)).toEqual(FINE)
    expect(await judgeNewHistory(repo)).toEqual([])
  })

  // Git does not tell what it would have made of so many sides, so what they are apart in may have been in conflict.
  test('is shown for review where it changes what they are apart in', async () => {
    await using repo = await copyGoverned(template())
    const commands = THREE.replace('git add src; git commit -qm', 'echo t >>lib/x.ts; git commit -qanm')
    const { code, stderr } = await runCommands(
      repo,
      `${commands}; echo e >>lib/x.ts; git add lib; git commit -qm merge`,
    )
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('review lib/x.ts is outside') })
    expect((await judgeNewHistory(repo)).filter(it => it.endsWith('in merge'))).toEqual([])
  })

  test('is stopped where it changes what they agree in, and is a violation afterwards', async () => {
    await using repo = await copyGoverned(template())
    const { code, stderr } = await runCommands(repo, `${THREE}; echo e >>lib/x.ts; git add lib; git commit -qm merge`)
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('block  lib/x.ts is outside') })
    expect(await runCommands(repo, 'git commit -qnm merge')).toEqual(FINE)
    expect(await judgeNewHistory(repo)).toEqual(['intent-named - in merge'])
  })
})

describe('merge --squash', () => {
  test('carries the ids of what it squashes, each owning its own', async () => {
    await using repo = await copyGoverned(template())
    const commands = 'git merge -q --squash side >../out; git commit -q --no-edit'
    expect(await runCommands(repo, commands)).toMatchObject({ code: 0 })
    expect(await repo.git('log', '-1', '--format=%(trailers:key=Intent-ID,valueonly)')).toBe('INT-002\n\n')
    expect(await judgeNewHistory(repo)).toEqual([])
  })

  test('of an intent that is completed by now goes through', async () => {
    await using repo = await copyGoverned(template())
    await runCommands(
      repo,
      `sed -i '/INT-002/s/IN_PROGRESS/COMPLETED/' .orchestration/active_intents.yaml
      git -c core.hooksPath=/dev/null commit -qam 'INT-002 is done' -m 'Intent-ID: INT-001'
      git merge -q --squash side >../out`,
    )
    expect(await repo.run('git', ['commit', '-q', '--no-edit'])).toMatchObject({ code: 0, stderr: '' })
    expect(await judgeNewHistory(repo)).toEqual([])
  })
})
