import { expect, test } from 'vitest'
import { readerByPs } from '../../../src/world/io/process/process-chain.ts'
import { nameInTable } from '../../../src/world/io/process/processes.ts'

test.each([
  ['zsh', 'zsh'],
  ['-zsh', 'zsh'],
  ['/bin/sh', 'sh'],
  ['-/bin/bash', 'bash'],
  ['/Applications/Some App.app/Contents/MacOS/Some App', 'Some App'],
  ['node_modules/.bin/x', 'x'],
  ['npm exec @scope/name', 'npm exec @scope/name'],
  ['tmux: server', 'tmux: server'],
])('in the table of processes, %s is %s', (column, name) => {
  expect(nameInTable(column)).toBe(name)
})

test('a process has the name of its program where the table has a path', () => {
  const lines = [
    ' 4242   400 S+   ttys001 Thu Nov 26 22:57:13 2026     /bin/sh',
    '  400     1 Ss   ttys001 Thu Nov 26 22:50:00 2026     -/bin/zsh',
    '    1     0 Ss   ??      Thu Nov 26 20:00:00 2026     /sbin/launchd',
  ]
  const read = readerByPs(lines)
  expect([4242, 400, 1].map(it => read(it)?.name)).toEqual(['sh', 'zsh', 'launchd'])
  expect(read(4242)).toMatchObject({ parent: 400, terminal: 'ttys001', isLeader: false })
  expect(read(400)).toMatchObject({ isLeader: true })
  expect(read(1)).toMatchObject({ terminal: null })
})
