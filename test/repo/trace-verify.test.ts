import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { LedgerReading } from '../../src/core/ledger/read-ledger.ts'
import { layoutOf } from '../../src/world/io/worktree/layout.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import { readLedgerInParts } from '../../src/world/ledger/read-in-parts.ts'
import { appendRecords } from '../../src/world/ledger/append-records.ts'
import { type Repo, temporaryRepo } from '../rig/repo.ts'

const STRETCH_BYTES = 16 * 2 ** 20

/** A ledger so long that it is read in several stretches, the lines that it has, and the way to change it. */
async function longLedger(repo: Repo) {
  const workspace = await openWorkspace(repo.root)
  const { ledger } = layoutOf(workspace)
  const message = 'x'.repeat(400_000)
  const drafts = Array.from({ length: 90 }, (_, n) => ({ event: { event: 'problem', path: `${n}`, message } as const }))
  await appendRecords(workspace, drafts, { head: null })
  const text = await repo.read('.orchestration/agent_trace.jsonl')
  const put = (lines: readonly string[], end = '\n') => writeFile(ledger, lines.join('\n') + end)
  return { workspace, lines: text.split('\n').slice(0, -1), put, bytes: text.length }
}

async function verified(repo: Repo) {
  const { stdout, code } = await repo.kotef('trace', 'verify', '--json')
  const { records, findings } = JSON.parse(stdout) as { records: number; findings: { rule: string; message: string }[] }
  return { code, records, rules: findings.map(it => it.rule), messages: findings.map(it => it.message).join('\n') }
}

test('a ledger that is read in stretches is whole, and what is wrong in any of them is found at its line', async () => {
  await using repo = await temporaryRepo({ '.gitignore': '.orchestration\n' })
  const { workspace, lines, put, bytes } = await longLedger(repo)
  expect(bytes).toBeGreaterThan(2 * STRETCH_BYTES)
  const stretches: LedgerReading[] = []
  for await (const stretch of readLedgerInParts(workspace)) stretches.push(stretch)
  expect(stretches.length).toBeGreaterThan(2)
  expect(stretches.flatMap(it => it.entries.map(of => of.line))).toEqual(lines.map((_, n) => n + 1))
  expect(await verified(repo)).toEqual({ code: 0, records: 90, rules: [], messages: '' })
  await put([...lines.slice(0, 70), ...lines.slice(71)])
  expect(await verified(repo)).toMatchObject({ code: 1, records: 89, rules: ['ledger-gap'] })
  // The same record twice, in two stretches.
  await put([...lines.slice(0, 80), lines[1] ?? '', ...lines.slice(80)])
  expect((await verified(repo)).messages).toContain('Line 81: expected an id of its own')
  await put(lines, '\n{"half')
  expect((await verified(repo)).messages).toContain('Line 91:')
})
