import { chmod, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { blobOid } from '../../../src/diff/blob.ts'
import { linesOf } from '../../../src/diff/lines.ts'
import { loadHasher } from '../../../src/io/hash.ts'
import { contentHash } from '../../../src/ledger/content-hash.ts'
import type { TraceRecord } from '../../../src/ledger/record.ts'
import { validateRecord } from '../../rig/agent-trace.ts'
import { governedRepo, ledgerOf, watching, writesOf } from '../../rig/governed.ts'
import type { Repo } from '../../rig/repo.ts'

const hasher = await loadHasher()
const oidOf = (text: string | Buffer): string => blobOid(Buffer.from(text))

/** What a record says of its one file, without what every test would repeat. */
function told(record: TraceRecord | undefined) {
  const [file] = record?.files ?? []
  const [conversation] = file?.conversations ?? []
  const ranges = (conversation?.ranges ?? []).map(it => [it.start_line, it.end_line])
  return { path: file?.path, ...file?.kotef, ranges }
}

const five = 'one\ntwo\nthree\nfour\nfive\n'
const at = (repo: Repo, path: string): string => join(repo.root, path)

type Case = {
  readonly before?: Readonly<Record<string, string | Buffer>>
  readonly act: (repo: Repo) => Promise<unknown>
  readonly records: readonly Record<string, unknown>[]
}

const cases: Readonly<Record<string, Case>> = {
  'a new file is one range': {
    act: repo => repo.write('src/a.ts', 'x\ny\n'),
    records: [{ path: 'src/a.ts', op: 'create', before: null, after: oidOf('x\ny\n'), removed: [], ranges: [[1, 2]] }],
  },
  'a changed file is its hunks': {
    before: { 'src/a.ts': five },
    act: repo => repo.write('src/a.ts', 'one\nTWO\nthree\nfive\nsix\n'),
    records: [
      {
        path: 'src/a.ts',
        op: 'modify',
        before: oidOf(five),
        after: oidOf('one\nTWO\nthree\nfive\nsix\n'),
        removed: [
          { start_line: 2, lines: 1 },
          { start_line: 4, lines: 1 },
        ],
        ranges: [
          [2, 2],
          [5, 5],
        ],
      },
    ],
  },
  'a deleted file is what it had': {
    before: { 'src/a.ts': five },
    act: repo => rm(at(repo, 'src/a.ts')),
    records: [{ path: 'src/a.ts', op: 'delete', before: oidOf(five), after: null, removed: [{ start_line: 1, lines: 5 }], ranges: [] }],
  },
  'a moved file names both ends': {
    before: { 'src/a.ts': five },
    act: repo => rename(at(repo, 'src/a.ts'), at(repo, 'src/b.ts')),
    records: [{ path: 'src/b.ts', from: 'src/a.ts', op: 'rename', before: oidOf(five), after: oidOf(five), removed: [], ranges: [] }],
  },
  'a mode is a change': {
    before: { 'src/a.sh': five },
    act: repo => chmod(at(repo, 'src/a.sh'), 0o755),
    records: [
      {
        path: 'src/a.sh',
        op: 'modify',
        before: oidOf(five),
        after: oidOf(five),
        mode: { before: '100644', after: '100755' },
        removed: [],
        ranges: [],
      },
    ],
  },
  'a symlink is its target, not the file behind it': {
    before: { 'secret.txt': 'secret\n' },
    act: async repo => {
      await repo.write('src/keep', '')
      await symlink('../secret.txt', at(repo, 'src/link'))
    },
    records: [
      { path: 'src/keep', op: 'create', before: null, after: oidOf(''), removed: [], ranges: [] },
      {
        path: 'src/link',
        op: 'create',
        before: null,
        after: oidOf('../secret.txt'),
        mode: { before: null, after: '120000' },
        opaque: 'symlink',
        removed: [],
        ranges: [],
      },
    ],
  },
  'a binary file has no lines': {
    act: repo => repo.write('src/a.png', Buffer.from([0x89, 0, 1, 2, 10])),
    records: [
      {
        path: 'src/a.png',
        op: 'create',
        before: null,
        after: oidOf(Buffer.from([0x89, 0, 1, 2, 10])),
        opaque: 'binary',
        removed: [],
        ranges: [],
      },
    ],
  },
  'a text of 2 MB is told by its oid': {
    act: repo => repo.write('src/big.txt', `${'x'.repeat(99)}\n`.repeat(20_972)),
    records: [
      {
        path: 'src/big.txt',
        op: 'create',
        before: null,
        after: oidOf(`${'x'.repeat(99)}\n`.repeat(20_972)),
        opaque: 'oversized',
        removed: [],
        ranges: [],
      },
    ],
  },
  'an empty file has no range': {
    act: repo => repo.write('src/empty', ''),
    records: [{ path: 'src/empty', op: 'create', before: null, after: oidOf(''), removed: [], ranges: [] }],
  },
  'CRLF is kept in the oid and left out of the lines': {
    before: { 'src/a.bat': 'a\r\nb\r\n' },
    act: repo => repo.write('src/a.bat', 'a\r\nB\r\n'),
    records: [
      {
        path: 'src/a.bat',
        op: 'modify',
        before: oidOf('a\r\nb\r\n'),
        after: oidOf('a\r\nB\r\n'),
        removed: [{ start_line: 2, lines: 1 }],
        ranges: [[2, 2]],
      },
    ],
  },
  'a last line without a newline is a line': {
    before: { 'src/a.ts': 'a\nb' },
    act: repo => repo.write('src/a.ts', 'a\nb\nc'),
    records: [
      {
        path: 'src/a.ts',
        op: 'modify',
        before: oidOf('a\nb'),
        after: oidOf('a\nb\nc'),
        removed: [{ start_line: 2, lines: 1 }],
        ranges: [[2, 3]],
      },
    ],
  },
  'a path may have spaces, quotes, a newline and UTF-8': {
    act: repo => repo.write('src/ein "schöner"\nName ✓.ts', 'x\n'),
    records: [{ path: 'src/ein "schöner"\nName ✓.ts', op: 'create', before: null, after: oidOf('x\n'), removed: [], ranges: [[1, 1]] }],
  },
  'what gitignore ignores is nobody’s business': {
    before: { '.gitignore': 'build/\n*.log\n' },
    act: async repo => {
      await repo.write('build/out.js', 'x')
      await repo.write('src/noise.log', 'x')
      await repo.write('src/a.ts', 'x\n')
    },
    records: [{ path: 'src/a.ts', op: 'create', before: null, after: oidOf('x\n'), removed: [], ranges: [[1, 1]] }],
  },
  'an atomic save is one write': {
    before: { 'src/a.ts': five },
    act: async repo => {
      await repo.write('src/.a.ts.tmp', `${five}six\n`)
      await rename(at(repo, 'src/.a.ts.tmp'), at(repo, 'src/a.ts'))
    },
    records: [{ path: 'src/a.ts', op: 'modify', before: oidOf(five), after: oidOf(`${five}six\n`), removed: [], ranges: [[6, 6]] }],
  },
}

test.each(Object.entries(cases))('%s', async (_, { before = {}, act, records }) => {
  await using repo = await governedRepo(before)
  await using _daemon = await watching(repo)
  await act(repo)
  const written = await writesOf(repo)
  expect(written.map(told).sort((a, b) => (`${a.path}` < `${b.path}` ? -1 : 1))).toEqual(records)
  for (const record of written) {
    expect(validateRecord(record)).toEqual([])
    for (const file of record.files) {
      const bytes = Buffer.from(file.kotef.after ? await repo.read(file.path) : '')
      for (const { ranges, related } of file.conversations) {
        expect(related.map(it => it.value)).toEqual(['INT-001'])
        for (const { start_line, end_line, content_hash } of ranges)
          expect(content_hash).toBe(contentHash(hasher, linesOf(bytes).slice(start_line - 1, end_line)))
      }
    }
  }
})

test('a second write is compared with the first, not with the commit', async () => {
  await using repo = await governedRepo({ 'src/a.ts': five })
  await using _daemon = await watching(repo)
  await repo.write('src/a.ts', `zero\n${five}`)
  await writesOf(repo)
  await repo.write('src/a.ts', `zero\n${five}six\n`)
  const written = await writesOf(repo)
  expect(written.map(it => told(it).ranges)).toEqual([[[1, 1]], [[7, 7]]])
  expect(written[1]?.files[0]?.kotef.before).toBe(written[0]?.files[0]?.kotef.after)
})

test('what is undone by hand is a write as well', async () => {
  await using repo = await governedRepo({ 'src/a.ts': five })
  await using _daemon = await watching(repo)
  await repo.write('src/a.ts', `${five}six\n`)
  await writesOf(repo)
  await repo.write('src/a.ts', five)
  expect((await writesOf(repo)).map(it => it.files[0]?.kotef.removed)).toEqual([[], [{ start_line: 6, lines: 1 }]])
})

test('a write outside the scope is recorded for no intent, and flagged at once', async () => {
  await using repo = await governedRepo()
  await using _daemon = await watching(repo)
  await repo.write('lib/x.ts', 'x\n')
  const records = await ledgerOf(repo)
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

test('a person’s session makes a write human; a declared agent’s makes what is in its scope its own', async () => {
  await using repo = await governedRepo({}, { agent: 'aider' })
  await using _daemon = await watching(repo)
  await repo.write('src/a.ts', 'x\n')
  await writesOf(repo)
  await repo.kotef('intent', 'start', 'INT-001')
  await repo.write('src/b.ts', 'x\n')
  const credits = (await writesOf(repo)).map(it => [it.files[0]?.conversations[0]?.contributor.type, it.metadata['dev.kotef']])
  expect(credits).toMatchObject([
    ['ai', { attribution: 'declared' }],
    ['human', { attribution: 'person' }],
  ])
})
