import { expect, test } from 'vitest'
import { commandFolder, commandLines } from '../../../../src/core/agents/gate/parse-tool-call.ts'

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

test.each<[agent: string, tool: string, input: object, folder: string | null]>([
  ['claude', 'Bash', { workdir: 'd' }, ''],
  ['codex', 'shell', { workdir: 'd' }, 'd'],
  ['codex', 'shell', { cwd: 'd' }, ''],
  ['gemini', 'run_shell_command', { dir_path: '/d' }, '/d'],
  ['cursor', 'Shell', { working_directory: 'd' }, 'd'],
  ['opencode', 'bash', { workdir: 'd' }, 'd'],
  ['copilot', 'bash', { workdir: 'd' }, ''],
  ['cline', 'execute_command', { cwd: 'd' }, ''],
  ['roo', 'execute_command', { cwd: 'd' }, 'd'],
  ['other', 'execute_command', { cwd: 'd' }, null],
  ['other', 'execute_command', { cwd: null }, ''],
  ['codex', 'shell', { workdir: '~/d' }, null],
  ['codex', 'shell', { workdir: 7 }, null],
  ['codex', 'shell', { workdir: null }, ''],
])('%s: %s with %j starts in %j', (agent, tool, input, folder) => {
  expect(commandFolder({ ...input }, tool, agent)).toBe(folder)
})
