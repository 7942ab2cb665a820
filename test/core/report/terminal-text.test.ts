import { expect, test } from 'vitest'
import { terminalText } from '../../../src/core/report/terminal-text.ts'

test.each([
  [{}, true],
  [{ TERM: 'xterm' }, true],
  [{ TERM: 'dumb' }, false],
  [{ NO_COLOR: '1' }, false],
  [{ NO_COLOR: '' }, true],
  [{ FORCE_COLOR: '0' }, false],
  [{ FORCE_COLOR: '1', NO_COLOR: '1' }, true],
])('with %o the colours are: %s (look B14)', (env, wanted) => {
  expect(terminalText('ok  node', 'verdict', { columns: 80, env }).includes('\u001B')).toBe(wanted)
})

test.each([
  ['verdict', 20, 2],
  ['verdict', undefined, 1],
  ['verdict', 5, 1],
  ['list', 20, 1],
  ['blame', 20, 1],
] as const)('of kind %s at %s columns a text has %s lines', (kind, columns, wanted) => {
  const text = terminalText('a sentence of some words', kind, { columns, env: { NO_COLOR: '1' } })
  expect(text.split('\n')).toHaveLength(wanted)
})
