import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import type { GitQuery } from '../../../src/core/git/query.ts'
import { VERSION } from '../../../src/world/io/files/package.ts'
import { fastPathOf } from '../../../src/world/intents/policy/compile-policy.ts'
import { readPolicySources } from '../../../src/world/intents/policy/load-policy.ts'
import { policyOf } from '../../../src/core/rules/policy-of-sources.ts'
import { liveSessions } from '../../../src/world/intents/sessions/live-sessions.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { compileRepo, copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { backdatePolicyFiles, runTracingGit } from '../../rig/slow-path.ts'
import { AS_UNPRIVILEGED } from '../../rig/file-permissions.ts'
import type { Repo } from '../../rig/repo.ts'

const template = fixture(async () => {
  const template = await hookedRepo()
  await backdatePolicyFiles(template)
  return template
})

const ACTIVE = '.git/kotef/compiled/active'

const commit = (repo: Repo) => runTracingGit(repo, `${AS_UNPRIVILEGED}git commit -qm w`)
const FAST = { code: 0, stderr: '', calls: ['commit', 'diff-index'] }

describe('a compiled scope', () => {
  test.each([
    ['is not as kotef writes it', 'of random bytes', 'head -c 3000 /dev/urandom >active'],
    ['is of another version of kotef', 'of another version', 'sed -i "1s/.*/kotef-active 2/" active'],
    ['is open to others (mode 660)', 'that a group may write', 'chmod 660 active'],
    ['its folder is open to others (mode 707)', 'in a folder that all but a group may write', 'chmod 707 .'],
    ['is a symbolic link', 'that is a symbolic link', 'mv active ../it; ln -s ../it active'],
    ['is not a file', 'that is a folder', 'rm active; mkdir active; : >active/x'],
    ['is not a file', 'that is a pipe', 'rm active; mkfifo active'],
    ["can't be read", 'that nobody may read', 'chmod 000 active'],
  ])('%s: one %s is never gone by, told of, and made anew', async (flaw, _, damage) => {
    await using repo = await copyGoverned(template())
    const reported = `kotef: ${ACTIVE} ${flaw}: judged in full, and written again\n`
    await repo.play(`echo x >>lib/x.ts; git add lib; cd .git/kotef/compiled; ${damage}`)
    const refused = await commit(repo)
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('lib/x.ts is outside intent INT-001') })
    expect(refused.stderr.startsWith(reported)).toBe(true)
    await repo.play('git read-tree HEAD; echo y >>src/a.ts; git add src')
    expect(await commit(repo)).toMatchObject(FAST)
  })

  test('with a flaw that a fine commit meets is told of, and made anew', async () => {
    await using repo = await copyGoverned(template())
    await repo.play('echo x >>src/a.ts; git add src; head -c 3000 /dev/urandom >.git/kotef/compiled/active')
    const reported = `kotef: ${ACTIVE} is not as kotef writes it: judged in full, and written again\n`
    expect(await commit(repo)).toMatchObject({ code: 0, stderr: reported })
    await repo.play('echo y >>src/a.ts; git add src')
    expect(await commit(repo)).toMatchObject(FAST)
  })

  test('cut at any byte opens nothing', async () => {
    await using repo = await copyGoverned(template())
    const whole = await repo.read(ACTIVE)
    const lineEnds = Array.from(whole.matchAll(/\n/g), it => it.index)
    const near = (at: number) => [at - 1, at, at + 1, at + 20]
    const lengths = [
      ...Array(160).keys(),
      ...lineEnds.flatMap(near),
      ...lineEnds.slice(-2).flatMap(it => range(it, 60)),
    ]
    const cuts = [...new Set(lengths)].filter(it => it <= whole.length)
    const script = `echo x >>src/a.ts; git add src; cp -p ${ACTIVE} ../whole
      kotef=.git/kotef; hook=pre-commit; . .git/kotef/common.sh
      for cut in ${cuts.join(' ')}; do head -c $cut ../whole >${ACTIVE}; ! { fresh && covered; } || echo $cut; done`
    const { stdout, stderr } = await repo.play(script)
    // Only the newline at its end says nothing.
    expect({ stdout, stderr }).toEqual({ stdout: `${whole.length - 1}\n${whole.length}\n`, stderr: '' })
    expect(cuts.length).toBeGreaterThan(250)
  })
})

describe('a compiled policy', () => {
  const CUT_OFF = 'head -c 300 state.json >../cut; cat ../cut >state.json'
  const PIPE = 'rm state.json; mkfifo state.json'
  // Without a compiled scope every commit is judged by it.
  const damaged = (how: string) => `(cd .git/kotef/compiled; rm -f active; ${how})`

  test.each([
    ['of another version of kotef', 's/"kotef":"[^"]*"/"kotef":"0.0.0-other"/', 'kotef 0.0.0-other'],
    ['of another form', 's/"version":[0-9]*/"version":0/', `kotef ${VERSION}`],
    ['of a kotef that said nothing of itself', 's/"version":[0-9]*,"kotef":"[^"]*",//', 'kotef of an earlier version'],
  ])('%s is made anew, which is told of once', async (_, change, by) => {
    await using repo = await copyGoverned(template())
    const skew = damaged(`sed -i '${change}' state.json`)
    const action = 'compiled again. Align them: `npx kotef-watch init`'
    const reported = `kotef: the policy was compiled by ${by}, the hooks are of ${VERSION}: ${action}\n`
    await repo.play(`${skew}; echo x >>lib/x.ts; git add lib`)
    const refused = await commit(repo)
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('lib/x.ts is outside intent INT-001') })
    expect(refused.stderr.startsWith(reported)).toBe(true)
    await repo.play('git read-tree HEAD; echo y >>src/a.ts; git add src')
    expect(await commit(repo)).toMatchObject(FAST)
  })

  test.each([
    ['cut off', CUT_OFF],
    ['a pipe', PIPE],
    ['a symbolic link', 'mv state.json ../it; ln -s ../it state.json'],
    ['a symbolic link to nothing', 'rm state.json; ln -s ../nowhere state.json'],
    ['open to everybody', 'chmod 666 state.json'],
  ])('that is %s changes no verdict', async (_, damage) => {
    await using repo = await copyGoverned(template())
    await repo.play(`${damaged(damage)}; echo x >>lib/x.ts; git add lib`)
    const stderr = expect.stringMatching(
      /^kotef: commit stopped, 1 problem.\n  block  lib\/x.ts is outside intent INT-001/,
    )
    expect(await commit(repo)).toMatchObject({ code: 1, stderr })
  })

  test.each([
    ['cut off', CUT_OFF],
    ['a pipe', PIPE],
  ])('that is %s lets a fine commit through, with its trailer', async (_, damage) => {
    await using repo = await copyGoverned(template())
    await repo.play(`${damaged(damage)}; echo x >>src/a.ts; git add src`)
    expect(await commit(repo)).toMatchObject({ code: 0, stderr: '' })
    expect(await repo.git('log', '-1', '--format=%b')).toBe('Intent-ID: INT-001\n\n')
  })
})

test('a path that git takes for owned, and we do not, closes the fast path, which names it', async () => {
  await using repo = await copyGoverned(template())
  const workspace = await openWorkspace(repo.root)
  const read = await readPolicySources(workspace)
  const more = { policy: policyOf(read), sessions: await liveSessions(workspace) }
  const sources = { ...read, ...more, trialsIn: `${repo.root}/.git/kotef/compiled` }
  expect(await fastPathOf(workspace, sources)).toHaveProperty('text')
  const ask = <T>({ args, parse }: GitQuery<T>): Promise<T> =>
    args.includes('ls-files') ? Promise.resolve(parse('src/a.ts\0lib/x.ts\0')) : workspace.git.ask({ args, parse })
  expect(await fastPathOf({ ...workspace, git: { ...workspace.git, ask } }, sources)).toEqual({
    closed: 'git matches the scope of INT-001 in another way for lib/x.ts',
    fix: null,
  })
})

function range(from: number, length: number): number[] {
  return Array.from({ length }, (_, n) => from + n)
}

const REGISTRY = '.orchestration/active_intents.yaml'
const older = (path: string) => `cp ${path} ../older; touch -d '1 hour ago' ../older; mv ../older ${path}`

describe('the long way is taken, and then the short one again, after', () => {
  test.each([
    ['the registry was touched', `touch ${REGISTRY}`],
    ['an older registry took its place', older(REGISTRY)],
    ['an older config took its place', older('.orchestration/config.yaml')],
    ['a file of the policy disappeared', 'rm .sdd/KOTEF.md'],
    ['a file of the policy disappeared and came again', 'rm .sdd/KOTEF.md; git restore .sdd/KOTEF.md'],
    ['a reset', 'git reset -q --mixed HEAD^ && git add src'],
    ['a reset that leaves the index alone', 'git reset -q --soft HEAD^'],
  ])('%s', async (_, change) => {
    await using repo = await copyGoverned(template())
    await repo.play('echo x >>src/b.ts; git commit -qm b src/b.ts')
    await compileRepo(repo)
    await repo.play(`echo x >>src/a.ts; git add src; ${change}`)
    const long = await commit(repo)
    expect(long).toMatchObject({ code: 0, stderr: '' })
    expect(long.calls).toContain('ls-tree')
    await repo.play('echo y >>src/a.ts; git add src')
    expect(await commit(repo)).toMatchObject(FAST)
  })

  test('a file of the policy appeared, however old', async () => {
    await using repo = await copyGoverned(template())
    await repo.play("git rm -q .intentignore; git -c core.hooksPath=/dev/null commit -qm 'less to obey'")
    expect(await compileRepo(repo)).toBe(true)
    await repo.play("echo src/a.ts >.intentignore; touch -d '1 hour ago' .intentignore; echo x >>src/a.ts; git add src")
    expect((await commit(repo)).stderr).toContain('src/a.ts is closed to every intent by .intentignore')
  })

  test.each([
    ['was moved', 'mv repo elsewhere'],
    ['was copied', 'cp -a repo elsewhere'],
  ])('the repository %s', async (_, change) => {
    await using repo = await copyGoverned(template())
    await repo.play('echo x >>src/a.ts')
    const reported = `kotef: ${ACTIVE} was made for another worktree: judged in full, and written again\n`
    const there = 'cd ../elsewhere; git add src; git commit -qm w; git log --format=%s'
    await repo.play(`cd ..; ${change}`)
    expect(await outside(repo, there)).toMatchObject({
      code: 0,
      stderr: reported,
      stdout: expect.stringMatching(/^w\n/),
    })
    expect(await outside(repo, `echo y >>../elsewhere/src/a.ts; ${there}`)).toMatchObject({ code: 0, stderr: '' })
  })
})

// The repository may be gone from where it was.
function outside(repo: Repo, command: string) {
  return repo.run('sh', ['-c', command], { cwd: repo.base.concat('/home') })
}

describe('the policy of HEAD holds, not the one that was compiled, after', () => {
  // On `narrow` INT-001 owns nothing but lib; on `main` it owns src. Nothing of that tells the files' dates apart.
  const twoPolicies = fixture(async () => {
    const repo = await copyGoverned(template())
    const narrow = `sed -i 's/"src/"lib/' ${REGISTRY}`
    const commitIt = 'git -c core.hooksPath=/dev/null commit -qam narrow'
    await repo.play(`git switch -qc narrow; ${narrow}; ${commitIt}; git switch -q main; rm -f .git/ORIG_HEAD`)
    await backdatePolicyFiles(repo)
    expect(await compileRepo(repo)).toBe(true)
    return repo
  })

  test.each([
    ['a switch', 'git switch -q narrow', ''],
    ['HEAD was pointed elsewhere', 'git symbolic-ref HEAD refs/heads/narrow', ''],
    ['HEAD was pointed elsewhere, and the index with it', 'git symbolic-ref HEAD refs/heads/narrow; git reset -q', ''],
    ['a reset to it', 'git reset -q --mixed narrow', ''],
    ['a soft reset to it', 'git reset -q --soft narrow', ''],
    ['a branch was moved by plumbing', 'git update-ref HEAD narrow', ''],
  ])('%s', async (_, change) => {
    await using repo = await copyGoverned(twoPolicies())
    await repo.play(`${change}; echo x >>src/a.ts; git add src`)
    const { code, stderr } = await commit(repo)
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/src\/a.ts is outside intent INT-001|can't be committed together/),
    })
  })
})
