import { expect, test } from 'vitest'
import { claudeSession } from '../../rig/agent-hooks.ts'
import { governedRepo, flushedRecords, startWatching } from '../../rig/governed-repo.ts'
import { illegalChanges } from '../../rig/handover/corpus.ts'
import { commitUnjudged, sessionOfRow, writeSession } from '../../rig/handover/handover-repo.ts'
import { legalChanges } from '../../rig/handover/legal-changes.ts'
import { renamed, SESSION, sessionIn } from '../../rig/handover/session-files.ts'
import type { CorpusRow } from '../../rig/handover/corpus-rows.ts'
import { selectOrThrow } from '../../rig/selection.ts'

type Violation = { readonly rule: string; readonly path: string | null; readonly message: string }

/** Plays the rows under a daemon: the violations that the ledger has then. */
async function violationsOf(rows: readonly CorpusRow[]): Promise<Violation[]> {
  await using repo = await governedRepo()
  rows.forEach(({ before }, n) => before && writeSession(repo, renamed(before, sessionOfRow(n))))
  await commitUnjudged(repo, 'before')
  await using _daemon = await startWatching(repo)
  await flushedRecords(repo)
  rows.forEach(({ after }, n) => writeSession(repo, renamed(after, sessionOfRow(n))))
  const events = (await flushedRecords(repo)).map(it => it.metadata['dev.kotef'])
  return events.flatMap(it => (it.event === 'violation' ? [it] : []))
}

test('the daemon records each change that breaks the contract as a violation, when it happens', async () => {
  const rows = illegalChanges.filter(it => it.role === undefined)
  const found = await violationsOf(rows)
  rows.forEach(({ title, rule }, n) => {
    const ofRow = found.filter(it => it.path?.startsWith(`.agents-work/${sessionOfRow(n)}/`))
    expect(
      ofRow.map(it => it.rule),
      title,
    ).toContain(rule)
  })
})

test('and none that keeps to it', async () => {
  expect(await violationsOf(legalChanges)).toEqual([])
})

test('the role of the agent that wrote decides', async () => {
  await using repo = await governedRepo()
  writeSession(repo, sessionIn('IMPLEMENT_LOOP', { tasks: it => (it[0]!['status'] = 'implemented') }))
  await commitUnjudged(repo, 'before')
  await repo.kotef('session', 'end', '--all')
  await using _daemon = await startWatching(repo)
  await flushedRecords(repo)
  await selectOrThrow(repo, { session: 's-1', handover: { role: 'Coder', session: SESSION } })
  const claude = claudeSession(repo, 's-1')
  await claude.willRun('make')
  writeSession(repo, sessionIn('IMPLEMENT_LOOP', { tasks: it => (it[0]!['status'] = 'completed') }))
  await repo.write('.agents-work/2026-01-30_other/notes.md', 'mine\n')
  await claude.hasRun('make').catch(() => {})
  const events = (await flushedRecords(repo)).map(it => it.metadata['dev.kotef'])
  const violations = events.flatMap(it => (it.event === 'violation' ? [it] : []))
  expect(violations.sort((a, b) => (a.rule < b.rule ? -1 : 1))).toEqual([
    expect.objectContaining({ rule: 'handover-role', path: '.agents-work/2026-01-30_other/notes.md' }),
    expect.objectContaining({
      rule: 'handover-task',
      path: `.agents-work/${SESSION}/tasks.yaml`,
      message: expect.stringContaining('expected implemented by a Coder'),
    }),
  ])
})
