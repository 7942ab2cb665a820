import { describe, expect, test } from 'vitest'
import { annotateCommits } from '../../../src/world/provenance/annotate-commits.ts'
import { blamePath } from '../../../src/world/provenance/blame.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { claudeSession } from '../../rig/agent-hooks.ts'
import { fixture } from '../../rig/fixture.ts'
import { flushedWrites, governedRepo, startWatching } from '../../rig/governed-repo.ts'
import type { Repo } from '../../rig/repo.ts'

// A file is moved and edited at once, before anybody records the move: each line keeps its author.

type Author = 'ai' | 'human'

const LINES = [
  ...['export function first(n) {', '  if (n < 0) throw new RangeError(n)', '  return compute(n)', '}', ''],
  ...['export const second = first(2)', 'export const twice = second + 2'],
]
const OTHERS = ['import { rate } from "./rates"', 'export const tax = rate * 100', 'export const none = tax - tax']

/** What the second author does at once, and who wrote each line of the files afterwards: 1 the first, 2 the second. */
type Row = readonly [what: string, commands: string, expected: Readonly<Record<string, string>>]

const ADD = `echo 'export const third = first(3)'`
const ROWS: readonly Row[] = [
  ['mv, and a line added', `mv a.ts b.ts; ${ADD} >>b.ts`, { 'b.ts': '11111112' }],
  ['git mv, and a line added', `git mv a.ts b.ts; ${ADD} >>b.ts`, { 'b.ts': '11111112' }],
  ['git mv, and a line replaced', `git mv a.ts b.ts; sed -i '3s/.*/  return count(n, 7)/' b.ts`, { 'b.ts': '1121111' }],
  [
    'mv into a new folder, and two lines removed',
    'mkdir new; mv a.ts new/a.ts; sed -i 5,6d new/a.ts',
    { 'new/a.ts': '11111' },
  ],
  ['mv, and another indentation', `mv a.ts b.ts; sed -i '3s/^  /      /' b.ts`, { 'b.ts': '1111111' }],
  ['mv, and all indented', `mv a.ts b.ts; sed -i 's/^./    &/' b.ts`, { 'b.ts': '1111111' }],
  [
    'a file split in two',
    `{ head -4 a.ts; ${ADD}; } >b.ts; { ${ADD}; sed -n 6,7p a.ts; } >d.ts; rm a.ts`,
    { 'b.ts': '11112', 'd.ts': '211' },
  ],
  ['two files merged in one', `{ cat a.ts; ${ADD}; cat c.ts; } >b.ts; rm a.ts c.ts`, { 'b.ts': '11111112111' }],
]

/** The rows, each in a folder of its own, and with words of its own: no line of it is a line of another row. */
const FOLDERS = ROWS.map(([what, commands, expected], n) => ({ what, commands, expected, folder: `src/row-${n}`, n }))
const ownWords = (text: string, n: number): string =>
  text.replaceAll(/\b(?:first|second|third|twice|compute|count|tax|rate|none)\b/g, word => `${word}Of${n}`)

const STATES = { committed: 'git add -A; git commit -qm one', staged: 'git add -A', untracked: ':' } as const
type State = keyof typeof STATES

// Git moves only what it knows.
const rowsFor = (state: State) => FOLDERS.filter(it => state !== 'untracked' || !it.commands.startsWith('git mv'))

describe.each(
  (['ai', 'human'] as const).flatMap(first =>
    (['committed', 'staged', 'untracked'] as const).map(state => [first, state] as const),
  ),
)('of files by %s that are %s', (first, state) => {
  const moved = fixture(() => movedRepo(first, state))

  test.each(rowsFor(state).map(it => [it.what, it] as const))('%s', async (_, { folder, expected }) => {
    const found = await Promise.all(
      Object.keys(expected).map(async path => [path, await authors(moved(), `${folder}/${path}`)]),
    )
    const authorOf = (digit: string): Author => (digit === '1' ? first : other(first))
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(Object.entries(expected).map(([path, digits]) => [path, digits.split('').map(authorOf)])),
    )
  })
})

const other = (author: Author): Author => (author === 'ai' ? 'human' : 'ai')

/** The first author writes the files of all rows; then the second one does what each row says, and commits. */
async function movedRepo(first: Author, state: State): Promise<Repo> {
  const repo = await governedRepo({ 'src/keep': 'x\n' })
  await using daemon = await startWatching(repo)
  const rows = rowsFor(state)
  await act(repo, first, async () => {
    for (const { folder, n } of rows) {
      await repo.write(`${folder}/a.ts`, ownWords(text(LINES), n))
      await repo.write(`${folder}/c.ts`, ownWords(text(OTHERS), n))
    }
  })
  await repo.play(STATES[state])
  const commands = rows.map(({ folder, commands, n }) => `(cd ${folder}; ${ownWords(commands, n)})`).join('\n')
  await act(repo, other(first), async () => {
    await daemon.standsStillFor(() => repo.play(commands))
    await repo.play('git add -A; git commit -qm two')
  })
  await annotateCommits(await openWorkspace(repo.root), { isWatched: false })
  return repo
}

const text = (lines: readonly string[]) => lines.map(it => `${it}\n`).join('')

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
  const lines = await blamePath(await openWorkspace(repo.root), { path, revision: null })
  return lines.map(it => it.author.contributor.type)
}
