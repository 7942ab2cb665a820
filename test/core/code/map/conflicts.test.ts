import { expect, test } from 'vitest'
import { ownLines } from '../../../../src/core/code/map/own-lines.ts'
import { conflictsBetween, touchedDeclarations } from '../../../../src/core/code/map/conflicts.ts'
import { conflictLine } from '../../../../src/core/report/conflict-lines.ts'

const declared = (
  kind: 'class' | 'method' | 'function',
  name: string,
  [startLine, endLine]: readonly [number, number],
) => ({
  ...{ kind, name, line: startLine, startLine, endLine, container: kind === 'method' ? 'A' : null },
})
const owned = ownLines([
  declared('class', 'A', [1, 20]),
  declared('method', 'm', [3, 9]),
  declared('method', 'n', [11, 19]),
  declared('function', 'f', [22, 30]),
])
const at = (first: number, last = first) => ({ first, last, session: 's', isInside: false })
const between = (first: number, last: number) => ({ first, last, session: 's', isInside: true })

test.each([
  ['a method', [at(5)], ['method A.m']],
  ['the line of the class itself', [at(2)], ['class A']],
  ['lines of two', [at(25), at(4)], ['function f', 'method A.m']],
  ['no declaration', [at(21), between(20, 21)], []],
  ['lines that were removed inside a method', [between(5, 6)], ['method A.m']],
  ['a method that was removed', [between(9, 10)], ['class A']],
])('touched: %s', (_, touches, names) => {
  expect(touchedDeclarations(owned, touches)).toEqual(names)
})

const place = (session: string, intent: string, worktree = '/w') => ({ session, intent, agent: 'claude', worktree })
const file = (by: ReturnType<typeof place>, ...declarations: readonly string[]) => ({ by, path: 'a.ts', declarations })

test('a conflict needs two intents and one declaration', () => {
  const mine = file(place('s1', 'INT-001'), 'function f', 'function g')
  const others = [
    mine,
    file(place('s2', 'INT-001'), 'function f'),
    file(place('s3', 'INT-002', '/x y'), 'function g', 'function h'),
    { ...file(place('s4', 'INT-002'), 'function f'), path: 'b.ts' },
  ]
  expect(conflictsBetween([mine], others).map(conflictLine)).toEqual([
    'a.ts: function g is being changed for INT-002 (claude, session s3, in /x y) as well',
  ])
})
