import { rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { IndexLocks } from '../../../src/world/recording/git-evidence/index-locks.ts'
import { PROMPT_EVENT_MS } from '../../../src/core/base/thresholds.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { temporaryRepo } from '../../rig/repo.ts'

/** The locks of a repository's index, and one that is taken and removed by hand. */
async function locking(root: string) {
  const workspace = await openWorkspace(root)
  const locks = new IndexLocks(workspace)
  const lock = join(workspace.gitDir, 'index.lock')
  const held = (time: number): boolean => locks.all().some(it => it.certain && it.from <= time && time < it.to + 1)
  return { locks, held, take: () => writeFile(lock, ''), letGo: () => rm(lock), now: () => workspace.clock.now() }
}

// A file's time has fractions of a millisecond and the clock has none: a time in the next one is after the file's.
async function laterThan(now: () => number): Promise<number> {
  const before = now()
  await expect.poll(now, { interval: 1 }).toBeGreaterThan(before)
  return now()
}

test('a lock that was let go is an interval, and one that is held has no end yet', async () => {
  await using repo = await temporaryRepo({ 'a.ts': '' })
  const { locks, held, take, letGo, now } = await locking(repo.root)
  await take()
  locks.saw('index.lock')
  expect(held(now() + 60_000)).toBe(true)
  const within = await laterThan(now)
  await letGo()
  locks.saw('index.lock')
  expect([held(within), held(within + 60_000)]).toEqual([true, false])
})

test('a lock that had made room for the next one when anybody looked is an interval all the same', async () => {
  await using repo = await temporaryRepo({ 'a.ts': '' })
  const { locks, held, take, letGo, now } = await locking(repo.root)
  await take()
  locks.saw('index.lock')
  const within = await laterThan(now)
  await letGo()
  await expect.poll(now).toBeGreaterThan(within + 20)
  await take()
  locks.saw('index.lock')
  await letGo()
  locks.saw('index.lock')
  expect(held(within)).toBe(true)
})

test('a lock that nobody saw come may have had others before it', async () => {
  await using repo = await temporaryRepo({ 'a.ts': '' })
  const { locks, held, take, letGo, now } = await locking(repo.root)
  const since = now()
  await expect.poll(() => locks.all().every(it => it.to < now() - 20)).toBe(true)
  const before = now()
  await expect.poll(now).toBeGreaterThan(before + 20)
  await take()
  locks.saw('index.lock')
  // However long all of this took: as far back as an event may be late, and not before anybody looked.
  const from = Math.max(now() - PROMPT_EVENT_MS, since)
  const { birthtimeMs: to } = await stat(join(repo.root, '.git/index.lock'))
  expect(locks.all()).toContainEqual({ from: expect.toSatisfy((it: number) => it <= from), to, certain: false })
  expect(held(before)).toBe(false)
  await letGo()
})
