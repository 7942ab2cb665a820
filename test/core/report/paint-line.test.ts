import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { paintLine } from '../../../src/core/report/paint-line.ts'

const NAMES: Readonly<Record<string, string>> = { 31: 'red', 32: 'green', 33: 'yellow', 35: 'magenta', 36: 'cyan' }

/** The coloured words of a line, each with its colour. */
function colours(line: string, kind: Parameters<typeof paintLine>[1]): string[] {
  const painted = paintLine(line, kind)
  expect(stripVTControlCharacters(painted)).toBe(line)
  // oxlint-disable-next-line no-control-regex
  return [...painted.matchAll(/\u001B\[(\d+)m(.*?)\u001B\[39m/g)].map(([, code = '', it]) => `${NAMES[code]} ${it}`)
}

test.each([
  ['kotef: commit stopped, 2 problems.', ['red stopped', 'red 2 problems']],
  [
    'kotef: commit goes through for review, 0 problems, 1 thing to look at.',
    ['yellow 1 thing to look at', 'yellow goes through for review'],
  ],
  ['  block  lib/x.ts is outside intent INT-001', ['red block', 'cyan INT-001']],
  ['  review the message names no intent', ['yellow review']],
  ['         Widen the scope of INT-001, or unstage the file.', ['cyan INT-001']],
  [
    'main..HEAD (0123456789..abcdef0123): 3 commits judged.',
    ['green judged', 'yellow 0123456789', 'yellow abcdef0123'],
  ],
  ['staged: what is staged judged, 1 problem.', ['red 1 problem']],
  ['INT-001: 2 checks passed.', ['green passed', 'cyan INT-001']],
  ['INT-001: 1 of 2 checks did not pass.', ['red did not pass', 'cyan INT-001']],
  ['  passed   npm test  (1.0 s)', ['green passed']],
  ['  failed   npm test  (1.0 s): ended with 1', ['red failed']],
  ['ok     node         this Node can run kotef', ['green ok']],
  ['wrong  hooks: not installed', ['red wrong']],
  ['note   a remark', ['yellow note']],
  ['push     will be stopped: 1 problem', ['red will be stopped', 'red 1 problem']],
  ['daemon   not running; start it', ['yellow not running']],
  ['  INT-001  COMPLETED  owns it by src/**', ['green owns it', 'green COMPLETED', 'cyan INT-001']],
  ['* INT-001  IN_PROGRESS  work', ['yellow IN_PROGRESS', 'cyan INT-001']],
  ['  no owner: outside every intent', ['yellow no owner']],
  ['s-1  INT-001  stopped, since 10:00: it failed (same-error)', ['red stopped', 'cyan INT-001']],
  ['2026-11-01_a: keeps to the contract.', ['green keeps to the contract']],
  ['intent   INT-001 a note of what failed, and passed', ['cyan INT-001']],
])('a verdict: %s (look B14)', (line, wanted) => {
  expect(colours(line, 'verdict').toSorted()).toEqual(wanted.toSorted())
})

test.each([
  ['0123456789  2026-11-29  INT-001  ai', ['cyan INT-001', 'magenta ai', 'yellow 0123456789']],
  ['10:00:00  violation src/x is outside', ['red violation']],
  ['  passed  by nobody', []],
])('a list: %s', (line, wanted) => expect(colours(line, 'list').toSorted()).toEqual(wanted))

test('of blame, the code of a line stays as it is', () => {
  expect(colours('0123456789 INT-001 ai   1) const INT-002 = "block"', 'blame').toSorted()).toEqual([
    'cyan INT-001',
    'magenta ai',
    'yellow 0123456789',
  ])
})
