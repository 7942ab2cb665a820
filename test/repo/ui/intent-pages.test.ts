import { expect, test } from 'vitest'
import type { IntentContract } from '../../../src/core/intents/contract/intent-contract.ts'
import { gatherIntent } from '../../../src/shells/ui/facts/gather-intent.ts'
import { gatherIntentList } from '../../../src/shells/ui/facts/gather-intent-list.ts'
import { gatherIntents } from '../../../src/shells/ui/facts/gather-intents.ts'
import { gatherLines } from '../../../src/shells/ui/facts/gather-lines.ts'
import type { IntentFacts } from '../../../src/shells/ui/pages/intent-facts.ts'
import type { IntentListFacts } from '../../../src/shells/ui/pages/intent-list-page.tsx'
import { links } from '../../../src/shells/ui/pages/links.ts'
import { mapJson } from '../../../src/core/report/map-lines.ts'
import { appendRecords } from '../../../src/world/ledger/append-records.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { claudeSession } from '../../rig/agent-hooks.ts'
import { fixture } from '../../rig/fixture.ts'
import { flushedRecords, flushedWrites, governedRepo, startWatching } from '../../rig/governed-repo.ts'
import { playOrThrow } from '../../rig/judged-repo.ts'
import { copyRepo, type Repo } from '../../rig/repo.ts'

// Two commits for INT-001: an agent adds two functions, a person rewrites one of them. Another write is not committed.
// One path is outside of the scope. The intent has two checks and a criterion of a person.
const template = fixture(async () => {
  const repo = await governedRepo({ 'lib/b.ts': 'b\n' })
  await repo.play(
    `kotef intent edit INT-001 --check true --check false --criterion 'it looks well'
     kotef intent edit INT-001 --constraint 'Do not touch \`lib/**\`'
     git commit -qam 'more of the intent' -m 'Governance: checks'`,
  )
  await using _daemon = await startWatching(repo)
  const claude = claudeSession(repo, 's-1')
  await claude.willWrite('src/a.ts')
  await repo.write('src/a.ts', 'export function one() {\n  return 1\n}\nexport function two() {\n  return 2\n}\n')
  await claude.hasWritten('src/a.ts')
  await flushedWrites(repo)
  await commit(repo, 'two functions')
  await repo.write('src/a.ts', 'export function one() {\n  return 1\n}\nexport function two() {\n  return 3\n}\n')
  await flushedWrites(repo)
  await commit(repo, 'another two')
  await repo.write('src/b.ts', 'later\n')
  await repo.write('lib/b.ts', 'outside\n')
  await flushedRecords(repo)
  const message = 'lib/b.ts is outside intent INT-001'
  const violation = { event: 'violation', rule: 'in-scope', path: 'lib/b.ts', intent: 'INT-001', message } as const
  await appendRecords(await openWorkspace(repo.root), [{ event: violation }])
  await repo.kotef('check', 'INT-001')
  return repo
})

async function commit(repo: Repo, subject: string): Promise<void> {
  await repo.git('add', 'src')
  await repo.git('commit', '-qm', subject)
}

const facts = async ({ root }: Pick<Repo, 'root'>, id = 'INT-001'): Promise<IntentFacts> => {
  const found = await gatherIntent(await openWorkspace(root), id, null)
  if (!found) throw new Error(`There is no ${id}.`)
  return found
}

async function list({ root }: Pick<Repo, 'root'>, name: string, query = ''): Promise<IntentListFacts> {
  const asked = { id: 'INT-001', name, query: new URLSearchParams(query) }
  const found = await gatherIntentList(await openWorkspace(root), asked, null)
  if (!found) throw new Error(`There is no list ${name}.`)
  return found
}

const asked = async <T>(repo: Repo, ...words: string[]): Promise<T> =>
  JSON.parse((await repo.kotef(...words, '--json')).stdout) as T

test('the lines and commits of an intent are those of kotef show', async () => {
  await using repo = copyRepo(template())
  const shown = await asked<Shown>(repo, 'show', 'INT-001')
  const { lines, commits } = await facts(repo)
  expect(shown.files).toEqual([{ path: 'src/a.ts', added: 7, alive: 6 }])
  expect(lines.value).toEqual({ added: 7, alive: 6, files: { total: 1, rows: shown.files } })
  expect(commits).toEqual({ total: 2, rows: shown.commits })
})

test('lines in a file that was renamed, twice and on a branch, are those of kotef show as well', async () => {
  await using repo = copyRepo(template())
  const skip = 'git -c core.hooksPath=/dev/null'
  await playOrThrow(
    repo,
    `git checkout -qf; git switch -qc side; git mv src/a.ts src/once.ts; ${skip} commit -qm one -m 'Intent-ID: INT-001'
    git mv src/once.ts src/twice.ts; ${skip} commit -qm two -m 'Intent-ID: INT-001'
    git switch -q -; ${skip} merge -q --no-ff --no-edit side`,
  )
  const shown = await asked<Shown>(repo, 'show', 'INT-001')
  const { lines } = await facts(repo)
  expect(shown.files).toEqual([
    { path: 'src/twice.ts', added: 0, alive: 6 },
    { path: 'src/a.ts', added: 7, alive: 0 },
  ])
  expect(lines.value?.files.rows).toEqual(shown.files)
})

type Shown = { files: { path: string; added: number; alive: number }[]; commits: unknown[] }

test('each number of lines is the length of the list behind it', async () => {
  await using repo = copyRepo(template())
  const workspace = await openWorkspace(repo.root)
  const lengthOf = async (href: string) =>
    (await gatherLines(workspace, new URL(href, 'http://a/').searchParams, null)).total
  const { value } = (await facts(repo)).lines
  const query = { intent: 'INT-001', policy: 'no' } as const
  expect(await lengthOf(links.lines(query))).toBe(value?.added)
  expect(await lengthOf(links.lines({ ...query, alive: 'yes' }))).toBe(value?.alive)
  for (const { path, added, alive } of value?.files.rows ?? []) {
    expect(await lengthOf(links.lines({ ...query, file: path }))).toBe(added)
    expect(await lengthOf(links.lines({ ...query, file: path, alive: 'yes' }))).toBe(alive)
  }
  expect(await lengthOf(links.lines({ ...query, file: 'src/none' }))).toBe(0)
})

test('the contract is that of kotef contract, and nothing is saved for it', async () => {
  await using repo = copyRepo(template())
  const { contract } = await facts(repo)
  expect((await repo.git('status', '--porcelain', '--ignored')).includes('.sdd/cache')).toBe(false)
  expect(contract).toEqual((await asked<{ contract: IntentContract }>(repo, 'contract', 'INT-001')).contract)
})

test('the checks have their last results, and none is run', async () => {
  await using repo = copyRepo(template())
  const resultsOf = async () => (await facts(repo)).checks.map(it => [it.text, it.isCommand, it.last?.status])
  expect(await resultsOf()).toEqual([
    ['it looks well', false, undefined],
    ['true', true, 'passed'],
    ['false', true, 'failed'],
  ])
  const before = (await facts(repo)).records.all
  for (const _ of [1, 2]) await repo.kotef('check', 'INT-001')
  expect((await facts(repo)).checks[1]?.last).toMatchObject({ status: 'passed', isKept: true })
  expect((await facts(repo)).records.all).toBe(before + 4)
})

test('the declarations are those of kotef map', async () => {
  await using repo = copyRepo(template())
  const { rows = [] } = (await facts(repo)).declarations.value ?? {}
  expect(mapJson({ entries: rows, names: new Map([['INT-001', 'the work']]) })).toEqual(
    await asked(repo, 'map', 'INT-001'),
  )
  expect(rows.map(it => it.name)).toEqual(['one', 'two'])
  expect((await list(repo, 'declarations')).list.part.rows).toEqual(rows)
})

test('the records are those of kotef trace, and the history has what is in them, and the commits', async () => {
  await using repo = copyRepo(template())
  const records = await asked<unknown[]>(repo, 'trace', '--intent', 'INT-001')
  const { history, records: read, kinds } = await facts(repo)
  expect(read).toEqual({ all: records.length, read: records.length })
  expect(kinds.map(it => it.kind)).toEqual(['writes', 'commit', 'violation', 'session', 'status', 'check', 'edit'])
  expect(history.rows[0]).toMatchObject({ kind: 'check', what: 'false: failed' })
})

test('each number of the history is the length of its list, and the lists of days have all writes', async () => {
  await using repo = copyRepo(template())
  const { history, kinds, days } = await facts(repo)
  expect((await list(repo, 'history')).list.part.total).toBe(history.total)
  for (const { kind, count } of kinds)
    expect((await list(repo, 'history', `kind=${kind}`)).list.part.total, kind).toBe(count)
  for (const { day, count } of days) expect((await list(repo, 'writes', `day=${day}`)).list.part.total).toBe(count)
  const all = (await list(repo, 'writes')).list.part.total
  expect(days.reduce((sum, it) => sum + it.count, 0)).toBe(all)
  // The write outside of the scope is for no intent.
  expect(all).toBe(3)
})

test('the sessions of an intent are the live ones and those that the ledger knows', async () => {
  await using repo = copyRepo(template())
  const { sessions } = await facts(repo)
  expect(sessions.rows.map(it => [it.id === 's-1' ? it.id : 'of a person', it.isLive])).toEqual([
    ['s-1', true],
    ['of a person', true],
  ])
  for (const { id, records } of sessions.rows)
    expect(await asked<unknown[]>(repo, 'trace', '--intent', 'INT-001', '--session', id)).toHaveLength(records)
  expect((await list(repo, 'sessions', 'kind=live')).list.part.total).toBe(2)
  await repo.kotef('session', 'end', '--all')
  expect((await facts(repo)).sessions.rows.map(it => it.isLive)).toEqual([false, false])
  expect((await list(repo, 'sessions', 'kind=live')).list.part.total).toBe(0)
})

test('the list of intents has their live statuses, and each status has as many as it counts', async () => {
  await using repo = copyRepo(template())
  await repo.kotef('intent', 'add', '--id', 'INT-002', '--name', '<script>', '--scope', 'web/**')
  const workspace = await openWorkspace(repo.root)
  const all = await gatherIntents(workspace, new URLSearchParams(), null)
  expect(all.rows.map(it => [it.intent.id, it.intent.status, it.lines])).toEqual([
    ['INT-001', 'IN_PROGRESS', expect.objectContaining({ added: 7, alive: 6 })],
    ['INT-002', 'PENDING', { added: 0, alive: 0, files: [] }],
  ])
  const [first, second] = all.rows
  expect([first?.holders.length, second?.holders.length]).toEqual([2, 0])
  expect(second?.lastWrite).toBeNull()
  const writes = (await asked<{ timestamp: string; files: unknown[] }[]>(repo, 'trace', '--intent', 'INT-001')).filter(
    it => it.files.length > 0,
  )
  expect(first?.lastWrite).toBe(writes.at(-1)?.timestamp)
  for (const { status, count } of all.statuses)
    expect((await gatherIntents(workspace, new URLSearchParams({ status }), null)).rows).toHaveLength(count)
  expect((await gatherIntents(workspace, new URLSearchParams({ status: 'NONE' }), null)).rows).toHaveLength(2)
  await repo.kotef('intent', 'add', '--id', 'INT-003', '--name', 'third', '--scope', 'lib/**')
  await repo.kotef('intent', 'abandon', 'INT-002', '--reason', 'why')
  const { rows } = await gatherIntents(await openWorkspace(repo.root), new URLSearchParams(), null)
  expect(rows.map(it => it.intent.id)).toEqual(['INT-001', 'INT-003', 'INT-002'])
})

test('an intent that another worktree holds is held there', async () => {
  await using repo = copyRepo(template())
  await repo.kotef('session', 'end', '--all')
  await repo.git('worktree', 'add', '-q', '../other')
  await repo.run('kotef', ['intent', 'start', 'INT-001', '--agent', 'aider'], { cwd: `${repo.base}/other` })
  const [row] = (await gatherIntents(await openWorkspace(repo.root), new URLSearchParams(), null)).rows
  expect(row?.holders).toMatchObject([{ agent: 'aider', elsewhere: `${repo.base}/other` }])
})

test('there is no page of an intent or of a list that does not exist', async () => {
  await using repo = copyRepo(template())
  const workspace = await openWorkspace(repo.root)
  expect(await gatherIntent(workspace, 'INT-999', null)).toBeNull()
  expect(await gatherIntent(workspace, '../x', null)).toBeNull()
  for (const name of ['', 'nothing', '__proto__', 'constructor']) {
    const question = { id: 'INT-001', name, query: new URLSearchParams() }
    expect(await gatherIntentList(workspace, question, null), name).toBeNull()
  }
})
