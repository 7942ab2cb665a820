import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { runCli } from '../../rig/command-line.ts'
import { runCommands } from '../../rig/judged-repo.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { temporaryRepo } from '../../rig/repo.ts'
import { bypass, verifyFindings } from '../../rig/verify-findings.ts'

const STRAY = (name: string) => `echo ${name} >>lib/x.ts; ${bypass(name, 'Intent-ID: INT-001')}`
const found = (name: string) => `block in-scope lib/x.ts in ${name}`

// Branch `w` is one stray commit further than main, and `v` is another one.
const template = fixture(async () => {
  const template = await hookedRepo()
  await runCommands(template, `git switch -qc v; ${STRAY('v')}; git switch -qc w main; ${STRAY('w')}`)
  return template
})

const REMOTE = 'git init -q --bare ../there; git remote add origin ../there; git push -q --no-verify origin'

describe.concurrent('a range is', () => {
  test.each<[string, string, string[], string[]]>([
    ['what one end has and the other lacks', ':', ['main..w'], [found('w')]],
    ['the same whichever way they parted', ':', ['v...w'], [found('w')]],
    ['up to HEAD', ':', ['main..'], [found('w')]],
    ['from HEAD on', ':', ['..v'], [found('v')]],
    ['named by tags', 'git tag -am t a main; git tag b v', ['a..b'], [found('v')]],
    ['what a branch has, and main lacks', ':', ['v'], [found('v')]],
    ['what HEAD has, and main lacks', ':', [], [found('w')]],
    [
      'what its upstream lacks',
      `${REMOTE} main; git branch -qu origin/main; ${STRAY('x')}`,
      [],
      [found('w'), found('x')],
    ],
    ['what no remote has', `${REMOTE} main w; git fetch -q; ${STRAY('x')}`, [], [found('x')]],
    [
      'what neither its upstream nor any remote has (team A7)',
      `${REMOTE} main w:other; git branch -qu origin/main; ${STRAY('x')}`,
      [],
      [found('x')],
    ],
    ['what no remote has, of any branch', `${REMOTE} main`, ['v'], [found('v')]],
    ['all of main, where nobody else has any', 'git switch -q main; git merge -q v', [], [found('v')]],
    ['every line of history in it', 'git merge -q --no-edit -s ours v', ['main..'], [found('v'), found('w')]],
  ])('%s', async (_, commands, words, expected) => {
    await using repo = await copyGoverned(template())
    expect(await runCommands(repo, commands)).toMatchObject({ code: 0 })
    expect((await verifyFindings(repo, ...words)).sort()).toEqual(expected)
  })
})

describe.concurrent('what can not be evaluated is not fine', () => {
  test.each<[string, string, string[], string]>([
    ['an empty range', ':', ['w..w'], 'range-empty'],
    ['a range the wrong way round', ':', ['w..main'], 'range-empty'],
    ['an unknown beginning', ':', ['nothing..w'], 'range-unknown'],
    ['an unknown end', ':', ['main..nothing'], 'range-unknown'],
    ['a commit that is not here', ':', [`${'1'.repeat(40)}..w`], 'range-unknown'],
    ['what is no commit', ':', ['main..w^{tree}'], 'range-unknown'],
    [
      'no history in common',
      'git switch -q --orphan o; git commit -qnm o --allow-empty',
      ['main...o'],
      'range-unknown',
    ],
    ['a branch without a commit', 'git switch -q --orphan o', [], 'range-unknown'],
    ['nothing staged', ':', ['--staged'], 'range-empty'],
  ])('%s', async (_, commands, words, code) => {
    await using repo = await copyGoverned(template())
    expect(await runCommands(repo, commands)).toMatchObject({ code: 0 })
    expect(await verifyFindings(repo, ...words)).toEqual([`exit 3: ${code}`])
  })

  test.each([
    ['the range reaches the cut', '--depth=1', 'all of HEAD', []],
    ['the range names a commit before the cut', '--depth=1', 'HEAD~1', ['HEAD~1..HEAD']],
    ['the cut hides where it begins', '--depth=1 --no-single-branch', 'origin/main..', ['origin/main..']],
  ])('a shallow clone, when %s: the way out is to fetch the rest', async (_, depth, name, words) => {
    await using repo = await copyGoverned(template())
    await runCommands(repo, `${STRAY('on')}; git clone -q ${depth} "file://$PWD" ../shallow`)
    const shallow = { root: `${repo.base}/shallow`, env: () => repo.env() }
    if (words.length === 0) await repo.run('git', ['remote', 'remove', 'origin'], { cwd: shallow.root })
    const { failure, exit } = await runCli(shallow, 'verify', ...words)
    expect(failure).toMatchObject({ code: 'history-shallow', message: expect.stringContaining(name) })
    expect(failure?.hint).toContain('fetch-depth: 0')
    expect(exit).toBe(3)
  })

  test('a call that asks for two things', async () => {
    await using repo = await copyGoverned(template())
    for (const words of [
      ['--staged', '--ci'],
      ['--staged', 'main..w'],
      ['--format', 'xml'],
      ['--format', 'toString'],
    ])
      expect(await verifyFindings(repo, ...words)).toEqual(['exit 2: usage'])
  })
})

test('a shallow clone is judged as far as it goes, when that is all that was asked for', async () => {
  await using repo = await copyGoverned(template())
  await runCommands(repo, `${STRAY('on')}; ${STRAY('last')}; git clone -q --depth=3 "file://$PWD" ../shallow`)
  const shallow = { root: `${repo.base}/shallow`, env: () => repo.env() }
  expect(await verifyFindings(shallow, 'HEAD~1..')).toEqual([found('last')])
})

describe('a clone that left blobs behind', () => {
  const CLONE = 'git config uploadpack.allowFilter true; git clone -qn --filter=blob:none "file://$PWD" ../partial'

  test('fetches what it takes to judge', async () => {
    await using repo = await copyGoverned(template())
    await runCommands(repo, CLONE)
    const partial = { root: `${repo.base}/partial`, env: () => repo.env() }
    expect(await verifyFindings(partial, 'origin/main..')).toEqual([found('w')])
  })

  test('is no proof of anything when it can not', async () => {
    await using repo = await copyGoverned(template())
    await runCommands(repo, `${CLONE}; git -C ../partial remote set-url origin file:///nowhere`)
    const partial = { root: `${repo.base}/partial`, env: () => repo.env() }
    expect(await verifyFindings(partial, 'origin/main..')).toEqual(['exit 3: git-failed'])
  })
})

test('a range without a registry at either end has nothing to judge (team S12)', async () => {
  await using repo = await temporaryRepo({ a: 'a' })
  const { code, stdout } = await repo.kotef('verify')
  expect({ code, lines: stdout.trim().split('\n').length }).toEqual({ code: 0, lines: 1 })
  expect(stdout).toContain(': nothing to judge: neither end has a registry')
})

test('an empty range is fine for who says so', async () => {
  await using repo = await copyGoverned(template())
  expect(await verifyFindings(repo, 'w..w', '--allow-empty')).toEqual([])
  expect(await verifyFindings(repo, '--staged', '--allow-empty')).toEqual([])
})

test('both ends and the number of commits are told, to people and to programs', async () => {
  await using repo = await copyGoverned(template())
  const [from, to] = (await repo.git('rev-parse', 'main', 'w')).trim().split('\n')
  const { code, stdout } = await repo.kotef('verify', 'main..w')
  expect(code).toBe(1)
  expect(stdout).toBe(`main..w (${from?.slice(0, 10)}..${to?.slice(0, 10)}): 1 commit judged, 1 problem.
${to?.slice(0, 10)} w
  block  lib/x.ts is outside intent INT-001 (in-scope)
         Drop or change that commit: \`git rebase --interactive ${to?.slice(0, 10)}^\`
`)
  const json = JSON.parse((await repo.kotef('verify', '--json', 'main..w')).stdout) as unknown
  expect(json).toMatchObject({
    ranges: [{ name: 'main..w', from, to, commits: 1, passedOver: 0 }],
    findings: [{ rule: 'in-scope', level: 'block', path: 'lib/x.ts', commit: to, subject: 'w' }],
  })
  expect(JSON.parse((await repo.kotef('verify', '--format', 'json', 'main..w')).stdout)).toEqual(json)
  const failed = await repo.kotef('verify', '--json', 'w..w')
  expect(failed.code).toBe(3)
  expect(JSON.parse(failed.stdout)).toMatchObject({ error: { code: 'range-empty' } })
})

describe.concurrent('what is staged', () => {
  test.each<[string, string, string[]]>([
    ['is fine in the scope', 'echo a >>src/a.ts; git add src', []],
    ['is not outside of it', 'echo x >>lib/x.ts; git add lib', ['block in-scope lib/x.ts in -']],
    [
      'governs alone',
      'echo x >>.intentignore; echo a >>src/a.ts; git add -A',
      ['block governance-alone .intentignore in -'],
    ],
    ['may settle a conflict', 'git merge -q v || :; git add -A', ['review in-scope lib/x.ts in -']],
  ])('%s', async (_, commands, expected) => {
    await using repo = await copyGoverned(template())
    expect(await runCommands(repo, `(${commands}) >../out`)).toMatchObject({ code: 0 })
    expect(await verifyFindings(repo, '--staged')).toEqual(expected)
  })
})

test('a bare repository is judged as well', async () => {
  await using repo = await copyGoverned(template())
  await runCommands(repo, 'git clone -q --bare . ../bare')
  expect(await verifyFindings({ root: `${repo.base}/bare`, env: () => repo.env() }, 'main..w')).toEqual([found('w')])
})

test('nothing is written by it', async () => {
  await using repo = await copyGoverned(template())
  await runCommands(repo, 'git switch -q main; git merge -q --no-edit v; git merge -q --no-edit -X ours w')
  const all = 'find . -type f -exec md5sum {} + | sort'
  const before = await repo.play(all)
  await verifyFindings(repo, 'HEAD~2..')
  await verifyFindings(repo, '--staged')
  expect(await repo.play(all)).toEqual(before)
})
