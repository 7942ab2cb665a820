import { expect, test } from 'vitest'
import { annotateCommits } from '../../../src/world/provenance/annotate-commits.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { runCli } from '../../rig/command-line.ts'
import { governedRepo } from '../../rig/governed-repo.ts'
import { recordAgentWrite } from '../../rig/recorded-write.ts'
import type { Verification } from '../../../src/core/report/verification.ts'
import type { Repo } from '../../rig/repo.ts'

const OLD = 'the first line of all\n'
const HALF = 'one line of an agent\ntwo lines of an agent\n'
const REST = 'three lines of an agent\nfour lines of an agent\n'

test('a line that two records of a note have is counted once (solo B2)', async () => {
  await using repo = await noteOfTwoRecords()
  const { stdout } = await repo.run('git', ['notes', '--ref=kotef', 'show'])
  expect(stdout.split('\n').filter(it => it.includes('"start_line":2'))).toHaveLength(2)
  expect((await repo.git('show', '--numstat', '--format=')).split('\t')).toEqual(['4', '0', 'src/a\n'])
  expect((await runCli(repo, 'show', 'INT-001')).json).toMatchObject({ files: [{ path: 'src/a', added: 4, alive: 4 }] })
  expect((await runCli(repo, 'stats', 'HEAD^..HEAD')).json).toMatchObject({ lines: 4, types: { ai: 4 } })
  expect((await runCli(repo, 'trace', '--commit', 'HEAD')).text).toBe(
    'src/a\n        2-5  INT-001  ai maker/robot (claimed), session s',
  )
})

test('the lines of the registry are no work on an intent (solo B2)', async () => {
  await using repo = await noteOfTwoRecords()
  const registry = '.orchestration/active_intents.yaml'
  await repo.write(registry, `${await repo.read(registry)}# a remark\n`)
  await repo.git('commit', '-qa', '--no-verify', '-m', 'work', '-m', 'Intent-ID: INT-001')
  expect((await runCli(repo, 'show', 'INT-001')).json).toMatchObject({ files: [{ path: 'src/a', added: 4 }] })
})

test('nor lines of nobody: kotef wrote them (team T9)', async () => {
  await using repo = await noteOfTwoRecords()
  const registry = '.orchestration/active_intents.yaml'
  await repo.write(registry, `${await repo.read(registry)}# a remark\n`)
  await repo.write('src/a', `${await repo.read('src/a')}a line of nobody\n`)
  const trailers = 'Intent-ID: INT-001\nGovernance: why'
  await repo.git('commit', '-qa', '--no-verify', '-m', 'squash', '-m', trailers)
  expect((await runCli(repo, 'stats', 'HEAD^..HEAD')).json).toMatchObject({ types: { unknown: 1, kotef: 1 } })
  const traced = (await runCli(repo, 'verify', '--require-trace', 'HEAD^..HEAD')).json as Verification
  expect(traced.findings.filter(it => it.rule === 'untraced-lines').map(it => it.path)).toEqual(['src/a'])
})

test('the lines of a renamed file are said to have moved to its new name', async () => {
  await using repo = await noteOfTwoRecords()
  for (const [from, to] of [
    ['a', 'b'],
    ['b', 'c'],
  ])
    await repo.play(`git mv src/${from} src/${to}; git commit -qnm ${to} -m 'Intent-ID: INT-001'`)
  const { text } = await runCli(repo, 'show', 'INT-001')
  expect(text).toMatch(/^4 of 4 added lines are still in HEAD\n {8}4 moved here {2}src\/c\n {8}0 of {7}4 {2}src\/a$/m)
})

/** A commit of four lines. Its note is made when the ledger knows two of them, and again when it knows all. */
async function noteOfTwoRecords(): Promise<Repo> {
  const repo = await governedRepo({ 'src/a': OLD })
  await repo.write('src/a', OLD + HALF + REST)
  await repo.git('commit', '-qa', '--no-verify', '-m', 'four lines', '-m', 'Intent-ID: INT-001')
  await recordAgentWrite(repo, 'src/a', { before: OLD, added: HALF })
  await annotateCommits(await openWorkspace(repo.root), { isWatched: false })
  await recordAgentWrite(repo, 'src/a', { before: OLD + HALF, added: REST })
  await annotateCommits(await openWorkspace(repo.root), { isWatched: true })
  return repo
}
