import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readDaemonAddress } from '../../../src/daemon-client/ask-daemon.ts'
import { openWorkspace } from '../../../src/worktree/workspace.ts'
import { governedRepo, startWatching, flushedWrites } from '../../rig/governed-repo.ts'
import type { RunningProgram } from '../../rig/running-program.ts'
import type { Repo } from '../../rig/repo.ts'

const FILES = { 'src/a': 'a\n', 'src/b': 'b\n', 'src/c': 'c\n', 'src/d': 'd\n' }

type Story = {
  readonly before?: string
  readonly away: string
  /** What is done when the second one watches, all before it looks. */
  readonly later?: string
  readonly isLongAgo?: boolean
  /** The first daemon is killed before it writes down what it has learnt; the ledger has it. */
  readonly isUnnoted?: boolean
}

/** What a daemon records of what was done before it came, and after another had gone. */
async function recordedOf({
  before = ':',
  away,
  later = ':',
  isLongAgo = false,
  isUnnoted = false,
}: Story): Promise<string[]> {
  await using repo = await governedRepo(FILES)
  const play = (script: string) => repo.run('sh', ['-ec', `git config core.hooksPath /dev/null; ${script}`])
  {
    await using first = repo.start('kotef-watch')
    await first.line(/kotef is watching/)
    const noted = await repo.read(CURSOR)
    expect(await play(before)).toMatchObject({ code: 0 })
    await flushedWrites(repo)
    if (isUnnoted) await endUnnoted(repo, first, noted)
    else await untilNoted(repo)
    if (isLongAgo) await endAtRest(repo, first)
  }
  const known = (await repo.read('.orchestration/agent_trace.jsonl')).length
  expect(await play(away)).toMatchObject({ code: 0 })
  await using _second = await startWatching(repo)
  await flushedWrites(repo)
  const { pid } = (await readDaemonAddress(await openWorkspace(repo.root)))!
  process.kill(pid, 'SIGSTOP')
  expect(await play(later).finally(() => process.kill(pid, 'SIGCONT'))).toMatchObject({ code: 0 })
  const told = (await flushedWrites(repo)).map(it => JSON.stringify(it))
  const fresh = (await repo.read('.orchestration/agent_trace.jsonl')).slice(known)
  const isFresh = (line: string): boolean => fresh.includes(line)
  const files = told
    .filter(isFresh)
    .flatMap(it => (JSON.parse(it) as { files: { path: string; kotef: { op: string } }[] }).files)
  return files.map(it => `${it.kotef.op} ${it.path}`).sort()
}

/** Waits until a daemon has written down all that it knows: a kill loses what it learnt in its last second. */
async function untilNoted(repo: Repo): Promise<void> {
  await repo.write('src/passing', '')
  await flushedWrites(repo)
  await rm(join(repo.root, 'src/passing'))
  await flushedWrites(repo)
  const noted = async () => (JSON.parse(await repo.read(CURSOR)) as { ledgerBytes: number }).ledgerBytes
  const bytes = Buffer.byteLength(await repo.read('.orchestration/agent_trace.jsonl'))
  await expect.poll(noted, { timeout: 10_000 }).toBe(bytes)
}

/** Ends a daemon as if everything had been at rest for long. */
async function endAtRest(repo: Repo, daemon: RunningProgram): Promise<void> {
  daemon.signal('SIGTERM')
  await daemon.ended
  const { period: _, ...cursor } = JSON.parse(await repo.read(CURSOR)) as { period: unknown }
  await repo.write(CURSOR, JSON.stringify(cursor))
}

/** Kills a daemon as if it had not come to write down more than this. */
async function endUnnoted(repo: Repo, daemon: RunningProgram, noted: string): Promise<void> {
  daemon.signal('SIGKILL')
  await daemon.ended
  await repo.write(CURSOR, noted)
}

const CURSOR = '.git/kotef/cursor.json'

test.each([
  [
    'edits that are staged',
    'echo 1 >> src/a; echo n > src/n; rm src/b; git add -A',
    ['create src/n', 'delete src/b', 'modify src/a'],
  ],
  ['edits on top of what is staged', 'echo 1 >> src/a; git add -A; echo 2 >> src/a', ['modify src/a']],
])('%s while nobody watches are told of', async (_, away, told) => {
  expect(await recordedOf({ away })).toEqual(told)
})

test.each([
  [
    'git brought',
    {
      before: 'git switch -qc other; echo n > src/n; git add -A; git commit -qm x; git switch -q -; kotef flush',
      away: 'git switch -q other; rm src/n',
    },
  ],
  [
    'git brought back lately',
    {
      before: `git switch -qc other; echo n > src/n; git add -A; git commit -qm x; git switch -q -; kotef flush
        git reset -q --hard other; kotef flush`,
      away: 'rm src/n',
    },
  ],
  [
    'git brought, and took from the index',
    {
      before: 'git switch -qc other; echo n > src/n; git add -A; git commit -qm x; git switch -q -; kotef flush',
      away: 'git switch -q other; rm src/n; git add -A',
    },
  ],
  [
    'was told of after a reset, just before the daemon was killed,',
    {
      before: 'git reset -q --soft HEAD~1; echo n > src/n; kotef flush',
      isUnnoted: true,
      away: 'mv src/n src/m; git add -A; git commit -qm x',
    },
  ],
])('what %s and somebody deletes while nobody watches is a loss', async (_, story) => {
  expect(await recordedOf(story)).toEqual(['delete src/n'])
})

const typed = 'echo 1 >> src/a; echo n > src/n; rm src/b'

test('what is committed while nobody watches, nobody can tell from what git brings', async () => {
  const brought = 'git merge -q --squash other; git commit -qm squashed'
  const before = 'git switch -qc other; echo other > src/other; git add -A; git commit -qm other; git switch -q -'
  expect(await recordedOf({ before, away: `${brought}; echo 1 >> src/a; git commit -qam work` })).toEqual([])
})

test('what is moved and committed while nobody watches is lost: a known loss', async () => {
  expect(await recordedOf({ away: 'git mv src/a src/z; git commit -qm moved' })).toEqual([])
})

test.each([
  ['put into a stash', { before: typed, away: 'git stash push -q -u' }],
  ['put into a stash that is packed', { before: typed, away: 'git stash push -q -u; git gc -q' }],
  ['put into a stash and brought back', { before: typed, away: 'git stash push -q -u; git stash pop -q' }],
  ['staged before', { before: 'rm src/b; cp src/a src/copy; git add -A', away: ':' }],
  ['staged', { before: typed, away: 'git add -A' }],
  ['staged and thrown away', { before: `${typed}; git add -A`, away: 'git reset -q --hard' }],
  [
    'committed, and left behind',
    { before: typed, away: 'git add -A; git commit -qm x; git switch -q --detach HEAD~1' },
  ],
  ['committed, and uncommitted', { before: `${typed}; git add -A; git commit -qm x`, away: 'git reset -q HEAD~1' }],
  [
    'on a branch that is left by force',
    {
      before: `git worktree add -q -b bare ../bare; cd ../bare; git rm -q src/a; git commit -qm x
        cd -; git worktree remove ../bare; echo 1 >> src/a`,
      away: 'git switch -qf bare',
    },
  ],
  [
    'a loss, of what was committed lately, and undone',
    {
      before: 'git rm -q src/b; git commit -qm x; git checkout -q HEAD~1 src/b; git commit -qm y; rm src/b',
      away: 'git reset -q --hard',
    },
  ],
  [
    'on top of what git brought, and left by force',
    {
      before: `git switch -qc other; echo n > src/n; git add -A; git commit -qm x; git switch -q -; kotef flush
        git switch -q other; kotef flush; echo 1 >> src/n`,
      away: 'git switch -qf -',
      isUnnoted: true,
    },
  ],
  [
    'let go by one reset, and brought back by another',
    {
      before: 'git rm -q src/b; git commit -qm x; kotef flush; git checkout -q HEAD~1 src/b; git commit -qm y',
      away: 'git reset -q --soft HEAD~1; git reset -q --merge; git reset -q HEAD~1',
    },
  ],
])('what was told of and is %s while nobody watches is not told again', async (_, story) => {
  expect(await recordedOf(story)).toEqual([])
})

test.each([
  [
    'committed, and uncommitted',
    { before: `${typed}; kotef flush; git add -A; git commit -qm x; kotef flush`, away: 'git reset -q HEAD~1' },
  ],
  ['staged, and unstaged', { before: `${typed}; kotef flush; git add -A; kotef flush`, away: 'git reset -q' }],
])('what was told of long ago and is %s while nobody watches is not told again', async (_, story) => {
  expect(await recordedOf({ ...story, isLongAgo: true })).toEqual([])
})

const STASHED = ['create src/n', 'delete src/b', 'modify src/a']

test.each([
  ['is popped', { away: `${typed}; git stash push -q -u`, later: 'git stash pop -q' }, STASHED],
  [
    'was packed and is popped',
    { away: `${typed}; git stash push -q -u; git gc -q`, later: 'git stash pop -q' },
    STASHED,
  ],
  [
    'holds what git had, was packed and is popped',
    {
      before: 'git switch -qc other; echo other > src/a; git commit -qam other; git switch -q -; kotef flush',
      away: 'git restore --source=other -- src/a; git stash push -q; git gc -q',
      later: 'git stash pop -q',
    },
    [],
  ],
])('a stash that is made while nobody watches %s: what it has is told of', async (_, story, told) => {
  expect(await recordedOf(story)).toEqual(told)
})

test('what git brought, and a reset has left staged before the daemon ends, nobody wrote', async () => {
  const before = `git worktree add -q -b other ../other; cd ../other; echo n > src/n; git add -A; git commit -qm x; cd -
    git worktree remove ../other; git merge -q other; kotef flush
    git reset -q --soft HEAD~1; echo 1 >> src/c; git add -A; kotef flush`
  expect(await recordedOf({ before, away: ':' })).toEqual([])
})

test('what lay in a stash, is back before a daemon comes, and is deleted as git moves, is a loss', async () => {
  const before = `git switch -qc other; git commit -q --allow-empty -m x; git switch -q -; echo n > src/n; kotef flush
    git stash push -q -u; kotef flush; git stash apply -q; kotef flush`
  expect(await recordedOf({ before, away: ':', later: 'git switch -q other; rm src/n' })).toEqual(['delete src/n'])
})

test('what came out of a stash that was packed while nobody watched, and is deleted then, is a loss', async () => {
  await using repo = await governedRepo(FILES)
  const play = async (script: string) => {
    expect(await repo.run('sh', ['-ec', `git config core.hooksPath /dev/null; ${script}`])).toMatchObject({ code: 0 })
  }
  {
    await using _first = await startWatching(repo)
    await play('echo n > src/n; kotef flush')
  }
  await play('git stash push -q -u; git gc -q')
  await using _second = await startWatching(repo)
  await play('git stash apply -q; kotef flush; rm src/n')
  expect((await flushedWrites(repo)).map(it => it.files[0]?.kotef.op)).toEqual(['create', 'delete'])
})
