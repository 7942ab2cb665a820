import { expect, test } from 'vitest'
import { byteLines } from '../../../src/core/base/lines.ts'
import { loadHasher } from '../../../src/world/io/files/hasher.ts'
import { contentHash } from '../../../src/core/ledger/content-hash.ts'
import type { TraceRecord } from '../../../src/core/ledger/record.ts'
import { schemaFaults } from '../../../src/core/ledger/agent-trace.ts'
import { claudeSession } from '../../rig/agent-hooks.ts'
import { runCli } from '../../rig/command-line.ts'
import { governedRepo, flushedRecords, startWatching, flushedWrites } from '../../rig/governed-repo.ts'
import { temporaryRepo } from '../../rig/repo.ts'
import { runCliOrThrow } from '../../rig/hooked-repo.ts'
import { cases, five } from './writes-cases.ts'

const hasher = await loadHasher()
/** What a record says of its one file, without what every test would repeat. */
function reported(record: TraceRecord | undefined) {
  const [file] = record?.files ?? []
  const [conversation] = file?.conversations ?? []
  const ranges = (conversation?.ranges ?? []).map(it => [it.start_line, it.end_line])
  return { path: file?.path, ...file?.kotef, ranges }
}

test.each(Object.entries(cases))('%s', async (_, { before = {}, act, records }) => {
  await using repo = await governedRepo(before)
  await using _daemon = await startWatching(repo)
  await act(repo)
  const written = await flushedWrites(repo)
  expect(written.map(reported).sort((a, b) => (`${a.path}` < `${b.path}` ? -1 : 1))).toEqual(records)
  for (const record of written) {
    expect(schemaFaults(record)).toEqual([])
    for (const file of record.files) {
      const bytes = Buffer.from(file.kotef.after ? await repo.read(file.path) : '')
      for (const { ranges, related } of file.conversations) {
        expect(related.map(it => it.value)).toEqual(['INT-001'])
        for (const { start_line, end_line, content_hash } of ranges)
          expect(content_hash).toBe(contentHash(hasher, byteLines(bytes).slice(start_line - 1, end_line)))
      }
    }
  }
})

test('a second write is compared with the first, not with the commit', async () => {
  await using repo = await governedRepo({ 'src/a.ts': five })
  await using _daemon = await startWatching(repo)
  await repo.write('src/a.ts', `zero\n${five}`)
  await flushedWrites(repo)
  await repo.write('src/a.ts', `zero\n${five}six\n`)
  const written = await flushedWrites(repo)
  expect(written.map(it => reported(it).ranges)).toEqual([[[1, 1]], [[7, 7]]])
  expect(written[1]?.files[0]?.kotef.before).toBe(written[0]?.files[0]?.kotef.after)
})

test('what is undone by hand is a write as well', async () => {
  await using repo = await governedRepo({ 'src/a.ts': five })
  await using _daemon = await startWatching(repo)
  await repo.write('src/a.ts', `${five}six\n`)
  await flushedWrites(repo)
  await repo.write('src/a.ts', five)
  expect((await flushedWrites(repo)).map(it => it.files[0]?.kotef.removed)).toEqual([[], [{ start_line: 6, lines: 1 }]])
})

test('a write outside the scope is recorded for no intent, and flagged at once', async () => {
  await using repo = await governedRepo({}, { agent: 'aider' })
  await using _daemon = await startWatching(repo)
  await repo.write('lib/x.ts', 'x\n')
  const records = await flushedRecords(repo)
  const write = records.find(it => it.metadata['dev.kotef'].event === 'write')
  expect(write?.files[0]?.conversations[0]?.related).toEqual([])
  expect(records.at(-1)?.metadata['dev.kotef']).toMatchObject({
    event: 'violation',
    rule: 'in-scope',
    path: 'lib/x.ts',
    intent: 'INT-001',
    record: write?.id,
  })
})

test('what a person writes outside every scope is recorded and not flagged, also beside an agent', async () => {
  await using repo = await governedRepo({ 'README.md': 'Read me\n', 'lib/old.ts': 'old\n' })
  await using _daemon = await startWatching(repo)
  const write = async (path: string) => {
    await repo.write(path, 'mine\n')
    await repo.run('rm', ['-f', 'lib/old.ts'])
    await flushedRecords(repo)
  }
  await write('lib/alone.ts')
  const claude = claudeSession(repo, 's-1')
  await claude.willWrite('src/a.ts')
  await repo.write('src/a.ts', 'a\n')
  await claude.hasWritten('src/a.ts')
  await write('README.md')
  const records = await flushedRecords(repo)
  const events = records.map(it => it.metadata['dev.kotef'])
  // The commit of this test's start is judged as well.
  expect(events.filter(it => it.event === 'violation' && it.path !== null)).toEqual([])
  const written = records.flatMap(it => it.files.map(file => file.path))
  expect(written).toEqual(expect.arrayContaining(['lib/alone.ts', 'lib/old.ts', 'README.md']))
})

test('a person’s session makes a write human; a declared agent’s makes what is in its scope its own', async () => {
  await using repo = await governedRepo({}, { agent: 'aider' })
  await using _daemon = await startWatching(repo)
  await repo.write('src/a.ts', 'x\n')
  await flushedWrites(repo)
  await runCliOrThrow(repo, 'intent', 'start', 'INT-001')
  await repo.write('src/b.ts', 'x\n')
  const credits = (await flushedWrites(repo)).map(it => [
    it.files[0]?.conversations[0]?.contributor.type,
    it.metadata['dev.kotef'],
  ])
  expect(credits).toMatchObject([
    ['ai', { attribution: 'declared' }],
    ['human', { attribution: 'person' }],
  ])
})

test('what kotef itself writes while it watches is nobody’s write', async () => {
  await using repo = await temporaryRepo({ 'a.ts': 'a\n' })
  await using _daemon = await startWatching(repo)
  await repo.git('config', 'core.hooksPath', '.husky/_')
  await runCli(repo, 'init', '--yes')
  await runCli(repo, 'intent', 'add', '--id', 'INT-001', '--name', 'work', '--scope', 'src/**')
  await runCli(repo, 'intent', 'start', 'INT-001')
  expect((await flushedRecords(repo)).map(it => it.metadata['dev.kotef'].event)).toContain('session-started')
  expect((await flushedWrites(repo)).map(it => it.files[0]?.path)).toEqual([])
})

test('no setting of the user’s git changes what a hunk is, but for the algorithm', async () => {
  await using repo = await governedRepo({ 'src/a.ts': five })
  const settings = { interHunkContext: '9', noprefix: 'true', external: 'false', context: '7', mnemonicPrefix: 'true' }
  for (const [name, value] of Object.entries(settings)) await repo.git('config', `diff.${name}`, value)
  await repo.git('config', 'color.ui', 'always')
  await repo.git('config', 'status.showUntrackedFiles', 'no')
  await using _daemon = await startWatching(repo)
  await repo.write('src/a.ts', 'ONE\ntwo\nthree\nfour\nFIVE\n')
  await repo.write('src/new.ts', 'x\n')
  const ranges = (await flushedWrites(repo)).map(it => reported(it).ranges)
  expect(ranges.sort((a, b) => a.length - b.length)).toEqual([
    [[1, 1]],
    [
      [1, 1],
      [5, 5],
    ],
  ])
})
