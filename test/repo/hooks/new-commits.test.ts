import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { runCommands, judgeNewHistory, judgedRepo, FORGE_SQUASH } from '../../rig/judged-repo.ts'
import { copyGoverned } from '../../rig/hooked-repo.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { runCli } from '../../rig/command-line.ts'
import { ledgerEvents } from '../../rig/ledger-events.ts'
import type { Repo } from '../../rig/repo.ts'

const template = fixture(judgedRepo)

const STRAY = 'echo l >>lib/x.ts; git commit -qanm stray'
const REGISTRY = '.orchestration/active_intents.yaml'
const found = 'in-scope lib/x.ts in stray'

/** What is found after commands that all succeed. */
async function after(repo: Repo, commands: string): Promise<string[]> {
  expect(await runCommands(repo, commands)).toMatchObject({ code: 0 })
  return judgeNewHistory(repo)
}

describe('what got in without pre-commit', () => {
  test.each<[string, string, string[]]>([
    ['by --no-verify', STRAY, [found]],
    ['by KOTEF=0', 'echo l >>lib/x.ts; KOTEF=0 git commit -qam off', ['skipped off', 'intent-named - in off']],
    [
      'by plumbing, which no hook tells of',
      'echo l >>lib/x.ts; git add lib; git update-ref HEAD $(git commit-tree -p HEAD -m stray $(git write-tree))',
      ['intent-named - in stray'],
    ],
    ['before HEAD went to another branch', `git switch -qc w; ${STRAY}; git switch -q main`, [found]],
    [
      'and was pushed before anybody judged it',
      `git init -q --bare ../there; git remote add there ../there; ${STRAY}; git push -q --no-verify there main`,
      [found],
    ],
    [
      'from a repository that is no remote',
      `git clone -q . ../other; git -C ../other config user.name O; git -C ../other config user.email o@example.com
        (cd ../other; echo l >>lib/x.ts; git commit -qam stray); git pull -q ../other main`,
      ['intent-named - in stray'],
    ],
  ])('%s is found once', async (_, commands, expected) => {
    await using repo = await copyGoverned(template())
    expect(await after(repo, commands)).toEqual(expected)
    expect(await judgeNewHistory(repo)).toEqual([])
  })

  test('is found by the next command that reads the ledger, and is in it', async () => {
    await using repo = await copyGoverned(template())
    await runCommands(repo, STRAY)
    expect((await runCli(repo, 'trace')).text).toContain('lib/x.ts is outside intent INT-001')
    expect((await ledgerEvents(repo)).filter(it => it['event'] === 'violation')).toHaveLength(1)
  })

  test('is told by the commit that each hook was switched off for', async () => {
    await using repo = await copyGoverned(template())
    const commands =
      'echo a >>src/a.ts; KOTEF=0 git commit -qam off -m "Intent-ID: INT-001"; echo b >>src/a.ts; git commit -qam on'
    expect(await after(repo, commands)).toEqual(['skipped off'])
    expect(await after(repo, 'KOTEF=0 git switch -qc w; KOTEF=0 git switch -q --detach HEAD~1')).toEqual([])
  })
})

// The first time nobody knows what was judged before; only what the hooks tell of is taken for new.
describe('before anything was judged', () => {
  const PATCH = `git switch -qc w; echo l >>lib/x.ts; git -c core.hooksPath=/dev/null commit -qam stray
    git switch -q main; rm -f .git/kotef/judged .git/kotef/queue`

  test.each([
    ['a patch that came by mail is found', `${PATCH}; git format-patch -q --stdout -1 w | git am -q`],
    ['a fast-forward is found', `${PATCH}; git merge -q --ff-only w`],
  ])('%s', async (_, commands) => {
    await using repo = await copyGoverned(template())
    expect(await after(repo, commands)).toEqual(['intent-named - in stray'])
  })
})

describe('what is not accused', () => {
  test.each([
    ['what a remote has', 'git pull -q there main'],
    ['what a remote has, on another branch', 'git fetch -q there; git switch -q -t there/main -c w'],
    ['a rebase onto it', 'echo a >>src/a.ts; git commit -qam fine; git pull -q --rebase there main'],
  ])('%s', async (_, commands) => {
    await using repo = await copyGoverned(template())
    const remote = `git clone -q --bare . ../there; git clone -q ../there ../other; cd ../other
      git config user.name O; git config user.email o@example.com; ${STRAY}; git push -q; cd ../repo
      git remote add there ../there; git fetch -q there`
    await runCommands(repo, remote)
    expect(await after(repo, commands)).toEqual([])
  })

  test('a branch that was judged, when it is merged or switched to', async () => {
    await using repo = await copyGoverned(template())
    expect(await after(repo, `git switch -qc w; ${STRAY}`)).toEqual([found])
    expect(await after(repo, 'git switch -q main')).toEqual([])
    expect(await after(repo, 'git merge -q --no-ff -m merge w; git reset -q --hard HEAD~1; git switch -q w')).toEqual(
      [],
    )
  })

  test('what local branches had before anybody judged, but for what was told of', async () => {
    await using repo = await copyGoverned(template())
    const commands = `git config core.hooksPath /dev/null; git switch -qc w; ${STRAY}; git switch -q main
      echo l >>lib/x.ts; git commit -qam 'long ago'; git config --unset core.hooksPath; 
      echo a >>src/a.ts; git commit -qam fine`
    await runCommands(repo, 'rm -f .git/kotef/queue .git/kotef/judged')
    expect(await after(repo, commands)).toEqual([])
    expect(await after(repo, 'git switch -q w')).toEqual([])
  })

  test('a branch from before the adoption', async () => {
    await using repo = await copyGoverned(template())
    const first = 'git switch -q --detach $(git rev-list --max-parents=0 HEAD)'
    expect(await after(repo, `${first}; echo l >>lib/x.ts; git commit -qam old`)).toEqual([])
  })
})

describe('a message that a squash button put together', () => {
  const BOTH = 'echo a >>src/a.ts; echo d >>docs/b.md'

  test.each([
    ['counts by each intent that it cites', BOTH, []],
    ['excuses no path that none of them owns', `${BOTH}; echo l >>lib/x.ts`, ['in-scope lib/x.ts in * one']],
  ])('%s', async (_, changes, expected) => {
    await using repo = await copyGoverned(template())
    expect(await after(repo, `${changes}; ${FORGE_SQUASH}`)).toEqual(expected)
  })

  test('counts by each intent as well when its last trailers cite one', async () => {
    await using repo = await copyGoverned(template())
    const last = "git commit -q --amend --no-edit --trailer 'Intent-ID: INT-001'"
    expect(await after(repo, `${BOTH}; ${FORGE_SQUASH}; git config core.hooksPath /dev/null; ${last}`)).toEqual([])
  })

  test('made here, has the trailers of every part in its last paragraph as well', async () => {
    await using repo = await copyGoverned(template())
    await runCommands(repo, `${BOTH}; ${FORGE_SQUASH.replace(/-c \S+ /, '')}`)
    const trailers = await repo.git('log', '-1', '--format=%(trailers:key=Intent-ID,valueonly,separator=%x2C)')
    expect(trailers).toBe('INT-001,INT-002\n')
  })
})

describe('in a clone that is cut off', () => {
  test('nobody is accused of the commit at which history ends', async () => {
    await using repo = await copyGoverned(template())
    const commands = `git clone -q --depth 1 "file://$PWD" ../shallow; ${STRAY}; from=$PWD; cd ../shallow
      git remote remove origin; kotef init --yes; kotef intent start INT-001
      git fetch -q --depth 1 "file://$from" main; git reset -q --hard FETCH_HEAD`
    expect(await runCommands(repo, commands)).toMatchObject({ code: 0 })
    const { root } = await openWorkspace(`${repo.base}/shallow`)
    const shallow = { root, git: (...args: string[]) => repo.git('-C', root, ...args) }
    expect(await judgeNewHistory(shallow)).toEqual([])
    await runCommands(repo, `cd ../shallow; echo a >>src/a.ts; git commit -qam fine; ${STRAY}`)
    expect(await judgeNewHistory(shallow)).toEqual([found])
  })
})

describe('a commit is judged by the policy of its first parent', () => {
  const forbid = `mkdir -p .sdd; printf '## Forbidden Paths\\n- src/vendor\\n' >.sdd/KOTEF.md; git add -f .sdd/KOTEF.md
    git commit -qm policy -m 'Governance: vendor is closed'`
  const work = 'mkdir -p src/vendor; echo v >>src/vendor/v; git add src; git commit -qnm work'

  test('what became forbidden since accuses nobody', async () => {
    await using repo = await copyGoverned(template())
    expect(await after(repo, `${work}; ${forbid}`)).toEqual([])
  })

  test('what was forbidden then is found, whatever the worktree says now', async () => {
    await using repo = await copyGoverned(template())
    const commands = `${forbid}; ${work}; git rm -q .sdd/KOTEF.md; git commit -qm policy -m 'Governance: open again'`
    expect(await after(repo, commands)).toEqual(['path-forbidden src/vendor/v in work'])
  })

  test('a scope that a commit widens for itself does not count', async () => {
    await using repo = await copyGoverned(template())
    const commands = `sed -i 's:"src/..":"**":' ${REGISTRY}; echo l >>lib/x.ts; git commit -qanm stray`
    expect(await after(repo, commands)).toEqual([`governance-alone ${REGISTRY} in stray`, found])
  })

  test('an intent that was completed since counts, one that only the worktree has does not (solo A2c)', async () => {
    await using repo = await copyGoverned(template())
    const done = `sed -i '/INT-001/s/IN_PROGRESS/COMPLETED/' ${REGISTRY}; git commit -qanm done -m 'Governance: done'`
    expect(await after(repo, `echo a >>src/a.ts; git commit -qam work; ${done}`)).toEqual([])
    const added = '  - { id: INT-009, name: new, status: IN_PROGRESS, owned_scope: ["lib/**"] }'
    const lib = "git commit -qnm new -m 'Intent-ID: INT-009' lib/x.ts"
    expect(await after(repo, `echo '${added}' >>${REGISTRY}; echo l >>lib/x.ts; ${lib}`)).toEqual([
      'intent-known - in new',
    ])
  })

  test('an intent that was not started yet may have been since', async () => {
    await using repo = await copyGoverned(template())
    const commands = `sed -i '/INT-003/s/PENDING/IN_PROGRESS/' ${REGISTRY}; mkdir next; echo n >next/n; git add next
      git commit -qm next -m 'Intent-ID: INT-003' next`
    expect(await after(repo, commands)).toEqual([])
  })

  test('also when the registry of the worktree is damaged', async () => {
    await using repo = await copyGoverned(template())
    expect(await after(repo, `${STRAY}; echo '}{' >${REGISTRY}`)).toEqual([found])
  })
})

test('what is remembered grows by the lines of history, not by their commits', async () => {
  await using repo = await copyGoverned(template())
  for (const n of [1, 2, 3]) await after(repo, `echo ${n} >>src/a.ts; git commit -qam ${n}`)
  const main = await repo.git('rev-parse', 'HEAD')
  expect(await repo.read('.git/kotef/judged')).toBe(main)
  await after(repo, 'git switch -qc w HEAD~1; echo w >>src/a.ts; git commit -qam w')
  expect(await repo.read('.git/kotef/judged')).toBe((await repo.git('rev-parse', 'HEAD')) + main)
})

describe('in a clone with several worktrees', () => {
  test('each commit is judged once, wherever it is met', async () => {
    await using repo = await copyGoverned(template())
    const commands = `git worktree add -q ../tree; cd ../tree; echo l >>lib/x.ts; git commit -qanm stray; cd ../repo`
    await runCommands(repo, commands)
    const tree = { ...repo, root: (await openWorkspace(`${repo.base}/tree`)).root }
    const both = await Promise.all([judgeNewHistory(tree), judgeNewHistory(repo)])
    expect(both).toEqual([[found.replace('in-scope lib/x.ts', 'intent-named -')], []])
    expect(await after(repo, 'git merge -q tree')).toEqual([])
  })
})

// As `git fast-import` reads it.
function commitOf(text: string, from: string): string {
  const head = 'commit refs/heads/main\ncommitter C <c@example.com> 1800000000 +0000\ndata 3\nbad\n'
  return `${head}${from}M 100644 inline lib/x.ts\ndata ${text.length}\n${text}\n`
}

describe('more commits than are judged at once', () => {
  test('are announced, and the newest of them are judged', async () => {
    await using repo = await copyGoverned(template())
    const head = (await repo.git('rev-parse', 'HEAD')).trim()
    const bad = Array.from({ length: 205 }, (_, n) => commitOf(`${n}`, n === 0 ? `from ${head}\n` : ''))
    await repo.run('git', ['fast-import', '--quiet', '--force'], { input: bad.join('') })
    const commands = 'git reset -q --hard'
    const all = await after(repo, commands)
    expect(all[0]).toBe('5 older new commits were not judged: `git push` judges each')
    expect(all.slice(1)).toEqual(Array.from({ length: 200 }, () => 'intent-named - in bad'))
    expect(await judgeNewHistory(repo)).toEqual([])
  })
})
