import { expect, test } from 'vitest'
import { annotateCommits } from '../../../src/provenance/annotate-commits.ts'
import { blamePath } from '../../../src/provenance/blame.ts'
import { openWorkspace } from '../../../src/worktree/workspace.ts'
import { claudeSession } from '../../rig/agent-hooks.ts'
import { flushedWrites, governedRepo, startWatching } from '../../rig/governed-repo.ts'
import type { Repo } from '../../rig/repo.ts'

// A file is moved and edited at once, before anybody records the move: each line keeps its author.

type Author = 'ai' | 'human'

const LINES = [
  ...['export function first(n) {', '  if (n < 0) throw new RangeError(n)', '  return compute(n)', '}', ''],
  ...['export const second = first(2)', 'export const twice = second + 2'],
]
const OTHERS = ['import { rate } from "./rates"', 'export const tax = rate * 100', 'export const none = tax - tax']
const text = (...lines: readonly string[]) => lines.map(it => `${it}\n`).join('')
const OLD = { 'src/a.ts': text(...LINES), 'src/c.ts': text(...OTHERS) }

/** What the second author does at once, and who wrote each line of the files afterwards: 1 the first, 2 the second. */
type Row = readonly [what: string, commands: string, expected: Readonly<Record<string, string>>]

const ADD = `echo 'export const third = first(3)'`
const ROWS: readonly Row[] = [
  ['mv, and a line added', `mv src/a.ts src/b.ts; ${ADD} >>src/b.ts`, { 'src/b.ts': '11111112' }],
  ['git mv, and a line added', `git mv src/a.ts src/b.ts; ${ADD} >>src/b.ts`, { 'src/b.ts': '11111112' }],
  [
    'git mv, and a line replaced',
    `git mv src/a.ts src/b.ts; sed -i '3s/.*/  return count(n, 7)/' src/b.ts`,
    { 'src/b.ts': '1121111' },
  ],
  [
    'mv into a new folder, and two lines removed',
    'mkdir src/new; mv src/a.ts src/new/a.ts; sed -i 5,6d src/new/a.ts',
    { 'src/new/a.ts': '11111' },
  ],
  ['mv, and another indentation', `mv src/a.ts src/b.ts; sed -i '3s/^  /      /' src/b.ts`, { 'src/b.ts': '1111111' }],
  ['mv, and all indented', `mv src/a.ts src/b.ts; sed -i 's/^./    &/' src/b.ts`, { 'src/b.ts': '1111111' }],
  [
    'a file split in two',
    `{ head -4 src/a.ts; ${ADD}; } >src/b.ts; { ${ADD}; sed -n 6,7p src/a.ts; } >src/d.ts; rm src/a.ts`,
    { 'src/b.ts': '11112', 'src/d.ts': '211' },
  ],
  [
    'two files merged in one',
    `{ cat src/a.ts; ${ADD}; cat src/c.ts; } >src/b.ts; rm src/a.ts src/c.ts`,
    { 'src/b.ts': '11111112111' },
  ],
]

const STATES = { committed: 'git add -A; git commit -qm one', staged: 'git add -A', untracked: ':' } as const
const rows = ROWS.flatMap(([what, commands, expected]) =>
  (['ai', 'human'] as const).flatMap(first =>
    (['committed', 'staged', 'untracked'] as const)
      // Git moves only what it knows.
      .filter(state => state !== 'untracked' || !commands.startsWith('git mv'))
      .map(state => [what, first, state, commands, expected] as const),
  ),
)

test.concurrent.each(rows)('%s, of a file by %s that is %s', async (_, first, state, commands, expected) => {
  await using repo = await governedRepo({ 'src/keep': 'x\n' })
  await using daemon = await startWatching(repo)
  const second: Author = first === 'ai' ? 'human' : 'ai'
  await act(repo, first, async () => {
    for (const [path, content] of Object.entries(OLD)) await repo.write(path, content)
  })
  await repo.play(STATES[state])
  await act(repo, second, async () => {
    await daemon.standsStillFor(() => repo.play(commands))
    await repo.play('git add -A; git commit -qm two')
  })
  await flushedWrites(repo)
  const found = await Promise.all(Object.keys(expected).map(async path => [path, await authors(repo, path)]))
  const authorOf = (digit: string): Author => (digit === '1' ? first : second)
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.entries(expected).map(([path, digits]) => [path, digits.split('').map(authorOf)])),
  )
})

async function act(repo: Repo, by: Author, work: () => Promise<unknown>): Promise<void> {
  if (by === 'human') await work()
  else {
    const claude = claudeSession(repo, 's-1')
    await claude.willRun('sh work')
    await work()
    await claude.hasRun('sh work')
  }
  await flushedWrites(repo)
}

async function authors(repo: Repo, path: string): Promise<string[]> {
  const workspace = await openWorkspace(repo.root)
  await annotateCommits(workspace, { isWatched: false })
  const lines = await blamePath(workspace, { path, revision: null })
  return lines.map(it => it.author.contributor.type)
}
