import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readLedger } from '../../src/core/ledger/read-ledger.ts'
import { governedRepo, startWatching, flushedWrites } from '../rig/governed-repo.ts'
import type { Repo } from '../rig/repo.ts'

/** A repository in which three things were written: two ranges, one line, and one loss. */
async function written(): Promise<Repo> {
  const repo = await governedRepo({ 'src/a.ts': 'one\ntwo\nthree\nfour\nfive\n', 'src/old.ts': 'old\n' })
  await using _daemon = await startWatching(repo)
  for (const [path, text] of [
    ['src/a.ts', 'ONE\ntwo\nthree\nfour\nFIVE\n'],
    ['=cmd,"x".ts', 'formula\n'],
  ] as const) {
    await repo.write(path, text)
    await flushedWrites(repo)
  }
  await repo.run('rm', ['src/old.ts'])
  await flushedWrites(repo)
  return repo
}

test('an export is Agent Trace, holds every write and nothing else, and a damaged one is not', async () => {
  await using repo = await written()
  const exported = await repo.kotef('trace', 'export')
  const records = exported.stdout.split('\n').slice(0, -1)
  const { entries } = readLedger(await repo.read('.orchestration/agent_trace.jsonl'))
  expect(records).toEqual(entries.filter(it => it.record.files.length > 0).map(it => it.text))
  const file = join(repo.base, 'exported.jsonl')
  await writeFile(file, exported.stdout)
  expect(await repo.kotef('trace', 'validate', file)).toMatchObject({
    code: 0,
    stdout: `${file} is Agent Trace 0.1.0: 3 records.\n`,
  })
  await writeFile(file, (await readFile(file, 'utf8')).replace('"start_line":1,', '"start_line":0,'))
  const damaged = await repo.kotef('trace', 'validate', file)
  expect(damaged).toMatchObject({ code: 1, stdout: expect.stringContaining(`${file}:1: /files/0/`) as string })
  expect(damaged.stdout).toContain('start_line must be >= 1')
})

test('a long file is validated line by line, and a pipe is not waited for', async () => {
  await using repo = await written()
  const file = join(repo.base, 'long.jsonl')
  const { stdout } = await repo.kotef('trace', 'export')
  await writeFile(file, `${stdout.split('\n')[0]}\n`.repeat(100_000))
  const small = ['-c', `NODE_OPTIONS=--max-old-space-size=48 kotef trace validate ${file}`]
  expect(await repo.run('sh', small)).toMatchObject({
    code: 0,
    stdout: `${file} is Agent Trace 0.1.0: 100000 records.\n`,
  })
  const piped = ['-c', 'mkfifo ../pipe; timeout 10 kotef trace validate ../pipe']
  expect(await repo.run('sh', piped)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("../pipe can't be read (EFTYPE)") as string,
  })
})

test('an export as CSV has a row for each range, and no cell that a spreadsheet would run', async () => {
  await using repo = await written()
  const { stdout } = await repo.kotef('trace', 'export', '--format', 'csv')
  const [head, ...rows] = stdout.split('\n').slice(0, -1)
  expect(head).toMatch(/^timestamp,revision,path,op,start_line,end_line,content_hash,/)
  expect(
    rows.map(row =>
      row
        .split(',')
        .slice(2)
        .join(',')
        .replace(/(xxh64|human).*/, ''),
    ),
  ).toEqual(['src/a.ts,modify,1,1,', 'src/a.ts,modify,5,5,', `"'=cmd,""x"".ts",create,1,1,`, 'src/old.ts,delete,,,,'])
})

test.each([
  [['export', '--format', 'xml'], '--format is one of agent-trace, csv, not xml'],
  [['validate', 'nowhere.jsonl'], "nowhere.jsonl can't be read (ENOENT)."],
])('kotef trace %s is refused', async (words, message) => {
  await using repo = await governedRepo({})
  const { code, stderr } = await repo.kotef('trace', ...words)
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(message) as string })
})
