import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { runCommands, judgeNewHistory, judgedRepo, FORGE_SQUASH } from '../../rig/judged-repo.ts'
import { copyGoverned } from '../../rig/hooked-repo.ts'

// The remote `there` has main. Beside it lie `fine`, one commit further, and `stray`, whose one commit got in past the
// other hooks.
const template = fixture(async () => {
  const template = await judgedRepo()
  const commands = `
    git init -q --bare .git/there; git remote add there .git/there; git push -q --no-verify there main
    git switch -qc fine; echo a >>src/a.ts; git commit -qam fine
    git switch -qc stray main; echo l >>lib/x.ts; git commit -qanm 'sneaked in'; git switch -q main`
  expect(await runCommands(template, commands)).toMatchObject({ code: 0, stderr: '' })
  return template
})

const REGISTRY = '.orchestration/active_intents.yaml'
const ADD_9 = `echo '  - { id: INT-009, name: new, owned_scope: ["new/**"] }' >>${REGISTRY}`
const WORK_9 = "mkdir -p new; echo n >new/n; git add new; git commit -qm work -m 'Intent-ID: INT-009'"
const BARE =
  'git clone -q --bare . ../bare; cp -R .git/kotef .git/hooks ../bare; git -C ../bare push -q $PWD/.git/there'
const STOPPED = 'kotef: push stopped, 1 problem.'
const FINE = { code: 0, stdout: '', stderr: '' }

describe('a push of commits that are fine', () => {
  test.each([
    ['a new branch', 'git push -q there fine'],
    ['a branch that moves on', 'git push -q there fine:main'],
    ['nothing new', 'git push -q there main'],
    ['a deleted branch', 'git push -q there fine; git push -q there :fine'],
    ['several references at once', 'git tag t fine; git push -q there fine fine:other t'],
    ['a tag of what the remote has', 'git tag -a -m t t main; git push -q there t'],
    ['a tag of a text', 'git tag t $(echo x | git hash-object -w --stdin); git push -q there t'],
    ['notes', 'git notes add -m n; git push -q there refs/notes/commits'],
    ['to an address', 'git push -q .git/there fine'],
    ['all since the adoption, to a remote that has nothing', 'git init -q --bare ../new; git push -q ../new main fine'],
    ['a branch from before the adoption', 'git push -q there $(git rev-list --max-parents=0 main):refs/heads/old'],
    ['from a linked worktree', 'git worktree add -q ../tree fine; git -C ../tree push -q $PWD/.git/there fine'],
    ['out of a bare repository', `${BARE} fine`],
  ])('goes through in silence: %s', async (_, commands) => {
    await using repo = await copyGoverned(template())
    expect(await runCommands(repo, commands)).toEqual(FINE)
  })

  test('starts no Node to delete', async () => {
    await using repo = await copyGoverned(template())
    await repo.git('push', '-q', 'there', 'fine')
    await repo.write('.git/kotef/hook.cjs', 'process.exit(88)\n')
    expect(await runCommands(repo, 'git push -q there :fine')).toEqual(FINE)
  })
})

describe('a push that brings a violation', () => {
  test('is stopped, and names the commit, what is wrong with it, and the way out', async () => {
    await using repo = await copyGoverned(template())
    const name = (await repo.git('rev-parse', 'stray')).slice(0, 10)
    const { code, stderr } = await runCommands(repo, 'git push -q there stray')
    expect(code).toBe(1)
    expect(stderr).toContain(`${STOPPED}
  block  ${name} sneaked in: lib/x.ts is outside intent INT-001
         Drop or change that commit: \`git rebase --interactive ${name}^\`
`)
    expect(await runCommands(repo, 'git -C .git/there branch --list stray')).toEqual(FINE)
  })

  test.each([
    ['under what is fine', 'git switch -q stray; echo a >>src/a.ts; git commit -qam on; git push -q there stray'],
    ['among other references', 'git push -q there fine stray'],
    ['by a tag', 'git tag t stray; git push -q there t'],
    ['by an annotated tag', 'git tag -a -m t t stray; git push -q there t'],
    ['to an address', 'git push -q .git/there stray'],
    ['to a remote that has nothing', 'git init -q --bare ../new; git push -q ../new stray'],
    ['on the side of a merge', 'git merge -q --no-ff -m merge stray; git push -q there main'],
    ['from a linked worktree', 'git worktree add -q ../tree stray; git -C ../tree push -q $PWD/.git/there stray'],
    ['out of a bare repository', `${BARE} stray`],
  ])('is stopped: %s', async (_, commands) => {
    await using repo = await copyGoverned(template())
    expect(await runCommands(repo, commands)).toMatchObject({ code: 1, stderr: expect.stringContaining(STOPPED) })
  })

  test('is stopped: by force, and what it drops is to be looked at', async () => {
    await using repo = await copyGoverned(template())
    const commands = 'git push -q there fine:main; git push -q --force there stray:main'
    const stderr = expect.stringContaining('kotef: push stopped, 1 problem, 1 thing to look at.')
    expect(await runCommands(repo, commands)).toMatchObject({ code: 1, stderr })
  })

  test('names each evil merge, and shows what else is for review', async () => {
    await using repo = await copyGoverned(template())
    const commands = `git merge -q --no-commit --no-ff fine 2>../out; echo evil >>old/c; git add old
      git commit -qnm evil
      git switch -qc b main~1; echo 1 >>old/c; git commit -qanm b -m 'Governance: x'; git switch -q main`
    await runCommands(repo, commands)
    const { stderr } = await runCommands(repo, 'git push -q there main')
    expect(stderr).toContain(STOPPED)
    expect(stderr).toContain('evil: the message names no intent, and the merge itself changes old/c')
  })

  test.each([
    ['dropped', 'drop', ':'],
    [
      'made anew',
      'edit',
      'git reset -q HEAD^; git restore lib; echo a >>src/a.ts; git commit -qam anew; git rebase --continue',
    ],
  ])('can be %s as it says', async (_, what, then) => {
    await using repo = await copyGoverned(template())
    const { stderr } = await runCommands(repo, 'git switch -q stray; git push -q there stray || :')
    const [, way = ''] = /`(git rebase .*)`/.exec(stderr) ?? []
    const commands = `(GIT_SEQUENCE_EDITOR='sed -i s/pick/${what}/' ${way}; ${then}) >../out 2>&1
      git push -q there stray`
    expect(await runCommands(repo, commands)).toEqual(FINE)
  })

  test.each([
    ['--no-verify', 'git push -q --no-verify there stray'],
    ['KOTEF=0', 'KOTEF=0 git push -q there stray'],
  ])('goes through by %s, and is in the ledger all the same', async (_, command) => {
    await using repo = await copyGoverned(template())
    expect(await runCommands(repo, command)).toEqual(FINE)
    expect(await judgeNewHistory(repo)).toEqual(['in-scope lib/x.ts in sneaked in'])
  })
})

describe('only what is pushed is judged', () => {
  test('not what the remote has already, by whatever reference', async () => {
    await using repo = await copyGoverned(template())
    const commands = `git push -q --no-verify there stray; git switch -q stray
      echo a >>src/a.ts; git commit -qam on; git push -q there stray:another; git push -q .git/there stray`
    expect(await runCommands(repo, commands)).toEqual(FINE)
  })

  test('not what another branch has', async () => {
    await using repo = await copyGoverned(template())
    expect(await runCommands(repo, 'git push -q there fine; git push -q --force there main:fine')).toEqual(FINE)
  })

  test('an intent that is completed, or was made, on the way is no problem', async () => {
    await using repo = await copyGoverned(template())
    const commands = `git switch -q fine; sed -i '/INT-001/s/IN_PROGRESS/COMPLETED/' .orchestration/active_intents.yaml
      git commit -qam done -m 'Governance: done'; git switch -q --detach main; git push -q there fine`
    expect(await runCommands(repo, commands)).toEqual(FINE)
  })
})

describe('an intent and its work in one push', () => {
  test('go through, and the intent is shown as CI shows it (solo A2a)', async () => {
    await using repo = await copyGoverned(template())
    const add = `${ADD_9}; git commit -qm add -m 'Governance: new' ${REGISTRY}`
    const { code, stderr } = await runCommands(repo, `git switch -qc w; ${add}; ${WORK_9}; git push -q there w`)
    expect(code, stderr).toBe(0)
    expect(stderr).toContain('kotef: push goes through for review, 0 problems, 1 thing to look at.')
    expect(stderr).toContain('add: INT-009 is new, with the scope new/**')
    expect((await repo.kotef('verify', 'main..w')).stdout).toContain('INT-009 is new, with the scope new/**')
  })

  test('are remarked at the commit while the registry is not committed, and the way out works (solo A2c)', async () => {
    await using repo = await copyGoverned(template())
    const { code, stderr } = await runCommands(repo, `git switch -qc w; ${ADD_9}; ${WORK_9}`)
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('not in a commit yet') })
    expect(await runCommands(repo, 'git push -q there w')).toMatchObject({ code: 1 })
    const [, way = ''] = /Put the registry before it: `(.*)`/.exec(stderr) ?? []
    expect(await runCommands(repo, `${way} >../out; git push -q there w`)).toMatchObject({ code: 0 })
  })

  test('are stopped at the push when the registry never came along (solo A2c)', async () => {
    await using repo = await copyGoverned(template())
    await runCommands(repo, `git config core.hooksPath /dev/null; git switch -qc w; ${ADD_9}; ${WORK_9}`)
    const { code, stderr } = await runCommands(repo, 'git config --unset core.hooksPath; git push -q there w')
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(STOPPED) })
    expect(stderr).toContain('work: the message cites INT-009, which is not in the registry')
  })
})

describe('a message that a squash button put together', () => {
  const BOTH = 'git switch -qc s; echo a >>src/a.ts; echo d >>docs/b.md'

  test('counts by each intent that it cites', async () => {
    await using repo = await copyGoverned(template())
    expect(await runCommands(repo, `${BOTH}; ${FORGE_SQUASH}; git push -q there s`)).toEqual(FINE)
  })

  test('excuses no path that none of them owns', async () => {
    await using repo = await copyGoverned(template())
    const commands = `${BOTH}; echo l >>lib/x.ts; ${FORGE_SQUASH}; git push -q there s`
    const { code, stderr } = await runCommands(repo, commands)
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(STOPPED) })
    expect(stderr).toContain('* one: lib/x.ts is outside')
  })
})

// Somebody else has moved main of the remote on, to a commit that this clone never saw.
describe('a push by force over what this clone never saw', () => {
  const OTHERS = `git clone -q -b main .git/there ../other
    (cd ../other; echo l >>lib/x.ts; git commit -qam theirs; git push -q)`

  test('judges just what it brings', async () => {
    await using repo = await copyGoverned(template())
    const { code, stderr } = await runCommands(repo, `${OTHERS}; git push -q --force there stray:main`)
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('1 problem, 1 thing') })
    expect(stderr).toContain('sneaked in: lib/x.ts is outside intent INT-001')
  })

  test('goes through when that is fine, and says what CI may add (solo A2)', async () => {
    await using repo = await copyGoverned(template())
    const { code, stderr } = await runCommands(repo, `${OTHERS}; git push -q --force there fine:main`)
    expect(code).toBe(0)
    expect(stderr).toContain('CI may add policy-in-range, governance-loosened and policy-readable')
  })
})

describe('what git says to the hook', () => {
  test("reaches the user's own lines as well", async () => {
    await using repo = await copyGoverned(template())
    await runCommands(
      repo,
      'echo \'echo "$1" >../heard; cat >>../heard\' >>.git/hooks/pre-push; git push -q there fine',
    )
    const [received, oid] = [await repo.read('../heard'), (await repo.git('rev-parse', 'fine')).trim()]
    expect(received).toBe(`there\nrefs/heads/fine ${oid} refs/heads/fine ${'0'.repeat(40)}\n`)
  })

  test('may be nothing', async () => {
    await using repo = await copyGoverned(template())
    expect(await repo.run('sh', ['.git/hooks/pre-push', 'there', '.git/there'])).toEqual(FINE)
  })

  test('may be more than can be judged: then it is refused with a way out', async () => {
    await using repo = await copyGoverned(template())
    const input = `refs/heads/x ${'1'.repeat(40)} refs/heads/x ${'0'.repeat(40)}\n`
    const lost = `oid=$(git rev-parse fine^{tree}); rm -f .git/objects/$(echo $oid | cut -c1-2)/$(echo $oid | cut -c3-)`
    await runCommands(repo, lost)
    const { code, stderr } = await repo.run('git', ['push', '-q', 'there', 'fine'])
    expect(code).toBe(1)
    expect(stderr).toContain("kotef: push stopped, it can't be judged.")
    expect(stderr).toContain('Run the git command above yourself')
    expect(await repo.run('sh', ['.git/hooks/pre-push', 'there', '.git/there'], { input })).toMatchObject({ code: 1 })
  })
})
