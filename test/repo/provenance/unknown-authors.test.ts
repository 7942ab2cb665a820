import { expect, test } from 'vitest'
import { blamePath } from '../../../src/world/provenance/blame.ts'
import { annotateCommits } from '../../../src/world/provenance/annotate-commits.ts'
import { startIntent } from '../../../src/world/lifecycle/start-intent.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { governedRepo, startWatching, flushedWrites } from '../../rig/governed-repo.ts'
import { noteCommits } from '../../rig/noted-commits.ts'
import type { Repo } from '../../rig/repo.ts'

const OLD = ['export function old(cents) {', '  const thing = cents * 2', '  return thing + 1', '}']
const AGENTS = ['import { something } from "a-place"', 'x++', 'y++', 'the end of what the agent has written']

test('lines that nobody knew stay unknown when an agent moves them', async () => {
  await using repo = await watched({ 'src/a': text(OLD) })
  await typed(repo, [...OLD.slice(2), ...OLD.slice(0, 2)])
  await repo.git('commit', '-qam', 'moved')
  expect(await typesIn(repo)).toEqual(['unknown', 'unknown', 'unknown', 'unknown'])
})

test('lines of a letter or two that a person types again are the person', async () => {
  await using repo = await watched({ 'src/a': text(OLD) })
  await typed(repo, [...OLD, ...AGENTS])
  await repo.git('commit', '-qam', 'by an agent')
  await becomePerson(repo)
  await typed(repo, [...OLD, AGENTS[0] ?? '', AGENTS[3] ?? ''])
  await repo.git('commit', '-qam', 'without the loop')
  await typed(repo, ['the loop of a person', 'x++', 'y++', 'it ends', ...OLD, AGENTS[0] ?? '', AGENTS[3] ?? ''])
  expect((await typesIn(repo)).slice(0, 4)).toEqual(['human', 'human', 'human', 'human'])
})

test('a line that a person types again in the place of others is the person, as the ledger says', async () => {
  await using repo = await watched({ 'src/a': text(OLD) })
  await typed(repo, [...AGENTS, ...OLD])
  await repo.git('commit', '-qam', 'by an agent')
  await becomePerson(repo)
  await typed(repo, ['// a person begins anew', ...OLD, AGENTS[0] ?? '', '// and ends'])
  await repo.git('commit', '-qam', 'by a person')
  expect(await typesIn(repo)).toEqual(['human', ...OLD.map(() => 'unknown'), 'human', 'human'])
})

test('a common line in a commit that nobody watched is unknown, though an agent has typed the same', async () => {
  await using repo = await watched({ 'src/a': text(OLD) })
  await typed(repo, [...OLD, ...AGENTS])
  await repo.git('commit', '-qam', 'by an agent')
  await repo.git('notes', '--ref=kotef', 'list')
  const colleague = `{ cat src/a; echo 'by a colleague'; echo '${AGENTS[0] ?? ''}'; echo 'the end'; } > ../theirs
    git update-index --cacheinfo 100644,$(git hash-object -w ../theirs),src/a
    git update-ref HEAD $(git commit-tree -p HEAD -m theirs $(git write-tree)); git reset -q --hard`
  expect(await repo.run('sh', ['-ec', colleague])).toMatchObject({ code: 0 })
  expect((await typesIn(repo)).slice(-3)).toEqual(['unknown', 'unknown', 'unknown'])
})

test('a file of which nobody knows how it began is followed again from where git has it', async () => {
  await using repo = await governedRepo({ 'src/a': text(OLD) }, { agent: 'aider' })
  await repo.write('src/a', text([...OLD, 'before kotef']))
  await repo.run('touch', ['-d', '2020-01-01', 'src/a'])
  await using _daemon = await startWatching(repo)
  await typed(repo, [...OLD, 'before kotef', 'c++'])
  await repo.git('commit', '-qam', 'what git had not')
  await typed(repo, [...OLD, 'before kotef', 'c++', 'd++'])
  await repo.git('commit', '-qam', 'what follows')
  expect(await typesIn(repo)).toEqual([...OLD.map(() => 'unknown'), 'unknown', 'unknown', 'ai'])
})

const damages: Readonly<Record<string, string>> = {
  'a range that is longer than any file': `sed 's/"end_line":[0-9]*/"end_line":90000000/g'`,
  'another author': `sed 's/"type":"unknown"/"type":"ai"/g'`,
  'another path': `sed 's#src/a#src/b#g'`,
  'another commit, as an amendment copies it': `sed 's/"revision":"[0-9a-f]\\{4\\}/"revision":"0123/'`,
  nonsense: 'tr a-z k-za-j',
}
test.each(Object.entries(damages))('a note with %s is not believed', async (_, change) => {
  await using repo = await governedRepo({ 'src/a': text(OLD), 'src/b': text(OLD) })
  await noteCommits(repo, [(await repo.git('rev-parse', 'HEAD')).trim()])
  const edit = `git notes --ref=kotef show HEAD | ${change} > ../note; git notes --ref=kotef add -f -F ../note HEAD`
  expect(await repo.run('sh', ['-ec', edit])).toMatchObject({ code: 0 })
  expect(await typesIn(repo)).toEqual(OLD.map(() => 'unknown'))
  expect((await repo.kotef('verify', 'HEAD^..HEAD')).stdout).toMatch(/note/)
})

/** A repository under a daemon, in which an agent is at work. */
async function watched(files: Readonly<Record<string, string>>): Promise<Repo> {
  const repo = await governedRepo(files, { agent: 'aider' })
  const daemon = await startWatching(repo)
  return { ...repo, [Symbol.asyncDispose]: () => daemon[Symbol.asyncDispose]().then(() => repo[Symbol.asyncDispose]()) }
}

async function typed(repo: Repo, lines: readonly string[]): Promise<void> {
  await repo.write('src/a', text(lines))
  await flushedWrites(repo)
}

async function becomePerson(repo: Repo): Promise<void> {
  await startIntent(await openWorkspace(repo.root), { intent: 'INT-001', agent: null, model: null })
}

async function typesIn(repo: Repo): Promise<string[]> {
  const workspace = await openWorkspace(repo.root)
  await annotateCommits(workspace, { isWatched: true })
  return (await blamePath(workspace, { path: 'src/a', revision: null })).map(it => it.author.contributor.type)
}

function text(lines: readonly string[]): string {
  return lines.map(it => `${it}\n`).join('')
}
