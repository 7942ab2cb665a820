import { expect, test } from 'vitest'
import type { CommitRecord } from '../../../src/core/ledger/commit-record.ts'
import { schemaFaults } from '../../../src/core/ledger/agent-trace.ts'
import { parseNote } from '../../../src/core/ledger/note.ts'
import { classifyCommits } from '../../../src/world/code/meaning/classify-commits.ts'
import type { Parser } from '../../../src/world/code/meaning/parser.ts'
import { annotateCommits } from '../../../src/world/provenance/annotate-commits.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { governedRepo, startWatching } from '../../rig/governed-repo.ts'
import type { Repo } from '../../rig/repo.ts'

const CHECK = 'export function check(u: User) {\n  return allow(u)\n}\n'
const FILES = { 'src/check.ts': CHECK, 'src/text.txt': 'a\n', 'src/names.py': 'def f(a):\n    b = a\n    return b\n' }

// The daemon leaves HEAD two seconds of rest.
const POLL = { interval: 200, timeout: 20_000 }

test('a daemon notes the class of each file of a commit, with its evidence', async () => {
  await using repo = await governedRepo(FILES, { agent: 'aider' })
  await using _daemon = await startWatching(repo)
  await changeAll(repo)
  const classes = async () => classesOf(await noteOf(repo, 'HEAD'))
  await expect.poll(classes, POLL).toEqual({
    'src/check.ts': ['INTENT_EVOLUTION', 'line 2: “allow” is “deny” now; the name is not local'],
    'src/names.py': ['AST_REFACTOR', 'lines 2 and 2: the local name b is c now'],
    'src/text.txt': ['UNKNOWN', 'kotef has no grammar for this kind of file'],
  })
  const records = await noteOf(repo, 'HEAD')
  expect(records).toHaveLength(1)
  expect(records.flatMap(schemaFaults)).toEqual([])
})

test('a note that another process wrote gets its classes from the next one that classifies, once', async () => {
  await using repo = await governedRepo(FILES, { agent: 'aider' })
  await using _daemon = await startWatching(repo)
  await changeAll(repo)
  await repo.kotef('trace', '--commit', 'HEAD')
  expect(classesOf(await noteOf(repo, 'HEAD'))).toEqual({})
  await repo.kotef('finalise')
  const records = await noteOf(repo, 'HEAD')
  expect(records.map(it => it.files.flatMap(file => file.conversations).length > 0)).toEqual([true, false])
  expect(Object.keys(classesOf(records))).toEqual(['src/check.ts', 'src/names.py'])
  await repo.kotef('finalise')
  await repo.kotef('trace', '--commit', 'HEAD')
  expect(await noteOf(repo, 'HEAD')).toEqual(records)
  expect((await repo.kotef('trace', 'verify')).code).toBe(0)
})

test('a class alone makes no note, and a merge and what is beyond the budget have none', async () => {
  await using repo = await governedRepo(FILES)
  await changeAll(repo)
  const workspace = await openWorkspace(repo.root)
  const parser: Parser = {
    declarationsOf: () => Promise.reject(new Error('not asked')),
    classify: async () => ({ mutationClass: 'FORMAT', evidence: [] }),
    [Symbol.dispose]: () => {},
  }
  const classify = (commits: readonly string[], files = 200) =>
    classifyCommits(workspace, commits, { parser, budget: { files, ms: 1_000 } })
  await annotateCommits(workspace, { isWatched: true, classify })
  expect(await repo.run('git', ['notes', '--ref=kotef', 'list'])).toMatchObject({ stdout: '' })
  const work = (await repo.git('rev-parse', 'HEAD')).trim()
  await repo.git('reset', '-q', '--hard', 'HEAD^')
  await repo.git('commit', '-q', '--no-verify', '--allow-empty', '-m', 'the other side')
  await repo.git('merge', '-q', '--no-commit', work)
  await repo.write('src/check.ts', CHECK.replace('allow', 'neither'))
  await repo.git('commit', '-q', '--no-verify', '-a', '-m', 'merged')
  const merge = (await repo.git('rev-parse', 'HEAD')).trim()
  expect([...(await classify([merge])).keys()]).toEqual([])
  expect([...((await classify([work, merge], 2)).get(work) ?? [])].map(([path]) => path)).toHaveLength(2)
})

async function changeAll(repo: Repo): Promise<void> {
  await repo.write('src/check.ts', CHECK.replace('allow', 'deny'))
  await repo.write('src/names.py', 'def f(a):\n    c = a\n    return c\n')
  await repo.write('src/text.txt', 'b\n')
  await repo.git('commit', '-q', '--no-verify', '-a', '-m', 'changed')
}

async function noteOf(repo: Repo, revision: string): Promise<CommitRecord[]> {
  return parseNote((await repo.run('git', ['notes', '--ref=kotef', 'show', revision])).stdout).records
}

function classesOf(records: readonly CommitRecord[]): Record<string, string[]> {
  const files = records.flatMap(it => it.files).filter(it => it.kotef.mutation_class !== undefined)
  return Object.fromEntries(files.map(({ path, kotef }) => [path, [kotef.mutation_class ?? '', kotef.evidence ?? '']]))
}
