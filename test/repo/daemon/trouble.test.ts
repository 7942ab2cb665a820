import { rename, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TraceRecord } from '../../../src/core/ledger/record.ts'
import { runCli } from '../../rig/command-line.ts'
import {
  governedRepo,
  flushedRecords,
  startWatching,
  writesAfterCommands,
  flushedWrites,
} from '../../rig/governed-repo.ts'
import type { Repo } from '../../rig/repo.ts'

const lines = (count: number): string => Array.from({ length: count }, (_, n) => `${n + 1}\n`).join('')

/** The text with one line (from 1) replaced. */
function edited(text: string, line: number, by: string): string {
  return text
    .split('\n')
    .with(line - 1, by)
    .join('\n')
}

function rangesOf(record: TraceRecord | undefined): unknown {
  return record?.files[0]?.conversations[0]?.ranges.map(it => [it.start_line, it.end_line])
}

async function commitAll(repo: Repo, message: string): Promise<void> {
  await repo.git('add', '--all')
  await repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '-m', message)
}

test('the folder may be called anything', async () => {
  await using repo = await governedRepo({ 'src/a.ts': lines(9) })
  const odd = { ...repo, root: join(repo.base, 'é "quoted"') }
  await rename(repo.root, odd.root)
  await using _daemon = repo.start('kotef-watch', [], { cwd: odd.root })
  await _daemon.line(/kotef is watching/)
  await repo.run('sh', ['-c', 'sed -i 3s/.*/x/ src/a.ts'], { cwd: odd.root })
  const { json } = await runCli(odd, 'trace', '--file', 'src/a.ts')
  expect((json as TraceRecord[]).map(rangesOf)).toEqual([[[3, 3]]])
})

test('core.autocrlf stops nobody, and no text of a file is in what the daemon says', async () => {
  await using repo = await governedRepo({ 'src/a.ts': lines(9) })
  await repo.git('config', 'core.autocrlf', 'true')
  await using daemon = repo.start('kotef-watch')
  await daemon.line(/kotef is watching/)
  await repo.write('src/a.ts', edited(lines(9), 5, 'SECRET'))
  expect((await flushedWrites(repo)).map(rangesOf)).toEqual([[[5, 5]]])
  await daemon.line(/src\/a\.ts/)
  expect(daemon.lines.join('\n')).not.toContain('SECRET')
})

test('a file of more than 2 GiB is recorded by its oid and holds nobody up', async () => {
  await using repo = await governedRepo()
  await using _daemon = await startWatching(repo)
  await repo.write('src/big', '')
  await truncate(join(repo.root, 'src/big'), 2 * 1024 ** 3 + 1)
  await repo.write('src/small', 'x\n')
  const written = (await flushedWrites(repo)).map(it => [it.files[0]?.path, it.files[0]?.kotef.opaque])
  expect(written.sort()).toEqual([
    ['src/big', 'oversized'],
    ['src/small', undefined],
  ])
})

test('a sparse file of a terabyte is named once, and holds nobody up', async () => {
  await using repo = await governedRepo()
  await using _daemon = await startWatching(repo)
  await repo.run('sh', ['-c', 'mkdir src && truncate -s 1T src/huge'])
  await repo.write('src/small', 'x\n')
  expect((await flushedWrites(repo)).flatMap(it => it.files.map(file => file.path))).toEqual(['src/small'])
  expect(await problems(repo)).toEqual(["src/huge can't be recorded: it is larger than 4 GiB"])
})

test('a name that is not UTF-8 is told of, once', async () => {
  await using repo = await governedRepo()
  await using _daemon = await startWatching(repo)
  await repo.run('sh', ['-c', 'mkdir src && printf x > "src/$(printf \'\\377\')"'])
  await flushedRecords(repo)
  expect(await problems(repo)).toEqual(["src/\ufffd can't be recorded: its name is not UTF-8"])
})

async function problems(repo: Repo): Promise<string[]> {
  const events = (await flushedRecords(repo)).map(it => it.metadata['dev.kotef'])
  return events.flatMap(it => (it.event === 'problem' ? [it.message] : []))
}

test('an untracked file that is deleted is a deletion, although git has rewritten the index', async () => {
  await using repo = await governedRepo()
  const written = await writesAfterCommands(repo, 'src/v', ['git add src/v; git reset --quiet src/v', 'rm src/v'])
  expect(written.map(it => it.files[0]?.kotef.op)).toEqual(['create', 'delete'])
})

test('a merge right after a commit is git’s, whatever its hooks take', async () => {
  await using repo = await governedRepo({ 'src/a.ts': lines(50) })
  await repo.git('switch', '--quiet', '--create', 'topic')
  await repo.write('src/a.ts', edited(lines(50), 1, 'topic'))
  await commitAll(repo, 'topic')
  await repo.git('switch', '--quiet', 'main')
  await using _daemon = await startWatching(repo)
  await repo.write('src/a.ts', edited(lines(50), 41, 'main'))
  await flushedWrites(repo)
  await repo.git('commit', '--quiet', '--all', '-m', 'main')
  await repo.git('merge', '--quiet', '--no-ff', 'topic', '-m', 'merged')
  expect((await flushedWrites(repo)).map(rangesOf)).toEqual([[[41, 41]]])
})

test('who edits what git has just restored wrote only what is new', async () => {
  await using repo = await governedRepo({ 'src/a.ts': lines(50) })
  await using _daemon = await startWatching(repo)
  await repo.write('src/a.ts', edited(lines(50), 1, 'EDIT'))
  await flushedWrites(repo)
  await repo.run('sh', ['-c', 'git checkout -q src/a.ts && sed -i 5s/.*/FIVE/ src/a.ts'])
  const [, second] = await flushedWrites(repo)
  expect(rangesOf(second)).toEqual([[5, 5]])
})

test('what is staged in between and then edited further is all the editor’s', async () => {
  await using repo = await governedRepo({ 'src/a.ts': lines(50) })
  await using _daemon = await startWatching(repo)
  await repo.run('sh', ['-c', 'sed -i 1s/.*/ONE/ src/a.ts && git add src/a.ts && sed -i 9s/.*/NINE/ src/a.ts'])
  const claimed = (await flushedWrites(repo)).flatMap(it => rangesOf(it) as number[][])
  expect(claimed).toEqual([
    [1, 1],
    [9, 9],
  ])
})

test('an edit after git checked a file out through a filter has its lines', async () => {
  await using repo = await governedRepo({ '.gitattributes': '*.txt text eol=crlf\n', 'src/a.txt': '1\r\n2\r\n3\r\n' })
  await using _daemon = await startWatching(repo)
  await repo.write('src/a.txt', '1\r\ntwo\r\n3\r\n')
  await flushedWrites(repo)
  await repo.git('checkout', '--quiet', 'src/a.txt')
  await flushedWrites(repo)
  await repo.write('src/a.txt', '1\r\n2\r\nthree\r\n')
  expect((await flushedWrites(repo)).map(rangesOf)).toEqual([[[2, 2]], [[3, 3]]])
})

test('after the daemon has stopped, what it recorded is not called untraced', async () => {
  await using repo = await governedRepo()
  await using daemon = repo.start('kotef-watch')
  await daemon.line(/kotef is watching/)
  await repo.write('src/s', 'n\n')
  await flushedWrites(repo)
  daemon.signal('SIGTERM')
  await daemon.ended
  expect((await runCli(repo, 'status')).json).toMatchObject({ untraced: [] })
  await repo.write('src/t', 'n\n')
  expect((await runCli(repo, 'status')).json).toMatchObject({ untraced: ['src/t'] })
})

test('a file that was recorded is recorded no more once .gitignore has it', async () => {
  await using repo = await governedRepo({ 'src/a.ts': '' })
  await using _daemon = await startWatching(repo)
  const files = { 'src/one.log': 'one\n', 'src/two.log': 'two\n', '.gitignore': '*.log\n' }
  for (const [path, text] of Object.entries(files)) {
    await repo.write(path, text)
    await flushedWrites(repo)
  }
  // One that git does not have hides nothing.
  await repo.git('add', '.gitignore')
  await flushedWrites(repo)
  for (const path of ['src/one.log', 'src/two.log']) await repo.write(path, 'more\n')
  expect((await flushedWrites(repo)).map(it => it.files[0]?.path)).toEqual(Object.keys(files))
})
