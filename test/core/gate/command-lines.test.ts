import { expect, test } from 'vitest'
import { commandFolder, commandLines } from '../../../src/gate/parse-tool-call.ts'

test.each<[tool: string, input: object, lines: readonly string[]]>([
  ['Bash', { command: 'ls' }, ['ls']],
  ['Bash', { command: 'ls', cmd: 'rm a' }, ['ls', 'rm a']],
  ['shell', { command: ['bash', '-lc', 'rm a; ls'] }, ["bash -lc 'rm a; ls'"]],
  ['run_commands', { commands: ['ls', 'rm a'] }, ['ls', 'rm a']],
  ['run_commands', { commands: [{ command: 'rm', args: ['a b'] }] }, ["rm 'a b'"]],
  ['run_commands', { command: 'rm', args: ['a'] }, ['rm', 'rm a']],
  ['run_commands', { raw: ['ls', 'rm a'] }, ['ls', 'rm a', "ls 'rm a'"]],
  ['run_commands', { commands: ['ls', 7] }, []],
  ['run_commands', { commands: [['rm', 'a']] }, []],
  ['exec', { raw: 'await x()' }, []],
  ['Bash', { raw: 'ls' }, ['ls']],
  ['write_stdin', { command: 'ls' }, []],
  ['Bash', { command: 7 }, []],
  ['Bash', { command: [] }, []],
  ['Bash', {}, []],
])('%s with %j runs %j', (tool, input, lines) => {
  expect(commandLines({ ...input }, tool)).toEqual(lines)
})

test.each<[tool: string, input: object, folder: string | null]>([
  ['Bash', { workdir: 'd' }, ''],
  ['shell', { workdir: 'd' }, 'd'],
  ['shell', { cwd: 'd' }, ''],
  ['run_shell_command', { dir_path: '/d' }, '/d'],
  ['Shell', { working_directory: 'd' }, 'd'],
  ['execute_command', { cwd: 'd' }, 'd'],
  ['shell', { workdir: '~/d' }, null],
  ['shell', { workdir: 7 }, null],
  ['shell', { workdir: null }, ''],
])('%s with %j starts in %j', (tool, input, folder) => {
  expect(commandFolder({ ...input }, tool)).toBe(folder)
})
