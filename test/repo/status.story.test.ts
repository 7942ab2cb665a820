import { expect, test } from 'vitest'
import { runCli } from '../rig/command-line.ts'
import { hookedRepo, runCliOrThrow } from '../rig/hooked-repo.ts'
import { runCommands } from '../rig/judged-repo.ts'
import { temporaryRepo } from '../rig/repo.ts'
import { bypass } from '../rig/verify-findings.ts'

test('status says what will stop the next push, and nothing when it is pushed (solo B5)', async () => {
  await using repo = await hookedRepo()
  await runCommands(repo, 'git init -q --bare ../there; git remote add origin ../there; git push -q origin main')
  expect((await runCli(repo, 'status')).text).not.toContain('push ')
  await runCommands(repo, `echo x >>lib/x.ts; ${bypass('stray', 'Intent-ID: INT-001')}`)
  const { text, json } = await runCli(repo, 'status')
  expect(text).toContain('push     will be stopped: 1 problem')
  expect(text).toMatch(/block {2}[0-9a-f]{10} stray: lib\/x\.ts is outside intent INT-001/)
  expect(json).toMatchObject({ governed: true, push: [{ rule: 'in-scope', path: 'lib/x.ts' }] })
  await runCommands(repo, 'git push -q --no-verify origin main')
  expect((await runCli(repo, 'status')).json).toMatchObject({ push: [] })
})

test('in a repository that nobody governs, status names kotef init (solo B5)', async () => {
  await using repo = await temporaryRepo({ a: 'a\n' })
  const { text, exit, json } = await runCli(repo, 'status')
  expect([text, exit]).toEqual(['kotef does not govern this repository. Set it up with `kotef init`', 0])
  expect(json).toMatchObject({ governed: false, intent: null })
})

test('a file that was made and deleted without a record is not listed (solo B5)', async () => {
  await using repo = await hookedRepo()
  await runCliOrThrow(repo, 'watch', '--detach')
  try {
    await repo.write('src/made.ts', 'x\n')
    await runCliOrThrow(repo, 'flush')
  } finally {
    await runCliOrThrow(repo, 'watch', '--stop')
  }
  await repo.run('rm', ['src/made.ts'])
  await repo.run('rm', ['src/b.ts'])
  expect((await runCli(repo, 'status')).json).toMatchObject({ untraced: ['src/b.ts'] })
})

test('a recorded file that only has another time is in the ledger', async () => {
  await using repo = await hookedRepo()
  await runCliOrThrow(repo, 'watch', '--detach')
  try {
    for (const path of ['src/a.ts', 'src/b.ts']) await repo.write(path, 'recorded\n')
    await runCliOrThrow(repo, 'flush')
  } finally {
    await runCliOrThrow(repo, 'watch', '--stop')
  }
  await repo.run('touch', ['-d', '2001-01-01', 'src/a.ts'])
  await repo.write('src/b.ts', 'not recorded\n')
  expect((await runCli(repo, 'status')).json).toMatchObject({ untraced: ['src/b.ts'] })
})

test('files that kotef itself writes into are not outside an intent: a commit for any may contain them', async () => {
  await using repo = await hookedRepo()
  for (const path of ['.orchestration/AGENT.md', '.orchestration/intent_map.md', 'lib/x.ts'])
    await repo.write(path, 'changed\n')
  expect((await runCli(repo, 'status')).json).toMatchObject({ outOfScope: ['lib/x.ts'] })
  expect((await runCli(repo, 'scope', '.orchestration/AGENT.md')).text.split('\n')).toEqual([
    '.orchestration/AGENT.md',
    '  no owner: a commit for any intent may contain it',
  ])
})

test('without a session the open work is named, and what no open intent owns (solo N23)', async () => {
  await using repo = await hookedRepo()
  await runCliOrThrow(repo, 'session', 'end', '--all')
  for (const path of ['src/a.ts', 'src/b.ts', 'next/c.ts', 'lib/x.ts', 'old/c']) await repo.write(path, 'changed\n')
  const { json, text } = await runCli(repo, 'status')
  expect(json).toMatchObject({
    outOfScope: ['lib/x.ts', 'old/c'],
    work: [
      { intent: 'INT-001', name: 'work', files: 2 },
      { intent: 'INT-003', name: 'next', files: 1 },
    ],
  })
  expect(text).toContain('\n         INT-001 work: 2 changed files\n')
})

test('every command that shows an intent has its live status', async () => {
  await using repo = await hookedRepo()
  await runCommands(repo, 'git branch -q -f before; echo x >>src/b.ts; git commit -qam work -m "Intent-ID: INT-001"')
  const line = (await repo.read('src/b.ts')).trimEnd().split('\n').length
  for (const words of [
    ['intent', 'show', 'INT-001'],
    ['show', 'INT-001'],
    ['why', `src/b.ts:${line}`],
  ])
    expect((await runCli(repo, ...words)).text).toContain('INT-001  IN_PROGRESS')
})
