import { rmSync } from 'node:fs'
import { utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withLock } from '../../src/world/io/files/lock.ts'
import { KotefError } from '../../src/core/base/failure.ts'
import { runCli } from '../rig/command-line.ts'
import { governedRepo } from '../rig/governed-repo.ts'
import type { Repo } from '../rig/repo.ts'

const LOCK = '.git/kotef/registry.lock'

async function putLock(repo: Repo, text: string, { isOld }: { isOld: boolean }): Promise<void> {
  await repo.write(LOCK, text)
  if (isOld) await utimes(join(repo.root, LOCK), 1_000_000_000, 1_000_000_000)
}

const dead = async (repo: Repo) => `${(await repo.run('sh', ['-c', 'echo $$'])).stdout.trim()} ${hostname()}`

test.each([
  ['an empty', async () => ''],
  ['a garbage', async () => '\0\0\0\0'],
  ["a dead process's", dead],
])('%s lock stops nobody, and the doctor names it', async (_, textOf) => {
  await using repo = await governedRepo()
  await putLock(repo, await textOf(repo), { isOld: true })
  const { exit, text } = await runCli(repo, 'doctor')
  expect(exit).toBe(1)
  expect(text).toMatch(/wrong {2}locks: \S*registry\.lock .*\n +Remove it: `rm \S*registry\.lock`/)
  expect(await withLock(join(repo.root, LOCK), async () => 'done', { waitMsMax: 1 })).toBe('done')
  expect((await runCli(repo, 'doctor')).text).toContain('ok     locks')
})

test('a link to itself in the place of a lock is taken away, as any other damage', async () => {
  await using repo = await governedRepo()
  await repo.play(`ln -s registry.lock ${LOCK}; touch -h -d 2001-01-01 ${LOCK}`)
  expect((await runCli(repo, 'doctor')).text).toMatch(/wrong {2}locks: \S*registry\.lock /)
  expect(await withLock(join(repo.root, LOCK), async () => 'done', { waitMsMax: 1 })).toBe('done')
})

test.each([
  ['that was just made, whatever is in it', '', 'is held by nobody that it names'],
  ['of another machine', '7 elsewhere', 'is held by process 7 on elsewhere'],
])('a lock %s is waited for, and the failure names the file, the holder and the way out', async (_, text, words) => {
  await using repo = await governedRepo()
  const path = join(repo.root, LOCK)
  await putLock(repo, text, { isOld: text !== '' })
  const failure = await withLock(path, async () => null, { waitMsMax: 1 }).catch((thrown: unknown) => thrown)
  expect(failure).toBeInstanceOf(KotefError)
  expect(failure).toMatchObject({ code: 'ledger-busy', message: `${path} ${words}.` })
  expect((failure as KotefError).hint).toContain(`\`rm ${path}\``)
  // As new as it was: what is in it must decide, not how long this test took so far.
  if (text === '') await putLock(repo, text, { isOld: false })
  expect((await runCli(repo, 'doctor')).text).toContain('ok     locks')
})

test('who waits for a lock is named its holder once, and goes on when it is free', async () => {
  await using repo = await governedRepo()
  const path = join(repo.root, LOCK)
  await putLock(repo, '7 elsewhere', { isOld: false })
  const holders: string[] = []
  const onWait = (holder: string) => {
    holders.push(holder)
    rmSync(path)
  }
  expect(await withLock(path, async () => 'done', { waitMsMax: 60_000, onWait })).toBe('done')
  expect(holders).toEqual(['process 7 on elsewhere'])
})
