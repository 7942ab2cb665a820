import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { governedRepo, flushedRecords, startWatching, flushedWrites } from '../../rig/governed-repo.ts'
import { temporaryRepo } from '../../rig/repo.ts'

test('the second daemon says who runs', async () => {
  await using repo = await governedRepo()
  await using first = repo.start('kotef-watch')
  await first.line(/kotef is watching/)
  const second = await repo.kotef('watch', '--json')
  expect(second.code).toBe(3)
  expect(JSON.parse(second.stdout)).toMatchObject({
    error: { code: 'daemon-running', message: expect.stringContaining(`${first.pid}`) },
  })
  first.signal('SIGINT')
  expect(await first.ended).toMatchObject({ code: 0 })
})

test('of two daemons started at once exactly one stays, and both commands name it (solo C6)', async () => {
  await using repo = await governedRepo()
  const both = await Promise.all([0, 1].map(() => repo.kotef('watch', '--detach', '--json')))
  expect(both.map(it => it.code)).toEqual([0, 0])
  expect(both[0]?.stdout).toBe(both[1]?.stdout)
  expect((await repo.kotef('watch', '--detach')).stdout).toMatch(
    /^kotef is already watching \(pid \d+, since .*just now\)/,
  )
  expect((await repo.kotef('watch', '--stop')).code).toBe(0)
})

test('a daemon that starts itself while a person stops it does not stay', async () => {
  await using repo = await governedRepo()
  const stop = await repo.kotef('watch', '--stop')
  expect([stop.code, stop.stderr]).toEqual([3, expect.stringContaining('No daemon is watching')])
  // What the hook has started by then, as it starts it.
  await using daemon = repo.start('kotef-watch', ['--idle', '3600000'])
  await daemon.line(/kotef is watching/)
  expect(await daemon.ended).toMatchObject({ code: 0 })
})

test.each(['SIGINT', 'SIGTERM'] as const)('%s stops it cleanly', async signal => {
  await using repo = await governedRepo()
  await using daemon = repo.start('kotef-watch')
  await daemon.line(/kotef is watching/)
  await repo.write('src/a.ts', 'x\n')
  const askedAt = performance.now()
  daemon.signal(signal)
  expect(await daemon.ended).toEqual({ code: 0, signal: null })
  const isBusy = performance.now() - askedAt > LAST_LOOK_MS
  const events = (await repo.read('.orchestration/agent_trace.jsonl'))
    .trim()
    .split('\n')
    .map(it => JSON.parse(it).metadata['dev.kotef'].event)
  // A daemon that gets no time for its last look leaves the write to the next one.
  expect(events.slice(-2)).toEqual([
    isBusy ? expect.stringMatching(/^write$|^daemon-started$/) : 'write',
    'daemon-stopped',
  ])
  expect(await repo.kotef('flush')).toMatchObject({ code: 3, stderr: expect.stringContaining('npx kotef-watch') })
  await using _next = await startWatching(repo)
  expect((await flushedWrites(repo)).map(it => it.files[0]?.path)).toEqual(['src/a.ts'])
})

// `LAST_LOOK_MS_MAX` of the daemon, which it takes only when git is slow.
const LAST_LOOK_MS = 300

test('after kill -9 and edits, the next daemon records them as catch-up and the chain verifies', async () => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\n', 'src/gone.ts': 'g\n', 'src/kept.ts': 'k\n' })
  await using killed = repo.start('kotef-watch')
  await killed.line(/kotef is watching/)
  await repo.write('src/kept.ts', 'k\nseen\n')
  await flushedWrites(repo)
  killed.signal('SIGKILL')
  await killed.ended
  await repo.write('src/a.ts', 'a\nunseen\n')
  await repo.write('src/new.ts', 'n\n')
  await repo.run('rm', ['src/gone.ts'])
  await using _daemon = await startWatching(repo)
  const written = (await flushedWrites(repo)).map(it => [
    it.files[0]?.path,
    it.files[0]?.kotef.op,
    it.metadata['dev.kotef'],
  ])
  expect(written.sort()).toMatchObject([
    ['src/a.ts', 'modify', { source: 'catch-up' }],
    ['src/gone.ts', 'delete', { source: 'catch-up' }],
    ['src/kept.ts', 'modify', { source: 'daemon' }],
    ['src/new.ts', 'create', { source: 'catch-up' }],
  ])
  expect((await flushedRecords(repo)).map(it => it.metadata['dev.kotef'].event)).toContain('daemon-gap')
  expect(await repo.kotef('trace', 'verify')).toMatchObject({ code: 0, stdout: expect.stringContaining('Ledger OK') })
})

const REMOVED_AGAIN = [
  ...['git config core.hooksPath /dev/null', 'git rm -q src/a.ts', 'git commit -qm gone', 'kotef flush'],
  ...['git revert --no-edit HEAD', 'kotef flush', 'git rm -q src/a.ts', 'kotef flush'],
].join('; ')

test('a staged removal of what git brought lately is recorded once, however often a daemon starts', async () => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\n' })
  {
    await using _first = await startWatching(repo)
    expect(await repo.run('sh', ['-ec', REMOVED_AGAIN])).toMatchObject({ code: 0 })
  }
  await using _second = await startWatching(repo)
  expect((await flushedWrites(repo)).map(it => it.files[0]?.kotef.op)).toEqual(['delete', 'delete'])
})

test('what had changed before kotef came is taken as it is, and told', async () => {
  await using repo = await temporaryRepo({ 'a.ts': 'a\n' })
  await repo.write('a.ts', 'changed\n')
  await using daemon = repo.start('kotef-watch')
  await daemon.line(/; 1 file had changed before it started/)
  await repo.write('a.ts', 'changed\nagain\n')
  expect((await flushedWrites(repo)).map(it => it.files[0]?.conversations[0]?.ranges.map(of => of.start_line))).toEqual(
    [[2]],
  )
})

test('outside of a git repository it says so', async () => {
  await using repo = await temporaryRepo()
  expect(await repo.run('kotef-watch', [], { cwd: repo.base })).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('git init'),
  })
})

test('the socket and its token are for this user alone', async () => {
  await using repo = await governedRepo()
  await using _daemon = await startWatching(repo)
  const own = join(repo.root, '.git/kotef')
  const address = JSON.parse(await readFile(join(own, 'daemon.json'), 'utf8')) as { socket: string }
  const modes = await Promise.all([stat(join(own, 'daemon.json')), stat(address.socket)])
  expect(modes.map(it => it.mode & 0o777)).toEqual([0o600, 0o600])
})
