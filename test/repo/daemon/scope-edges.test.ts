import { readdirSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TraceRecord } from '../../../src/core/ledger/record.ts'
import { governedRepo, flushedRecords, startWatching } from '../../rig/governed-repo.ts'

type Act = (at: (path: string) => string) => Promise<unknown>
type Row = readonly [promise: string, act: Act, write: object, violations: readonly string[]]

const FILES = { 'src/a.ts': 'a\n', 'src/keep': '', 'lib/x.ts': 'x\n' }

const rows: readonly Row[] = [
  [
    'a file that is moved out of the scope is nobody’s, and its new place is flagged',
    at => rename(at('src/a.ts'), at('lib/a.ts')),
    { path: 'lib/a.ts', op: 'rename', from: 'src/a.ts', intents: [] },
    ['lib/a.ts'],
  ],
  [
    'a file that is moved into the scope is the intent’s, and its old place is flagged',
    at => rename(at('lib/x.ts'), at('src/x.ts')),
    { path: 'src/x.ts', op: 'rename', from: 'lib/x.ts', intents: ['INT-001'] },
    ['lib/x.ts'],
  ],
  [
    'a file that is deleted outside the scope is recorded, and flagged',
    at => rm(at('lib/x.ts')),
    { path: 'lib/x.ts', op: 'delete', from: undefined, intents: [] },
    ['lib/x.ts'],
  ],
]

test.each(rows)('%s', async (_, act, write, violations) => {
  await using repo = await governedRepo(FILES, { agent: 'aider' })
  await using _daemon = await startWatching(repo)
  await act(path => join(repo.root, path))
  const records = await flushedRecords(repo)
  expect(records.filter(it => eventOf(it).event === 'write').map(reported)).toEqual([write])
  expect(records.map(eventOf).flatMap(it => (it.event === 'violation' && it.path !== null ? [it.path] : []))).toEqual(
    violations,
  )
})

test('what a standing intent owns is not outside for a person at other work, and is for an agent', async () => {
  await using repo = await governedRepo({ ...FILES, 'README.md': 'Read me\n' })
  await repo.kotef('intent', 'add', '--standing', '--name', 'chores', '--scope', 'README.md')
  await repo.git('add', '--all')
  await repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '-qm', 'chores')
  await using _daemon = await startWatching(repo)
  const flagged = async () =>
    (await flushedRecords(repo))
      .map(eventOf)
      .flatMap(it => (it.event === 'violation' && it.path === 'README.md' ? [it.path] : []))
  await repo.write('README.md', 'Read me well\n')
  expect(await flagged()).toEqual([])
  expect((await repo.kotef('status')).stdout).not.toContain('outside the intent')
  await repo.kotef('intent', 'start', 'INT-001', '--agent', 'aider')
  await repo.write('README.md', 'Read me very well\n')
  expect(await flagged()).toEqual(['README.md'])
})

test('a write of nobody known to a path that another intent owns accuses no session (look B18)', async () => {
  await using repo = await governedRepo(FILES, { agent: 'aider' })
  for (const [name, scope] of [
    ['Docs', 'docs/**'],
    ['Tax', 'tax/**'],
  ] as const)
    await repo.kotef('intent', 'add', '--name', name, '--scope', scope)
  await repo.git('add', '--all')
  await repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '-qm', 'more intents')
  await repo.kotef('select', 'INT-002', '--session', 'other', '--agent', 'codex')
  await using _daemon = await startWatching(repo)
  await repo.write('tax/rates.ts', 'r\n')
  await repo.write('lib/x.ts', 'changed\n')
  const flagged = (await flushedRecords(repo)).map(eventOf).filter(it => it.event === 'violation')
  expect(flagged.flatMap(it => (it.rule === 'in-scope' ? [it.path] : []))).toEqual(['lib/x.ts'])
})

test('the files of a handover are outside of nothing: status and scope say what a commit says (look B6)', async () => {
  await using repo = await governedRepo(FILES)
  await repo.kotef('handover', 'new', 'refunds')
  const [session = ''] = readdirSync(join(repo.root, '.agents-work'))
  const path = `.agents-work/${session}/status.json`
  expect((await repo.kotef('status')).stdout).not.toContain('outside the intent')
  expect((await repo.kotef('scope', path)).stdout).toBe(
    `${path}\n  no owner: a file of a handover, which needs no intent\n`,
  )
  await repo.git('add', '.agents-work')
  expect((await repo.run('git', ['commit', '-qm', 'handover'])).code).toBe(0)
})

test('under a registry whose scope has `..` a write is recorded for no intent', async () => {
  await using repo = await governedRepo()
  await repo.run('sed', ['-i', 's/src/../', '.orchestration/active_intents.yaml'])
  await using _daemon = await startWatching(repo)
  await mkdir(join(repo.root, 'src'))
  await repo.write('src/a.ts', 'a\n')
  const records = await flushedRecords(repo)
  expect(records.filter(it => it.files[0]?.path === 'src/a.ts').map(reported)).toEqual([
    { path: 'src/a.ts', op: 'create', from: undefined, intents: [] },
  ])
})

const eventOf = (record: TraceRecord) => record.metadata['dev.kotef']

function reported({ files: [file] }: TraceRecord) {
  const intents = file?.conversations.flatMap(it => it.related.map(related => related.value))
  return { path: file?.path, op: file?.kotef.op, from: file?.kotef.from, intents }
}
