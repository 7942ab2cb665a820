import { lstat, mkdir, readdir, stat, symlink, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { askSocket } from '../../../src/world/io/process/socket.ts'
import { readDaemonAddress } from '../../../src/world/io/daemon-client/ask-daemon.ts'
import { withLock } from '../../../src/world/io/files/lock.ts'
import { ownPath } from '../../../src/world/io/worktree/layout.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { runCli } from '../../rig/command-line.ts'
import { governedRepo, startWatching, flushedWrites } from '../../rig/governed-repo.ts'
import { ledgerEvents } from '../../rig/ledger-events.ts'
import { type Repo, temporaryRepo } from '../../rig/repo.ts'

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777

async function addressIn(root: string) {
  const address = await readDaemonAddress(await openWorkspace(root))
  if (!address) throw new Error(`No daemon watches ${root}.`)
  return address
}

/** A repository in a folder whose path is too long for a socket, and a place for temporary files of its own. */
async function deepRepo(repo: Repo): Promise<{ readonly deep: Repo; readonly tmp: string }> {
  const [root, tmp] = [join(repo.base, 'deep'.repeat(30)), join(repo.base, 't')]
  await mkdir(tmp)
  await repo.run('git', ['init', '--quiet', root])
  return { deep: { ...repo, root }, tmp }
}

test('wherever a repository lies, its socket has a short path in a folder that nobody else may enter', async () => {
  await using repo = await temporaryRepo()
  const { deep, tmp } = await deepRepo(repo)
  await using daemon = repo.start('kotef-watch', [], { cwd: deep.root, env: { TMPDIR: tmp } })
  await daemon.line(/kotef is watching/)
  const { socket } = await addressIn(deep.root)
  expect([socket.length < 100, socket.startsWith(tmp)]).toEqual([true, true])
  expect([await modeOf(socket), await modeOf(join(socket, '..'))]).toEqual([0o600, 0o700])
  expect((await runCli(deep, 'flush')).failure).toBeNull()
  daemon.signal('SIGTERM')
  await daemon.ended
  expect(await readdir(join(socket, '..'))).toEqual([])
})

test('a folder that somebody else laid out for the socket is not used', async () => {
  await using repo = await temporaryRepo()
  const { deep, tmp } = await deepRepo(repo)
  const folder = join(tmp, `kotef-${process.getuid?.()}`)
  await mkdir(join(tmp, 'elsewhere'))
  await symlink(join(tmp, 'elsewhere'), folder)
  await using daemon = repo.start('kotef-watch', [], { cwd: deep.root, env: { TMPDIR: tmp } })
  await daemon.line(/kotef is watching/)
  expect([(await lstat(folder)).isDirectory(), await modeOf(folder)]).toEqual([true, 0o700])
  expect(await readdir(join(tmp, 'elsewhere'))).toEqual([])
})

test('whoever has no token is told nothing', async () => {
  await using repo = await governedRepo()
  await using _daemon = await startWatching(repo)
  const { socket } = await addressIn(repo.root)
  for (const question of [{ ask: 'status' }, { ask: 'events', token: 'guessed' }, { ask: 'stop', token: '' }, 'x']) {
    const answers: unknown[] = []
    for await (const answer of askSocket(socket, question, 10_000)) answers.push(answer)
    expect(answers).toEqual([{ error: { code: 'usage', message: 'not a question with this token' } }])
  }
  expect((await runCli(repo, 'flush')).failure).toBeNull()
})

test('a full log makes room, for this user alone, and is written on', async () => {
  await using repo = await governedRepo()
  const log = join(repo.root, '.git/kotef/daemon.log')
  await repo.write('.git/kotef/daemon.log', `${'old line\n'.repeat(120_000)}`, 0o600)
  expect((await repo.kotef('watch', '--detach')).code).toBe(0)
  expect((await repo.kotef('watch', '--stop')).code).toBe(0)
  expect(await repo.read('.git/kotef/daemon.log')).toMatch(/^\{"event":"ready".+\n\{"event":"stopped"\}\n$/)
  expect((await repo.read('.git/kotef/daemon.log.1')).startsWith('old line\n')).toBe(true)
  expect([await modeOf(log), await modeOf(`${log}.1`)]).toEqual([0o600, 0o600])
})

test('a daemon that can’t finish in time says in its log that it has stopped', async () => {
  await using repo = await governedRepo()
  expect((await repo.kotef('watch', '--detach')).code).toBe(0)
  const workspace = await openWorkspace(repo.root)
  await withLock(ownPath(workspace, 'ledger.lock'), async () => {
    expect((await repo.kotef('watch', '--stop')).code).toBe(0)
  })
  expect(await repo.read('.git/kotef/daemon.log')).toMatch(/\n\{"event":"stopped"\}\n$/)
})

test('a daemon whose log finds no room goes on watching', async () => {
  await using repo = await governedRepo()
  await symlink('/dev/full', join(repo.root, '.git/kotef/daemon.log'))
  expect((await repo.kotef('watch', '--detach')).code).toBe(0)
  await repo.write('src/a.ts', 'a\n')
  expect((await flushedWrites(repo)).map(it => it.files[0]?.path)).toEqual(['src/a.ts'])
  expect((await repo.kotef('watch', '--stop')).code).toBe(0)
})

test('a daemon to which nobody listens any more stops cleanly', async () => {
  await using repo = await governedRepo()
  await using pipeline = repo.start('sh', ['-c', 'kotef-watch | head -n 1'])
  await pipeline.line(/kotef is watching/)
  await repo.write('src/a.ts', 'a\n')
  await pipeline.ended
  expect((await ledgerEvents(repo)).map(it => it['event']).slice(-2)).toEqual(['write', 'daemon-stopped'])
})

test('a daemon removes what nobody will need again from kotef’s own folders', async () => {
  await using repo = await governedRepo()
  const old = ['own-writes/0123', 'sessions/ended/one.json', 'daemon.json.7.tmp']
  for (const it of [...old, 'own-writes/new', 'tmp/diff-killed/before/0']) await repo.write(`.git/kotef/${it}`, '{}')
  for (const it of old) await utimes(join(repo.root, '.git/kotef', it), 1_000_000_000, 1_000_000_000)
  await using _daemon = await startWatching(repo)
  const left = await repo.run('sh', ['-c', 'cd .git/kotef; ls -d tmp daemon.json.7.tmp own-writes/* sessions/ended/*'])
  expect(left.stdout.split('\n')).toContain('own-writes/new')
  for (const it of [...old, 'tmp']) expect(left.stdout.split('\n')).not.toContain(it)
})
