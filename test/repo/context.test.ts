import { expect, test } from 'vitest'
import { loadIntentContext } from '../../src/world/provenance/intent-context.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import { runCli } from '../rig/command-line.ts'
import { readXml, entryTexts } from '../rig/context-facts.ts'
import { governedRepo, startWatching, flushedWrites } from '../rig/governed-repo.ts'
import type { Repo } from '../rig/repo.ts'

const filesIn = async (repo: Repo) => (await loadIntentContext(await openWorkspace(repo.root), 'INT-001', null)).files
const oidOf = async (repo: Repo, path: string) => (await repo.git('hash-object', path)).trim()

test('kotef context tells of the intent that is worked on here, as XML, Markdown or JSON', async () => {
  await using repo = await governedRepo()
  expect(entryTexts(readXml((await runCli(repo, 'context')).text), 'owned_scope')).toEqual(['src/**'])
  expect((await runCli(repo, 'context', '--format', 'md')).text).toContain('## owned_scope\n- `src/**`')
  const json = JSON.parse((await runCli(repo, 'context', '--intent', 'INT-001', '--format', 'json')).text) as object
  expect(json).toMatchObject({ intent_context: { id: 'INT-001', owned_scope: ['src/**'] } })
  expect((await runCli(repo, 'context')).json).toMatchObject({ intent: 'INT-001', context: { name: 'the work' } })
})

test('while nobody works on an intent it tells the mandate, and which ones there are', async () => {
  await using repo = await governedRepo()
  await repo.play('rm -r .git/kotef/sessions')
  const { text, json } = await runCli(repo, 'context')
  expect(text).toContain('You CANNOT write code immediately.')
  expect(entryTexts(readXml(text), 'available_intents')).toEqual(['the work'])
  expect(json).toEqual({ intent: null, available: ['INT-001'] })
})

test.each([
  [['--intent', 'INT-404'], 'unknown-intent', /There is no intent INT-404/],
  [['--format', 'yaml'], 'usage', /--format takes xml, md, json/],
])('kotef context %j is refused', async (words, code, message) => {
  await using repo = await governedRepo()
  const { failure } = await runCli(repo, 'context', ...words)
  expect(failure).toMatchObject({ code, message: expect.stringMatching(message) })
})

test('where sessions are on several intents, one has to be named', async () => {
  await using repo = await governedRepo()
  const session = JSON.parse((await repo.play('cat .git/kotef/sessions/*.json')).stdout) as object
  const other = { ...session, id: 'other', intent: 'INT-002', claimedAt: '2090-01-01T00:00:00.000Z' }
  await repo.write('.git/kotef/sessions/other.json', JSON.stringify(other))
  const { failure } = await runCli(repo, 'context')
  expect(failure).toMatchObject({ code: 'usage', message: expect.stringContaining('INT-001, INT-002') })
  expect(failure?.hint).toContain('kotef context --intent INT-001')
})

test('US2.3: written files have the hash of what stands there, and it is told when that is another', async () => {
  await using repo = await governedRepo({}, { agent: 'aider' })
  await using _daemon = await startWatching(repo)
  await repo.write('src/a.ts', 'a\n')
  await flushedWrites(repo)
  await repo.write('src/b.ts', 'b\n')
  await flushedWrites(repo)
  const [b, a] = [await oidOf(repo, 'src/b.ts'), await oidOf(repo, 'src/a.ts')]
  expect(await filesIn(repo)).toEqual([
    { path: 'src/b.ts', state: b, recorded: b },
    { path: 'src/a.ts', state: a, recorded: a },
  ])
  await _daemon[Symbol.asyncDispose]()
  await repo.write('src/a.ts', 'other\n')
  await repo.play('rm src/b.ts')
  expect(await filesIn(repo)).toEqual([
    { path: 'src/b.ts', state: null, recorded: b },
    { path: 'src/a.ts', state: await oidOf(repo, 'src/a.ts'), recorded: a },
  ])
  const read = readXml((await runCli(repo, 'context')).text)
  const reported = read.children
    .find(it => it.name === 'files')
    ?.children.map(it => it.attributes['changed_since_record'])
  expect(reported).toEqual(['yes', 'yes'])
})

test('US2.2: the history has what was written in a row, and what was committed, by whom, newest first', async () => {
  await using repo = await governedRepo({}, { agent: 'aider' })
  await using _daemon = await startWatching(repo)
  await repo.write('src/a.ts', 'a\n')
  await flushedWrites(repo)
  await repo.write('src/b.ts', 'b\n')
  await flushedWrites(repo)
  await repo.git('add', 'src')
  await repo.git('commit', '--quiet', '-m', 'two files')
  await runCli(repo, 'show', 'INT-001')
  const { history } = await loadIntentContext(await openWorkspace(repo.root), 'INT-001', null)
  const commit = { oid: (await repo.git('rev-parse', 'HEAD')).slice(0, 10), subject: 'two files' }
  const both = expect.arrayContaining(['src/a.ts', 'src/b.ts']) as unknown
  expect([...history.filter(it => it.commit), ...history.filter(it => !it.commit)]).toEqual([
    { at: expect.any(String) as unknown, by: 'ai', classes: [], session: null, commit, paths: both },
    {
      at: expect.any(String) as unknown,
      by: 'ai',
      classes: [],
      session: expect.any(String) as unknown,
      commit: null,
      paths: both,
    },
  ])
  expect([...history].sort((one, other) => (one.at < other.at ? 1 : -1))).toEqual(history)
})

test('a path of the ledger that leads out of the worktree is not looked at', async () => {
  await using repo = await governedRepo({}, { agent: 'aider' })
  await using _daemon = await startWatching(repo)
  await repo.write('src/d/a.ts', 'a\n')
  await flushedWrites(repo)
  await _daemon[Symbol.asyncDispose]()
  await repo.play('rm -r src/d && mkdir ../outside && echo a > ../outside/a.ts && ln -s ../../outside src/d')
  expect((await filesIn(repo)).find(it => it.path === 'src/d/a.ts')?.state).toBe(null)
})

test('what KOTEF.md and .intentignore forbid, and the lessons, are told', async () => {
  await using repo = await governedRepo()
  await repo.write('.sdd/KOTEF.md', '## Forbidden Paths\n- `secrets/**`\n\n- Never round *up*.\n')
  await repo.write('.intentignore', '# none\n*.pem\n')
  await repo.write('.orchestration/AGENT.md', '# Lessons\n\n- older\n- Round <half> up.\n')
  const read = readXml((await runCli(repo, 'context')).text)
  expect(entryTexts(read, 'forbidden')).toEqual(expect.arrayContaining(['secrets/**', '*.pem', '.husky/**']))
  expect(entryTexts(read, 'constraints')).toContain('Never round up.')
  expect(entryTexts(read, 'lessons')).toEqual(['Round <half> up.', 'older'])
})

test('a scope that nobody committed does not widen what is told', async () => {
  await using repo = await governedRepo()
  const path = '.orchestration/active_intents.yaml'
  await repo.write(path, (await repo.read(path)).replace(/"?src\/\*\*"?/, '"**"'))
  expect(entryTexts(readXml((await runCli(repo, 'context')).text), 'owned_scope')).toEqual(['src/**'])
})
