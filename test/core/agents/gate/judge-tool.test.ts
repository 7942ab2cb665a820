import { describe, expect, test } from 'vitest'
import { readShell } from '../../../../src/core/agents/gate/shell/read-shell.ts'
import { globsAndDevices } from './globs-and-devices.ts'
import { mutatingCommands } from './mutating-commands.ts'
import { mutatingGit } from './mutating-git.ts'
import { deceivingCommands, hidingCommands, settingsRead } from './deceiving-commands.ts'
import { deceivingForms } from './deceiving-forms.ts'
import { mutatingTools } from './mutating-tools.ts'
import { opaqueCommands } from './opaque-commands.ts'
import { outOfScope, outOfScopeCommands } from './out-of-scope.ts'
import { dailyReading } from './daily-reading.ts'
import { everydayReading } from './everyday-reading.ts'
import { refusedReading, refusedReadingTools } from './refused-reading.ts'
import { readingCommands } from './reading-commands.ts'
import { readingTools } from './reading-tools.ts'
import { governanceOffCommands } from './governance-off.ts'
import { callIn, type Row, titleOf, verdictOf } from './gate-fixture.ts'
import { allowedCalls } from './allowed-calls.ts'

const mutating: readonly Row[] = [...mutatingTools, ...mutatingCommands, ...globsAndDevices, ...mutatingGit]
const reading: readonly Row[] = [
  ...readingTools,
  ...settingsRead,
  ...readingCommands,
  ...everydayReading,
  ...dailyReading,
]

describe('SC-001, SC-003, US5.1: before an intent is selected', () => {
  test('the corpus of what changes something is large', () => {
    expect(new Set(mutating.map(titleOf)).size).toBeGreaterThanOrEqual(200)
  })

  test.each(mutating.map(it => [titleOf(it), it] as const))('FR-002, FR-009: refused: %s', (_, row) => {
    const { kind, reasons } = verdictOf(row, null)
    expect(kind).toBe('deny')
    expect(reasons[0]).toMatchObject({
      ...{ code: 'intent-required', message: 'You must cite a valid active Intent ID.' },
      hint: expect.stringMatching(/^Call `select_active_intent` .*`list_intents`/) as string,
    })
  })

  test.each(refusedReading)('refused: %s, since %s', command => {
    expect(verdictOf(command, null).kind).toBe('deny')
  })

  test.each(refusedReadingTools.map(([row, why]) => [titleOf(row), why, row] as const))(
    'refused: %s, since %s',
    (_, __, row) => {
      expect(verdictOf(row, null).kind).toBe('deny')
    },
  )

  test('the corpus of what only reads is large', () => {
    expect(new Set(reading.map(titleOf)).size).toBeGreaterThanOrEqual(250)
  })

  test.each(reading.map(it => [titleOf(it), it] as const))('allowed: %s', (_, row) => {
    expect(verdictOf(row, null)).toEqual({ kind: 'allow', reasons: [] })
  })
})

describe('once an intent is selected', () => {
  test('the corpora of what is not its own, and of what harms nobody, are large', () => {
    expect(new Set([...outOfScope, ...outOfScopeCommands, ...opaqueCommands].map(titleOf)).size).toBeGreaterThan(200)
    expect(new Set([...reading, ...allowedCalls].map(titleOf)).size).toBeGreaterThanOrEqual(200)
  })

  test.each([...outOfScope, ...outOfScopeCommands].map(it => [titleOf(it), it] as const))(
    'FR-014: denied: %s',
    (_, row) => {
      expect(verdictOf(row).kind).toBe('deny')
    },
  )

  test.each(opaqueCommands)('opaque: %s', command => {
    expect(readShell(command).kind).toBe('opaque')
  })

  test.each([...reading, ...allowedCalls].map(it => [titleOf(it), it] as const))('allowed: %s', (_, row) => {
    expect(verdictOf(row)).toEqual({ kind: 'allow', reasons: [] })
  })
})

const words: readonly Row[] = ['git commit --no-verify -m x', 'git -c core.hooksPath=x commit -m x'].flatMap(it => [
  ['claude', 'Monitor', { description: 'x', command: it }],
  ['claude', 'Bash', { command: 'ls', cmd: it }],
  ['codex', 'exec_command', { cmd: it, workdir: 7 }],
  ['codex', 'shell', { command: ['bash', '-lc', it] }],
  ['codex', 'shell', { command: it.split(' ') }],
  ['gemini', 'run_shell_command', { command: it }],
  ['copilot', 'bash', { command: it }],
  ['cursor', 'Shell', { command: it }],
  ['opencode', 'bash', { command: it, workdir: '~' }],
  ['cline', 'execute_command', { command: it }],
  ['cline', 'run_commands', { commands: ['ls', it] }],
  ['cline', 'run_commands', { commands: [{ command: 'git', args: it.split(' ').slice(1) }] }],
  ['roo', 'execute_command', { command: it, cwd: null }],
])

const placeless: readonly Row[] = [
  ['codex', 'Bash', { command: 'touch src/auth/a.ts' }],
  ['copilot', 'bash', { command: 'touch src/auth/a.ts' }],
  ['copilot', 'Bash', { command: 'cd src && touch auth/a.ts' }],
  ['cursor', 'Shell', { command: 'touch src/auth/a.ts' }],
  ['cursor', 'Shell', { command: 'touch src/auth/a.ts', working_directory: '' }],
  ['claude', 'PowerShell', { command: 'ls src/auth/a.ts | rm' }],
  ['claude', 'mcp__filesystem__read_text_file', { path: 'README.md' }],
  ['claude', 'mcp__serena__find_symbol', { relative_path: 'README.md' }],
  ['claude', 'mcp__sentry__get_issue', { source: 'README.md' }],
  ['copilot', 'files-get_file_contents', { path: 'x' }],
]

test.each(placeless.map(it => [titleOf(it), it] as const))(
  'trap: nobody says where it runs, so it is watched: %s',
  (_, row) => {
    expect(verdictOf(row)).toMatchObject({ kind: 'allow', reasons: [{ code: 'opaque-command' }] })
  },
)

test.each(words.map(it => [titleOf(it), it] as const))('denied in the words of every agent: %s', (_, row) => {
  expect(verdictOf(row).reasons[0]?.code).toBe('governance-off')
})

describe('what is easily taken for another command', () => {
  test.each([...deceivingCommands, ...deceivingForms])('%s: %s', (judged, command) => {
    expect(verdictOf(command, null).kind).toBe('deny')
    const { kind, reasons } = verdictOf(command)
    const [code = ''] = reasons.map(it => it.code)
    const isOpaque = kind === 'allow' && code === 'opaque-command'
    expect(isOpaque ? 'opaque' : kind === 'allow' ? 'allowed' : code === 'governance-off' ? 'off' : 'denied').toBe(
      judged,
    )
  })
})

test.each([...governanceOffCommands, ...hidingCommands])('denied by name, before and after: %s', command => {
  for (const verdict of [verdictOf(command), verdictOf(command, null)]) {
    expect(verdict.kind).toBe('deny')
    expect(verdict.reasons[0]?.code).toBe('governance-off')
  }
})

test('an agent that would start an intent by a command reads how it selects one, also without the server', () => {
  for (const command of ['kotef intent start INT-001', 'npx kotef-watch intent start INT-001 --agent x', 'make'])
    expect(verdictOf(command, null).reasons[0]?.hint).toMatch(/`select_active_intent`.* ask the user to connect/)
})

test.each<[Row]>([
  [['cline', 'execute_command', { command: 'touch a.txt', cwd: 'src/auth' }]],
  [['copilot', 'bash', { command: '(cd /w && touch /w/a.txt)', workdir: 'src/auth' }]],
  [['claude', 'Bash', { command: 'touch a.txt', workdir: 'src/auth' }]],
  [['claude', 'PowerShell', { command: 'git commit --no-verify' }]],
])('a folder that the tool does not read moves nothing, and PowerShell is heard: %j', row => {
  expect(verdictOf(row).kind).toBe('deny')
})

test('Copilot’s shell is not moved by a word that it does not know', () => {
  expect(callIn(['copilot', 'bash', { command: 'touch a.txt', workdir: 'src/auth' }]).targets).toEqual([
    { path: 'a.txt' },
  ])
})

describe('in Gemini CLI, whose commands run git without its hooks', () => {
  const inGemini = (command: string) => verdictOf(['gemini', 'run_shell_command', { command }])

  test.each([
    'git commit -m x',
    'git add src/a && git commit -m x',
    "bash -c 'git commit -m x'",
    'env -u OTHER git commit -m x',
    'env -u GIT_CONFIG_COUNT git add src/a && git commit -m x',
    'git push',
    'git merge topic',
    'git rebase main',
    'git cherry-pick topic',
  ])('denied, with the way on (solo C9): %s', command => {
    const { kind, reasons } = inGemini(command)
    expect(kind).toBe('deny')
    expect(reasons[0]).toMatchObject({
      code: 'governance-off',
      hint: expect.stringContaining('env -u GIT_CONFIG_COUNT -u GIT_CONFIG_GLOBAL') as string,
    })
  })

  test.each([
    'env -u GIT_CONFIG_COUNT git commit -m x',
    'git add src/a && env -u GIT_CONFIG_GLOBAL -u GIT_CONFIG_COUNT git commit -m x',
    'git add src/a',
    'git status',
    'git log --grep commit',
    'echo git commit',
  ])('allowed: %s', command => {
    expect(inGemini(command)).toEqual({ kind: 'allow', reasons: [] })
  })

  test('any other agent commits as ever', () => {
    expect(verdictOf(['claude', 'Bash', { command: 'git commit -m x' }])).toEqual({ kind: 'allow', reasons: [] })
  })
})
