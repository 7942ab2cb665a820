import { expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { copyGoverned } from '../../rig/hooked-repo.ts'
import { governedRepo, startWatching, flushedWrites } from '../../rig/governed-repo.ts'
import type { RunningProgram } from '../../rig/running-program.ts'
import type { Repo } from '../../rig/repo.ts'

const FILES = { 'src/a': 'a\n', 'src/b': 'b\n', 'src/c': 'c\n', 'src/d': 'd\n' }
const CURSOR = '.git/kotef/cursor.json'
const LEDGER = '.orchestration/agent_trace.jsonl'

type Story = {
  readonly before?: string
  readonly away: string
  /** What is done when the second one watches, all before it looks. */
  readonly later?: string
  readonly isLongAgo?: boolean
  /** The first daemon is killed before it writes down what it has learnt; the ledger has it. */
  readonly isUnnoted?: boolean
}

const template = fixture(async () => {
  const repo = await governedRepo(FILES)
  await repo.git('config', 'core.hooksPath', '/dev/null')
  return repo
})

async function copyOfTemplate(): Promise<Repo> {
  const repo = await copyGoverned(template())
  // The index has the inodes of the files that were copied.
  await repo.git('update-index', '-q', '--refresh')
  return repo
}

// The notes of commits are not the point: no process writes them.
const watch = (repo: Repo) => startWatching(repo, { hasChildren: false })

/** What a daemon records of what was done before it came, and after another had gone. */
async function recordedOf({ away, later, ...first }: Story): Promise<string[]> {
  await using repo = await copyOfTemplate()
  await watchFirst(repo, first)
  if (first.isLongAgo) await forgetPeriod(repo)
  const known = (await repo.read(LEDGER)).length
  await playThrough(repo, away)
  await using second = await watch(repo)
  await flushedWrites(repo)
  if (later !== undefined) await second.standsStillFor(() => playThrough(repo, later))
  const reported = (await flushedWrites(repo)).map(it => JSON.stringify(it))
  const fresh = (await repo.read(LEDGER)).slice(known)
  const isFresh = (line: string): boolean => fresh.includes(line)
  const files = reported
    .filter(isFresh)
    .flatMap(it => (JSON.parse(it) as { files: { path: string; kotef: { op: string } }[] }).files)
  return files.map(it => `${it.kotef.op} ${it.path}`).sort()
}

async function watchFirst(repo: Repo, { before = ':', isUnnoted = false }: Partial<Story>) {
  await using killed = isUnnoted ? repo.start('kotef-watch') : null
  await using _stopped = isUnnoted ? null : await watch(repo)
  await killed?.line(/kotef is watching/)
  const noted = killed && (await repo.read(CURSOR))
  await playThrough(repo, before)
  await flushedWrites(repo)
  if (killed) await endUnnoted(repo, killed, noted ?? '')
}

/** Plays commands of a shell under a daemon, or under none; where they say `kotef flush`, this process asks for it. */
async function playThrough(repo: Repo, commands: string): Promise<void> {
  const parts = commands.split(/;?\s*kotef flush;?\s*/)
  for (const [n, part] of parts.entries()) {
    if (part !== '' && part !== ':') expect(await repo.run('sh', ['-ec', part])).toMatchObject({ code: 0 })
    if (n < parts.length - 1) await flushedWrites(repo)
  }
}

/** As if everything had been at rest for long before the daemon ended. */
async function forgetPeriod(repo: Repo): Promise<void> {
  const { period: _, ...cursor } = JSON.parse(await repo.read(CURSOR)) as { period: unknown }
  await repo.write(CURSOR, JSON.stringify(cursor))
}

/** Kills a daemon as if it had not come to write down more than this. */
async function endUnnoted(repo: Repo, daemon: RunningProgram, noted: string): Promise<void> {
  daemon.signal('SIGKILL')
  await daemon.ended
  await repo.write(CURSOR, noted)
}

test.each([
  [
    'edits that are staged',
    { away: 'echo 1 >> src/a; echo n > src/n; rm src/b; git add -A' },
    ['create src/n', 'delete src/b', 'modify src/a'],
  ],
  [
    'edits on top of what is staged, after a daemon was killed,',
    { away: 'echo 1 >> src/a; git add -A; echo 2 >> src/a', isUnnoted: true },
    ['modify src/a'],
  ],
])('%s while nobody watches are told of', async (_, story, reported) => {
  expect(await recordedOf(story)).toEqual(reported)
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
])('a stash that is made while nobody watches %s: what it has is told of', async (_, story, reported) => {
  expect(await recordedOf(story)).toEqual(reported)
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
  await using repo = await copyOfTemplate()
  await watchFirst(repo, { before: 'echo n > src/n; kotef flush' })
  await playThrough(repo, 'git stash push -q -u; git gc -q')
  await using _second = await watch(repo)
  await playThrough(repo, 'git stash apply -q; kotef flush; rm src/n')
  expect((await flushedWrites(repo)).map(it => it.files[0]?.kotef.op)).toEqual(['create', 'delete'])
})
