import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { governedRepo, startWatching, flushedWrites } from '../../rig/governed-repo.ts'
import type { Repo } from '../../rig/repo.ts'

const SECRET = 'hunter2-planted-secret'

// An agent has written three lines and committed them; then a person, of whom nobody knew, has added one.
let repo: Repo
let daemon: AsyncDisposable
beforeAll(async () => {
  repo = await governedRepo({ 'src/a.ts': 'const old = 1\n' }, { agent: 'aider' })
  daemon = await startWatching(repo)
  await repo.write('src/a.ts', `const old = 1\nconst one = 1\nconst two = '${SECRET}'\n  const three = 3\n`)
  await flushedWrites(repo)
  await repo.git('commit', '-qam', 'three lines')
  await repo.write('src/a.ts', `// top\n${await repo.read('src/a.ts')}`)
  await flushedWrites(repo)
})
afterAll(async () => {
  await daemon[Symbol.asyncDispose]()
  await repo[Symbol.asyncDispose]()
})

test('blame has one entry for every line on disk, by the contract of its JSON', async () => {
  const commit = (await repo.git('rev-parse', 'HEAD')).trim()
  const before = (await repo.git('rev-parse', 'HEAD^')).trim()
  const session = expect.stringMatching(/^[0-9a-f-]{36}$/) as string
  const contributor = { type: 'ai' }
  const unknown = { intent: null, session: null, contributor: { type: 'unknown' } }
  const git = { author: 'Ada Author', date: expect.stringMatching(/^2026-01-01T/) as string }
  const agents = { commit, intent: 'INT-001', session, contributor, how: 'note', git }
  expect(await asked('blame', 'src/a.ts')).toEqual({
    file: 'src/a.ts',
    lines: [
      { line: 1, commit: null, intent: 'INT-001', session, contributor, how: 'working', git: null },
      { line: 2, commit: before, ...unknown, how: 'none', git },
      { line: 3, ...agents },
      { line: 4, ...agents },
      { line: 5, ...agents },
    ],
  })
})

test('blame takes git ranges and a revision', async () => {
  expect(await asked('blame', 'src/a.ts', '-L', '2,3', '--rev', 'HEAD')).toMatchObject({
    lines: [
      { line: 2, contributor: { type: 'ai' } },
      { line: 3, contributor: { type: 'ai' } },
    ],
  })
})

test('blame shows people the commit, the intent, the author and the day beside the text (solo B4)', async () => {
  const { stdout } = await repo.kotef('blame', 'src/a.ts')
  const lines = stdout.split('\n')
  expect(lines[0]).toMatch(/^uncommitted {2}INT-001 {2}ai {10}\s+1\) \/\/ top$/)
  expect(lines[1]).toMatch(/^[0-9a-f]{10} {3}- {8}Ada Author\? {2}2026-01-01 {2}2\) const old = 1$/)
  expect(lines[2]).toMatch(/^[0-9a-f]{10} {3}INT-001 {2}ai +2026-01-01 {2}3\) const one = 1$/)
  expect(Math.max(...lines.map(it => it.indexOf(')')))).toBeLessThan(50)
})

test('blame takes a line as why does (solo C4)', async () => {
  const asLine = (await repo.kotef('blame', 'src/a.ts:3')).stdout
  expect(asLine).toBe((await repo.kotef('blame', 'src/a.ts', '-L', '3,3')).stdout)
  expect(asLine.split('\n')).toHaveLength(2)
})

test.each([
  [
    'a file that is not there',
    ['blame', 'src/none'],
    /src\/none can't be blamed: no such path 'src\/none' in HEAD.*\n.*`git ls-files`/,
  ],
  ['a folder (solo C3)', ['blame', 'src'], /src is a folder\.\n.*Name a file in it/],
  ['a range that is none (solo C3)', ['blame', 'src/a.ts', '-L', '1,2x'], /-L takes lines such as 10,20, .*, not 1,2x/],
  ['a file elsewhere', ['blame', '../other'], /\.\.\/other is not a file of this repository/],
  [
    'lines that are not there',
    ['blame', 'src/a.ts', '-L', '99,100'],
    /file src\/a\.ts has only 5 lines.*\n.*Name lines that the file has/,
  ],
  [
    'a revision that is none',
    ['blame', 'src/a.ts', '--rev', 'nope'],
    /can't be blamed: bad revision 'nope'.*\n.*`git log --oneline`/,
  ],
  ['an option as a revision', ['blame', 'src/a.ts', '--rev=--contents=x'], /--contents=x is not a commit/],
  ['a line without a file', ['why', '12'], /Name a line as file:line/],
  ['a line that is not there', ['why', 'src/a.ts:99'], /has only 5 lines/],
  ['a commit that is none', ['trace', '--commit', 'nope'], /nope is not a commit/],
  ['an intent that is none', ['show', 'INT-9'], /INT-9/],
  ['a remote that is none', ['sync', 'nope'], /There is no remote nope/],
  ['no remote at all', ['sync'], /There is no remote to sync with/],
])('is told what is wrong: %s', async (_, words, message) => {
  const { code, stderr } = await repo.kotef(...words)
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
})

test('why has the intent, the session, the record and the commit of a line', async () => {
  expect(await asked('why', 'src/a.ts:3')).toMatchObject({
    line: 3,
    how: 'note',
    subject: 'three lines',
    author: { attribution: 'declared', intent: 'INT-001' },
    intent: { id: 'INT-001', owned_scope: ['src/**'] },
    record: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
})

test('trace --commit is the record of Agent Trace that the note has', async () => {
  const [record] = (await asked('trace', '--commit', 'HEAD')) as [{ files: unknown[]; vcs: unknown }]
  const commit = (await repo.git('rev-parse', 'HEAD')).trim()
  expect(record).toMatchObject({ version: '0.1.0', vcs: { type: 'git', revision: commit } })
  // A daemon may have added a record of classes.
  const [note = ''] = (await repo.git('notes', '--ref=kotef', 'show', 'HEAD')).split('\n')
  expect(JSON.parse(note)).toEqual(record)
  await repo.write('../notes.jsonl', `${JSON.stringify(record)}\n`)
  expect(await repo.kotef('trace', 'validate', '../notes.jsonl')).toMatchObject({ code: 0 })
})

test('stats counts lines, in a range as well (solo B4, team S13, A17), show what became of them', async () => {
  const people = { 'Ada Author': 4 }
  expect(await asked('stats')).toMatchObject({ types: { ai: 3 }, people, lines: 4, commits: 2, governance: 1 })
  expect(await asked('stats', 'HEAD~1..HEAD')).toMatchObject({ types: { ai: 3 }, lines: 3, commits: 1 })
  expect(await asked('stats', 'HEAD..HEAD')).toMatchObject({ commits: 0, lines: 0 })
  expect(await asked('stats', '--since', '2100-01-01')).toMatchObject({ commits: 0, lines: 0 })
  const { files } = (await asked('show', 'INT-001')) as { files: unknown[] }
  expect(files).toContainEqual({ path: 'src/a.ts', added: 3, alive: 3 })
})

test('no text of a file is in the ledger, a note, a log or an answer', async () => {
  const said = await Promise.all(
    [
      ['blame', '--json', 'src/a.ts'],
      ['why', 'src/a.ts:4'],
      ['trace', '--json'],
      ['trace', '--commit', 'HEAD', '--json'],
      ['stats', '--json'],
      ['show', 'INT-001'],
      ['verify', 'HEAD^..HEAD', '--require-trace'],
    ].map(async words => (await repo.kotef(...words)).stdout),
  )
  const notes = await repo.git('log', '-p', 'refs/notes/kotef')
  const kept = await textsBelow(repo, '.git/kotef', 'snapshots')
  const ledger = await textsBelow(repo, '.orchestration', '')
  expect([...said, notes, ...kept, ...ledger].filter(it => it.includes(SECRET))).toEqual([])
  expect((await repo.read('src/a.ts')).includes(SECRET)).toBe(true)
})

async function asked(...words: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await repo.kotef(...words, '--json')
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

// A snapshot is a copy of a file that differs from the index, as git's own objects are.
async function textsBelow({ root }: Repo, folder: string, except: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
  const files = entries.filter(it => it.isFile() && (except === '' || !it.parentPath.includes(except)))
  return Promise.all(files.map(it => readFile(join(it.parentPath, it.name), 'latin1')))
}
