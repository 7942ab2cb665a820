import fc from 'fast-check'
import { expect, test } from 'vitest'
import xxhash from 'xxhash-wasm'
import type { TraceRecord } from '../../src/core/ledger/record.ts'
import { governedRepo, startWatching, flushedWrites } from '../rig/governed-repo.ts'
import type { Repo } from '../rig/repo.ts'

const { h64Raw } = await xxhash()

// Few different lines, so that a diff has choices; some that look like a diff's own.
const line = fc.constantFrom('a', 'b', '}', '', '  x', '@@ -1 +1 @@', '--- a/f', '+++ b/f', '\\ No newline', 'ü')
const text = fc
  .tuple(fc.array(line, { maxLength: 14 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([lines, end, ended]) => lines.join(end) + (ended && lines.length > 0 ? end : ''))
const edits = fc.sample(fc.tuple(text, text), { seed: 11, numRuns: 60 }).filter(([before, after]) => before !== after)
const sides = (n: 0 | 1) => Object.fromEntries(edits.map((edit, at) => [`src/${at} f.txt`, edit[n]]))

test('a write adds what `git diff` adds, removes what it removes, and is hashed as published', async () => {
  await using repo = await governedRepo(sides(0))
  await using _daemon = await startWatching(repo)
  const after = sides(1)
  for (const [path, it] of Object.entries(after)) await repo.write(path, it)
  const written = await flushedWrites(repo)
  expect(written.map(it => it.files[0]?.path).sort()).toEqual(Object.keys(after).sort())
  for (const record of written) {
    const path = record.files[0]?.path ?? ''
    expect([path, reported(record)]).toEqual([path, await diffed(repo, path)])
    for (const range of rangesOf(record)) expect(range.content_hash).toBe(hashOf(after[path] ?? '', range))
  }
})

type Range = { readonly start_line: number; readonly end_line: number; readonly content_hash?: string }

const rangesOf = (record: TraceRecord): readonly Range[] => record.files[0]?.conversations[0]?.ranges ?? []

function reported(record: TraceRecord) {
  const added = rangesOf(record).map(it => `${it.start_line},${it.end_line - it.start_line + 1}`)
  return { added, removed: record.files[0]?.kotef.removed.map(it => `${it.start_line},${it.lines}`) }
}

async function diffed(repo: Repo, path: string) {
  const diff = await repo.git('diff', '--unified=0', '--', path)
  const hunks = [...diff.matchAll(/^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gm)]
  const some = (start?: string, count = '1') => (count === '0' ? [] : [`${start},${count}`])
  return { added: hunks.flatMap(it => some(it[3], it[4])), removed: hunks.flatMap(it => some(it[1], it[2])) }
}

// As docs/formats.md has it: xxHash64, seed 0, over the lines without their endings, each followed by one LF.
function hashOf(content: string, { start_line, end_line }: Range): string {
  const lines = content.split('\n').slice(start_line - 1, end_line)
  const bytes = Buffer.from(lines.map(it => `${it.replace(/\r$/, '')}\n`).join(''))
  return `xxh64:${h64Raw(bytes).toString(16).padStart(16, '0')}`
}
