import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { runCli } from '../../rig/command-line.ts'
import { flushedWrites, governedRepo } from '../../rig/governed-repo.ts'
import type { Repo } from '../../rig/repo.ts'

test('a daemon outlives clients that are gone before their answer', async () => {
  await using repo = await governedRepo()
  await using daemon = repo.start('kotef-watch')
  await daemon.line(/kotef is watching/)
  const path = await socketPath(repo)
  for (let n = 0; n < 20; n++) {
    const client = connect(path)
    await once(client, 'connect')
    client.write('hello\n')
    client.destroy()
  }
  await repo.write('src/a.ts', 'x\n')
  expect((await flushedWrites(repo)).map(it => it.files[0]?.path)).toEqual(['src/a.ts'])
})

test('a daemon outlives a reader of its events that is stopped, and killed while events wait', async () => {
  await using repo = await governedRepo()
  await using daemon = repo.start('kotef-watch')
  await daemon.line(/kotef is watching/)
  for (let n = 0; n < 3; n++) {
    await using reader = repo.start('kotef', ['trace', '--follow'])
    let isReported = false
    void reader.line(/src\/first/).then(() => (isReported = true))
    for (let k = 0; !isReported; k++) await written(repo, `src/first${n}-${k}.ts`)
    reader.signal('SIGSTOP')
    for (let k = 0; k < 5; k++) await written(repo, `src/later${n}-${k}.ts`)
    reader.signal('SIGKILL')
    await reader.ended
  }
  expect((await runCli(repo, 'flush')).failure).toBeNull()
})

test('a client that sends without end is cut off', async () => {
  await using repo = await governedRepo()
  await using daemon = repo.start('kotef-watch')
  await daemon.line(/kotef is watching/)
  const client = connect(await socketPath(repo)).on('error', () => {})
  const closed = new Promise<void>(resolve => client.once('close', resolve))
  const send = () => {
    while (!client.destroyed && client.write('x'.repeat(65_536)));
  }
  client.on('drain', send)
  send()
  await closed
  expect((await runCli(repo, 'flush')).failure).toBeNull()
})

async function socketPath(repo: Repo): Promise<string> {
  return (JSON.parse(await repo.read('.git/kotef/daemon.json')) as { socket: string }).socket
}

async function written(repo: Repo, path: string): Promise<void> {
  await repo.write(path, 'x\n')
  await flushedWrites(repo)
}
