import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { flushDaemon } from '../../../src/world/io/daemon-client/ask-daemon.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { flushedWrites, governedRepo, startWatching } from '../../rig/governed-repo.ts'
import { removeAll } from '../../rig/remove-all.ts'
import { chainFaults } from '../../rig/ledger-writes.ts'

const LEDGER = '.orchestration/agent_trace.jsonl'
const paths = (count: number) => Array.from({ length: count }, (_, n) => `src/d${Math.floor(n / 50)}/f${n}.ts`)

test.each([1, 300])(
  'a daemon that is stopped after %d of many records ends, and the next one records the rest, each once',
  async reported => {
    const files = paths(600)
    await using repo = await governedRepo()
    await using daemon = repo.start('kotef-watch')
    await daemon.line(/kotef is watching/)
    for (const path of files) await repo.write(path, `export const a = '${path}'\n`)
    for (let n = 0; n < reported; n++) await daemon.line(/ create +src\/d/)
    daemon.signal('SIGTERM')
    expect(await daemon.ended).toEqual({ code: 0, signal: null })
    await using _next = await startWatching(repo)
    const written = (await flushedWrites(repo)).flatMap(it => it.files.map(file => `${file.kotef.op} ${file.path}`))
    expect(written.sort()).toEqual(files.map(it => `create ${it}`).sort())
    expect(chainFaults(await repo.read(LEDGER))).toEqual([])
  },
)

// With work for each pair of files, this would take minutes. It is a large tree: git's look at it is not waited for.
test('20,000 removed files are recorded, and a daemon whose repository is removed then ends', async () => {
  const files = paths(20_000)
  await using repo = await governedRepo(Object.fromEntries(files.map(it => [it, `export const a = '${it}'\n`])))
  await using daemon = repo.start('kotef-watch')
  await daemon.line(/kotef is watching/)
  const workspace = await openWorkspace(repo.root)
  rmSync(join(repo.root, 'src'), { recursive: true })
  expect(await flushDaemon(workspace, 60_000)).toBe(true)
  expect((await repo.read(LEDGER)).match(/"op":"delete"/g)).toHaveLength(files.length)
  removeAll(repo.root)
  expect((await daemon.ended).signal).toBeNull()
})

test('a commit of many files is judged while the daemon goes on, and by the next one when this one ends', async () => {
  const files = Array.from({ length: 2_100 }, (_, n) => `lib/f${n}.ts`)
  await using repo = await governedRepo()
  await using daemon = repo.start('kotef-watch')
  await daemon.line(/kotef is watching/)
  const workspace = await openWorkspace(repo.root)
  const commitAll = async (text: string) => {
    await Promise.all(files.map(path => repo.write(path, text)))
    await repo.git('add', 'lib')
    await repo.git('commit', '-qnm', `lib\n\nIntent-ID: INT-001`)
    return (await repo.git('rev-parse', 'HEAD')).trim()
  }
  const judged = async (commit: string) =>
    (await repo.read(LEDGER)).split('\n').filter(it => it.includes(`"commit":"${commit}"`))
  const first = await commitAll('one\n')
  expect(await flushDaemon(workspace, 60_000)).toBe(true)
  expect(await judged(first)).toHaveLength(files.length)
  const second = await commitAll('two\n')
  daemon.signal('SIGTERM')
  expect(await daemon.ended).toEqual({ code: 0, signal: null })
  await using _next = await startWatching(repo)
  expect(await flushDaemon(workspace, 60_000)).toBe(true)
  expect(await judged(second)).toHaveLength(files.length)
})
