import { expect, test } from 'vitest'
import { blamePath } from '../../../src/world/provenance/blame.ts'
import { annotateCommits } from '../../../src/world/provenance/annotate-commits.ts'
import { startIntent } from '../../../src/world/lifecycle/start-intent.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { governedRepo, startWatching, flushedWrites } from '../../rig/governed-repo.ts'
import type { Repo } from '../../rig/repo.ts'

const BEFORE = ['function old() {', '  return 1', '}', '']
const AGENTS = ['function added(list) {', '  for (const it of list) {', '    use(it)', '  }', '}', '']

test('a brace that a person types elsewhere is not the agent that typed one before', async () => {
  await using repo = await withAgentsFunction()
  await using _daemon = await startWatching(repo)
  await becomePerson(repo)
  await repo.write('src/a', text(['if (x) {', '  y', '}', ...BEFORE, ...AGENTS]))
  await flushedWrites(repo)
  expect(await typesIn(repo)).toEqual([...types(3, 'human'), ...types(4, 'unknown'), ...types(6, 'ai')])
})

test('nor is it when nobody watched the person', async () => {
  await using repo = await withAgentsFunction()
  await repo.write('src/a', text(['if (x) {', '  use(it)', '}', '', ...BEFORE, '}', '}', ...AGENTS]))
  await repo.git('commit', '-qam', 'by hand')
  expect(await typesIn(repo)).toEqual([...types(4, 'unknown'), ...types(6, 'unknown'), ...types(6, 'ai')])
})

test('a function that a person copies is the person, and the original stays the agent', async () => {
  await using repo = await withAgentsFunction()
  await using _daemon = await startWatching(repo)
  await becomePerson(repo)
  await repo.write('src/a', text([...AGENTS, ...BEFORE, ...AGENTS]))
  await flushedWrites(repo)
  const copied = await typesIn(repo)
  expect(copied.filter(it => it === 'human')).toHaveLength(AGENTS.length)
  expect(copied.filter(it => it === 'ai')).toHaveLength(AGENTS.length)
})

test('short lines of a file with CRLF keep their author, although git has the file with LF', async () => {
  await using repo = await governedRepo({ 'src/a': text(BEFORE) }, { agent: 'aider' })
  await repo.git('config', 'core.autocrlf', 'true')
  await using _daemon = await startWatching(repo)
  await repo.write('src/b', 'a\r\n\r\nb\r\n')
  await flushedWrites(repo)
  await repo.git('add', 'src/b')
  await repo.git('commit', '-qm', 'by an agent')
  await repo.write('src/b', 'a\r\nx\r\n\r\nb\r\n')
  await flushedWrites(repo)
  await repo.git('commit', '-qam', 'one line more')
  expect(await repo.git('show', 'HEAD:src/b')).toBe('a\nx\n\nb\n')
  expect(await typesIn(repo, 'src/b')).toEqual(types(4, 'ai'))
})

/** A repository in which an agent has written a function below an old one, and committed it. */
async function withAgentsFunction(): Promise<Repo> {
  const repo = await governedRepo({ 'src/a': text(BEFORE) }, { agent: 'aider' })
  await using _daemon = await startWatching(repo)
  await repo.write('src/a', text([...BEFORE, ...AGENTS]))
  await flushedWrites(repo)
  await repo.git('commit', '-qam', 'by an agent')
  expect(await typesIn(repo)).toEqual([...types(4, 'unknown'), ...types(6, 'ai')])
  return repo
}

async function becomePerson(repo: Repo): Promise<void> {
  await startIntent(await openWorkspace(repo.root), { intent: 'INT-001', agent: null, model: null })
}

/** The kind of author of each line of a file. */
async function typesIn(repo: Repo, path = 'src/a'): Promise<string[]> {
  const workspace = await openWorkspace(repo.root)
  await annotateCommits(workspace, { isWatched: false })
  const lines = await blamePath(workspace, { path, revision: null })
  return lines.map(it => it.author.contributor.type)
}

function types(count: number, type: string): string[] {
  return Array.from({ length: count }, () => type)
}

function text(lines: readonly string[]): string {
  return lines.map(it => `${it}\n`).join('')
}
