import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { appendRecords } from '../../src/ledger-store/append-records.ts'
import { openEventIndex } from '../../src/ledger-store/event-index.ts'
import { layoutOf } from '../../src/worktree/layout.ts'
import { openWorkspace, type Workspace } from '../../src/worktree/workspace.ts'
import { temporaryRepo } from '../rig/repo.ts'

const violation = (rule: string) =>
  ({ event: { event: 'violation', rule, path: null, intent: null, message: 'says "violation" and "event"' } }) as const
const added = (intent: string) => ({ event: { event: 'intent-added', intent } }) as const

async function opened() {
  const repo = await temporaryRepo({ '.gitignore': '.orchestration\n' })
  const workspace = await openWorkspace(repo.root)
  const index = openEventIndex(workspace, ['violation'])
  return { repo, workspace, ledger: layoutOf(workspace).ledger, rules: () => rulesOf(index.read(() => {})) }
}

async function rulesOf(records: ReturnType<ReturnType<typeof openEventIndex>['read']>): Promise<string[]> {
  return (await records).flatMap(({ metadata: { 'dev.kotef': own } }) => (own.event === 'violation' ? [own.rule] : []))
}

const append = (workspace: Workspace, ...drafts: Parameters<typeof appendRecords>[1]) =>
  appendRecords(workspace, drafts)

test('finds the events of a ledger, and those that are appended later', async () => {
  const { repo, workspace, rules } = await opened()
  await using _ = repo
  expect(await rules()).toEqual([])
  await append(workspace, violation('one'), added('violation'), violation('two'))
  expect(await rules()).toEqual(['one', 'two'])
  await append(workspace, added('INT-001'), violation('three'))
  expect(await rules()).toEqual(['one', 'two', 'three'])
})

test('reads what was there before once', async () => {
  const { repo, workspace, rules, ledger } = await opened()
  await using _ = repo
  await append(workspace, violation('one'), ...Array.from({ length: 50 }, (__, n) => added(`INT-${n}`)))
  await rules()
  const text = await readFile(ledger, 'utf8')
  // The beginning is no longer what it was, which nobody who reads only the end can see.
  await writeFile(ledger, text.replace('"one"', '"two"'))
  await append(workspace, violation('three'))
  expect(await rules()).toEqual(['one', 'three'])
})

test('reads another ledger from its beginning', async () => {
  const { repo, workspace, rules, ledger } = await opened()
  await using _ = repo
  await append(workspace, violation('one'), added('INT-001'))
  const text = await readFile(ledger, 'utf8')
  await append(workspace, violation('two'))
  expect(await rules()).toEqual(['one', 'two'])
  await writeFile(ledger, text)
  expect(await rules()).toEqual(['one'])
})

test('leaves out what is not a whole line, not JSON, or there twice', async () => {
  const { repo, workspace, rules, ledger } = await opened()
  await using _ = repo
  await append(workspace, violation('one'))
  const line = await readFile(ledger, 'utf8')
  await appendFile(ledger, `${line}"violation" }{\n${line.replace('"one"', '"two"').trimEnd()}`)
  expect(await rules()).toEqual(['one'])
})
