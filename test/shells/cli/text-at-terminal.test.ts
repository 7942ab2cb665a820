import { expect, test } from 'vitest'
import { textAtTerminal } from '../../../src/shells/cli/text-at-terminal.ts'

test.each([
  [['verify'], true],
  [['verify', '--format', 'text'], true],
  [['verify', '--format', 'sarif'], false],
  [['verify', '--format=json'], false],
  [['verify', '--sarif'], false],
  [['intent', 'list', '--format', 'yaml'], false],
  [['lesson', 'apply'], false],
  [['lesson', 'list'], true],
  [['completion', 'bash'], false],
  [['--all', 'help'], false],
  [[], false],
])('%j prints sentences: %s (look B14)', (words, wanted) => {
  const shown = textAtTerminal('ok  node', { words, kind: undefined }, { columns: 80, env: {} })
  expect(shown !== 'ok  node').toBe(wanted)
})
