import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { flushedRecords, governedRepo, startWatching } from '../../rig/governed-repo.ts'
import { addWorktree } from '../../rig/selection.ts'
import { noteCommits } from '../../rig/noted-commits.ts'
import type { Repo } from '../../rig/repo.ts'

const CLAIM = 'refs/kotef/claims/INT-001'

/** A repository with a note on HEAD, and with the claim of a live session. */
async function refRepo(): Promise<Repo> {
  const repo = await governedRepo({ 'src/a.ts': 'export const a = 1\n' })
  await noteCommits(repo, [(await repo.git('rev-parse', 'HEAD')).trim()])
  return repo
}

/** The note on HEAD, and the claims. */
async function refs(repo: Repo): Promise<string> {
  const claims = "git for-each-ref --format='%(refname) %(objectname)' refs/kotef/claims"
  return (await repo.play(`git notes --ref=kotef show HEAD; ${claims}`)).stdout
}

async function reported(repo: Repo): Promise<string[]> {
  return (await flushedRecords(repo)).flatMap(({ metadata: { 'dev.kotef': it } }) =>
    it.event === 'violation' && it.rule === 'kotef-refs' ? [it.message] : [],
  )
}

const CHANGES: readonly (readonly [commands: string, reported: RegExp])[] = [
  ['git notes --ref=kotef remove HEAD', /^refs\/notes\/kotef lost records of 1 commit \(it was [0-9a-f]{10}\)/],
  ["git notes --ref=kotef add -f -m '{}' HEAD", /^refs\/notes\/kotef lost records of 1 commit/],
  ["git notes --ref=kotef append -m '{}' HEAD", /^refs\/notes\/kotef lost records of 1 commit/],
  ['git update-ref -d refs/notes/kotef', /^refs\/notes\/kotef was removed \(it was/],
  ['git pack-refs --all && git update-ref -d refs/notes/kotef', /^refs\/notes\/kotef was removed/],
  ['git update-ref refs/notes/kotef HEAD', /^refs\/notes\/kotef does not point to notes/],
  ['git update-ref refs/notes/kotef $(git hash-object -w src/a.ts)', /^refs\/notes\/kotef does not point to notes/],
  ['git symbolic-ref refs/notes/kotef refs/heads/main', /^refs\/notes\/kotef is not a plain reference/],
  [`git update-ref -d ${CLAIM}`, /^refs\/kotef\/claims\/INT-001 was removed \(it was [0-9a-f]{10}\)/],
  [`git pack-refs --all; git update-ref -d ${CLAIM}`, /^refs\/kotef\/claims\/INT-001 was removed/],
  ['rm .git/kotef/refs-known.json; git update-ref -d refs/notes/kotef', /^refs\/notes\/kotef was removed \(it was/],
  [
    `echo '{"notes":null,"claims":{},"told":{}}' >.git/kotef/refs-known.json; git update-ref -d ${CLAIM}`,
    /^refs\/kotef\/claims\/INT-001 was removed \(it was/,
  ],
  ['rm -r .git/refs/kotef', /^refs\/kotef\/claims\/INT-001 was removed/],
  [`git update-ref ${CLAIM} HEAD`, /^refs\/kotef\/claims\/INT-001 does not point to a claim/],
  [`git symbolic-ref ${CLAIM} refs/heads/main`, /^refs\/kotef\/claims\/INT-001 does not point to a claim/],
  ['git update-ref refs/kotef/claims/INT-002 HEAD', /INT-002 does not point to a claim\. .*: kotef has removed it\.$/],
  [
    `git cat-file blob ${CLAIM} | sed 's/"session":"[^"]*"/"session":"nobody"/; s/"claimedAt":"20/"claimedAt":"19/' >f
      git update-ref ${CLAIM} $(git hash-object -w f); rm f`,
    /^refs\/kotef\/claims\/INT-001 names no session/,
  ],
]

describe('a change by another program', () => {
  let repo: Repo
  let daemon: AsyncDisposable
  let before: string
  let count = 0
  beforeAll(async () => {
    repo = await refRepo()
    before = await refs(repo)
    expect(before).toMatch(/\nrefs\/kotef\/claims\/INT-001 [0-9a-f]{40}\n$/)
    daemon = await startWatching(repo)
  })
  afterAll(async () => {
    await daemon[Symbol.asyncDispose]()
    await repo[Symbol.asyncDispose]()
  })

  test('is none that was there before the first look', async () => {
    expect(await reported(repo)).toEqual([])
  })

  test.for(CHANGES)('is told once, and put back: %s', async ([commands, message]) => {
    await repo.play(commands)
    const all = await reported(repo)
    expect(all.slice(count)).toEqual([expect.stringMatching(message)])
    expect(await refs(repo)).toEqual(before)
    count = all.length
  })

  test('finds the file of what is known written again', async () => {
    const path = '.git/kotef/refs-known.json'
    const before = await repo.read(path)
    await repo.play(`rm ${path}`)
    await reported(repo)
    expect(await repo.read(path)).toEqual(before)
  })

  test('is not told again', async () => {
    expect(await reported(repo)).toHaveLength(count)
  })

  test('that not even git can undo is told once', async () => {
    await repo.play('rm .git/refs/notes/kotef; mkfifo .git/refs/notes/kotef')
    const all = await reported(repo)
    expect(all.slice(count)).toEqual([expect.stringMatching(/is not a plain reference .*kotef can not put it back\.$/)])
    expect(await reported(repo)).toHaveLength(all.length)
  })
})

test('what was changed while no daemon was running is found by the next one', async () => {
  await using repo = await refRepo()
  const before = await refs(repo)
  await using first = await startWatching(repo)
  await reported(repo)
  await first[Symbol.asyncDispose]()
  await repo.play(`git update-ref -d ${CLAIM}; git notes --ref=kotef remove HEAD`)
  await using _daemon = await startWatching(repo)
  expect(await reported(repo)).toHaveLength(2)
  expect(await refs(repo)).toEqual(before)
})

// Kotef's own changes, and those that only add.
const OWN_CHANGES = [
  'echo >>src/a.ts; git add src; git commit -qm work; kotef blame src/a.ts',
  'git gc -q; git pack-refs --all',
  'git notes --ref=review add -m x HEAD; git notes --ref=review remove HEAD',
  `git notes --ref=kotef add -m x HEAD~1`,
  'git clone -q --bare . ../o; git remote add o ../o; kotef sync o; git -C ../o rev-parse refs/notes/kotef',
  "git clone -q --mirror . ../m; git fetch -q ../m '+refs/notes/kotef:refs/notes/kotef'",
  'kotef session end --all',
  'kotef intent start INT-001',
]

describe('what kotef changes, and what only adds,', () => {
  let repo: Repo
  let daemon: AsyncDisposable
  beforeAll(async () => {
    repo = await refRepo()
    await repo.play('echo 2 >README; git add README; git -c core.hooksPath=/dev/null commit -qm two')
    daemon = await startWatching(repo)
  })
  afterAll(async () => {
    await daemon[Symbol.asyncDispose]()
    await repo[Symbol.asyncDispose]()
  })

  test.for(OWN_CHANGES)('is not recorded: %s', async commands => {
    await reported(repo)
    expect(await repo.play(commands)).toMatchObject({ code: 0 })
    expect(await reported(repo)).toEqual([])
  })
})

test('the claim of another worktree is looked after by the daemon of that worktree', async () => {
  await using repo = await refRepo()
  const other = await addWorktree(repo, 'beside')
  await using _daemon = await startWatching({ ...repo, root: other })
  await using _here = await startWatching(repo)
  const before = await refs(repo)
  await reported(repo)
  await repo.git('update-ref', '-d', CLAIM)
  expect(await reported(repo)).toHaveLength(1)
  expect(await refs(repo)).toEqual(before)
})
