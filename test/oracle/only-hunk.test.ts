import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hunksBetween, onlyHunk } from '../../src/core/git/diff/hunks.ts'
import { gitIn } from '../../src/world/io/git/git.ts'
import { temporaryRepo } from '../rig/repo.ts'

// Few different lines give a diff choices; many give it none.
const lineOf = (kinds: number) =>
  fc.integer({ min: 0, max: kinds }).map(it => ['', '}', ' x', 'a\r', 'ü'][it] ?? `${it}`)
const linesOf = (kinds: number) => fc.array(lineOf(kinds), { maxLength: 9 })
const texts = fc.constantFrom(3, 80, 5_000).chain(kinds => {
  const [top, bottom, old, now] = [linesOf(kinds), linesOf(kinds), linesOf(kinds), linesOf(kinds)]
  return fc.tuple(top, bottom, old, now, fc.boolean(), fc.boolean())
})
const text = (lines: readonly string[], ended: boolean) => Buffer.from(lines.join('\n') + (ended ? '\n' : ''))
const pairs = fc.sample(texts, { seed: 5, numRuns: 3_000 }).map(([top, bottom, old, now, first, second]) => ({
  before: text([...top, ...old, ...bottom], first),
  after: text([...top, ...now, ...bottom], second),
}))

test.each(['myers', 'histogram'])('where every diff finds the same, it is what git finds by %s', async algorithm => {
  await using repo = await temporaryRepo()
  for (const [n, { before, after }] of pairs.entries()) {
    await repo.write(`../before/${n}`, before)
    await repo.write(`../after/${n}`, after)
  }
  await repo.git('config', 'diff.algorithm', algorithm)
  const found = await gitIn(repo.root).ask(hunksBetween(`${repo.base}/before`, `${repo.base}/after`))
  const ours = pairs.map(({ before, after }) => onlyHunk(before, after))
  expect(ours.map((it, n) => it && found.get(n))).toEqual(ours.map(it => (it?.length === 0 ? undefined : it)))
  const answered = ours.filter(it => it?.length === 1)
  expect(answered.length).toBeGreaterThan(pairs.length / 4)
  expect(answered.some(it => it?.[0]?.lines === 0)).toBe(true)
  expect(answered.some(it => it?.[0]?.addedLines === 0)).toBe(true)
})
