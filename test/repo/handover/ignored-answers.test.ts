import { expect, test } from 'vitest'
import { blobOid } from '../../../src/core/git/blob-oid.ts'
import type { SessionFiles } from '../../../src/core/handover/handover-session.ts'
import { runCli } from '../../rig/command-line.ts'
import { fixture } from '../../rig/fixture.ts'
import type { CorpusRow } from '../../rig/handover/corpus-rows.ts'
import { answersFor } from '../../rig/handover/answers.ts'
import { commitUnjudged, writeSession } from '../../rig/handover/handover-repo.ts'
import { illegalCompletions, legalCompletions, SOURCE } from '../../rig/handover/illegal-completions.ts'
import { SESSION } from '../../rig/handover/session-files.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import type { Repo } from '../../rig/repo.ts'
import { verifyFindings } from '../../rig/verify-findings.ts'

const template = fixture(hookedRepo)
const rowOf = (rows: readonly CorpusRow[], title: string): CorpusRow => {
  const row = rows.find(it => it.title.startsWith(title) && it.title.includes('from implemented'))
  if (!row) throw new Error(`There is no row ${title}.`)
  return row
}
const passed = rowOf(legalCompletions, 'all gates passed')
const unseen = rowOf(illegalCompletions, 'no review')
const reworked = rowOf(illegalCompletions, 'a rework of the source')
const TASKS = `.agents-work/${SESSION}/tasks.yaml`

/** A repository whose git ignores some files, with a session before its task is completed. */
async function repoIgnoring(pattern: string, before: SessionFiles | null): Promise<Repo> {
  const repo = await copyGoverned(template())
  await repo.write('.gitignore', `${pattern}\n`)
  if (before) writeSession(repo, before)
  await commitUnjudged(repo, 'before')
  return repo
}

test.each([
  { row: passed, code: 0 },
  { row: unseen, code: 1 },
])('answers that git ignores are seen by the commit, and by verify as something to look at: $row.title', async it => {
  await using repo = await repoIgnoring('.agents-work/*/messages/', it.row.before)
  writeSession(repo, it.row.after)
  expect((await runCli(repo, 'handover', 'check')).exit).toBe(it.code)
  await repo.git('add', '--all')
  expect(await repo.git('ls-files', '.agents-work')).not.toContain('messages')
  expect((await repo.run('git', ['commit', '-qm', 'x', '-m', 'Intent-ID: INT-001'])).code).toBe(it.code)
  if (it.code === 1) await commitUnjudged(repo, 'after')
  const found = await verifyFindings(repo, 'HEAD~1..HEAD')
  expect(found).toEqual([expect.stringMatching(`^review handover-task ${TASKS} `)])
})

test('answers that are not committed, and that git does not ignore, are none', async () => {
  await using repo = await repoIgnoring('out/', passed.before)
  writeSession(repo, passed.after)
  await repo.git('add', TASKS)
  const { code, stderr } = await repo.run('git', ['commit', '-qm', 'x', '-m', 'Intent-ID: INT-001'])
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('Reviewer: nothing submitted') })
})

test('in a folder that git ignores the answers are judged, and not the source, which goes on', async () => {
  await using repo = await repoIgnoring('.agents-work/', null)
  const check = async ({ after }: CorpusRow) => {
    writeSession(repo, after)
    return (await runCli(repo, 'handover', 'check')).exit
  }
  expect([await check(passed), await check(unseen), await check(reworked)]).toEqual([0, 1, 0])
  writeSession(repo, { ...passed.after, texts: new Map([...passed.after.texts, ...(passed.before?.texts ?? [])]) })
  await repo.write(SOURCE.path, 'other\n')
  const task = ['handover', 'task', 'T-001', 'completed', '--role', 'Orchestrator']
  expect((await runCli(repo, ...task)).failure?.message).toContain(`OK for other content of ${SOURCE.path}`)
})

test('a file that git ignores is not compared: a build makes it again', async () => {
  await using repo = await repoIgnoring('src/out.ts', passed.before)
  const made = { 'src/out.ts': 'a'.repeat(40), [SOURCE.path]: blobOid(Buffer.from(SOURCE.now)) }
  const texts = new Map([...passed.after.texts, ...Object.entries(answersFor('T-001', SESSION, made))])
  writeSession(repo, { ...passed.after, texts })
  await repo.write('src/out.ts', 'made\n')
  expect((await runCli(repo, 'handover', 'check')).text).toContain('keeps to the contract')
  await repo.git('add', '--all')
  expect((await repo.run('git', ['commit', '-qm', 'x', '-m', 'Intent-ID: INT-001'])).stderr).toBe('')
  expect(await verifyFindings(repo, 'HEAD~1..HEAD')).toEqual([])
})

test('a session that is over and not committed is about the source of its time', async () => {
  await using repo = await repoIgnoring('out/', null)
  const base = (await repo.git('rev-parse', 'HEAD')).trim()
  const { texts } = passed.after
  const status = JSON.parse(texts.get('status.json') ?? '') as { user_decisions: object[] }
  const decision = {
    ...status.user_decisions.at(-1),
    decision_id: 'UD-1',
    answer: 'met: I looked',
    criterion: 'AC-001',
  }
  const over = {
    ...{
      ...status,
      current_state: 'DONE',
      base_commit: base,
      user_decisions: [...status.user_decisions, { ...decision, state_context: 'RELEASE' }],
    },
    acceptance_results: { 'AC-001': { status: 'passed', tree: base } },
  }
  const report = ['What was done', 'How to run', 'How to test', 'Known issues'].map(it => `## ${it}\n\nx\n`).join('\n')
  const check = async () => {
    const files = new Map([...texts, ['status.json', JSON.stringify(over)], ['report.md', report]])
    writeSession(repo, { ...passed.after, texts: files })
    return (await runCli(repo, 'handover', 'check')).text
  }
  const commitSource = (content: string) =>
    repo.play(`echo ${content} > ${SOURCE.path}; git add ${SOURCE.path}; git -c core.hooksPath=/dev/null commit -qm s`)
  await commitSource('later')
  expect(await check()).toContain(`OK for other content of ${SOURCE.path}`)
  await commitSource('b')
  await commitSource('later')
  expect(await check()).toContain('keeps to the contract')
  await repo.git('add', '--all')
  expect((await repo.run('git', ['commit', '-qm', 'x', '-m', 'Intent-ID: INT-001'])).stderr).toBe('')
  expect(await verifyFindings(repo, 'HEAD~1..HEAD')).toEqual([])
})
