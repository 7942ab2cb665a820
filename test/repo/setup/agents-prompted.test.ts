import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { runCli } from '../../rig/command-line.ts'
import { folderContents, freshRepo } from '../../rig/installation.ts'
import { copyRepo } from '../../rig/repo.ts'
import type { RunningProgram } from '../../rig/running-program.ts'
import { startAtTerminal } from '../../rig/terminal.ts'

const ENTER = '\r'
const DOWN = '\x1b[B'
const CTRL_C = '\x03'

/** The questions of init in a new repository with a README, in their order. */
const QUESTIONS = {
  govern: /Govern .* with kotef/,
  mode: /What happens when a commit/,
  agents: /Which agents work here/,
  work: /What is the first piece of work/,
  scope: /Which paths may it change/,
  chores: /Add a standing intent/,
  commit: /Commit what is written as "adopt kotef"/,
}

type Answers = Readonly<Partial<Record<keyof typeof QUESTIONS, string>>>

/** Answers the questions of init, each by Enter alone unless there is another answer. */
async function answerInit(
  terminal: RunningProgram,
  answers: Answers,
  questions = Object.keys(QUESTIONS),
): Promise<void> {
  for (const key of questions as (keyof typeof QUESTIONS)[]) {
    await terminal.line(QUESTIONS[key])
    terminal.type(answers[key] ?? ENTER)
  }
}

async function endOf(terminal: RunningProgram) {
  const { code } = await terminal.ended
  // oxlint-disable-next-line no-control-regex
  return { code, output: terminal.lines.join('\n').replace(/\u001B\[\d+m/g, '') }
}

const FILES = { 'README.md': 'Read me\n', 'package.json': '{}\n', 'package-lock.json': '{}\n', 'app/a.ts': 'a\n' }

test('init at a terminal is one dialogue, which ends with a started intent and an adoption commit', async () => {
  await using repo = await freshRepo(FILES)
  await repo.write('mine.txt', 'staged\n')
  await repo.git('add', 'mine.txt')
  await using terminal = startAtTerminal(repo, ['init'])
  await answerInit(terminal, { mode: `${DOWN}${ENTER}`, work: `JWT migration${ENTER}` })
  const { code, output } = await endOf(terminal)
  expect([code, output]).toEqual([
    0,
    expect.stringMatching(/Committed 8 files as "adopt kotef"[^]*You started INT-001/),
  ])
  expect(output).not.toMatch(/Next:[^]*(intent|commit)/)
  const week = new Date(Date.now() + 7 * 24 * 60 * 60 * 1_000).toISOString().slice(0, 10)
  const config = await repo.read('.orchestration/config.yaml')
  expect(config).toContain(`\nenforce: warn\nblock_from: ${week}\n`)
  expect(config).toMatch(/\nrides:\s+(?:- |\[ ?)package-lock\.json/)
  expect((await runCli(repo, 'intent', 'list')).json).toMatchObject({
    intents: [
      { id: 'INT-001', name: 'JWT migration', status: 'IN_PROGRESS', owned_scope: ['app/**'] },
      { id: 'CHORE-001', standing: true, owned_scope: ['README*', 'package.json'] },
    ],
  })
  expect(await repo.git('log', '-1', '--format=%s|%(trailers:key=Governance,valueonly)')).toMatch(
    /^adopt kotef\|adopt kotef/,
  )
  expect(await repo.git('status', '--porcelain')).toBe('A  mine.txt\n')
  // The first governed commit needs nothing more.
  await repo.write('app/a.ts', 'b\n')
  await repo.git('commit', '-qm', 'first work', 'app/a.ts')
  expect(await repo.git('log', '-1', '--format=%(trailers:key=Intent-ID,valueonly)')).toMatch(/^INT-001/)
})

test('answers of init that say "later" leave the steps to the person, and print them', async () => {
  await using repo = await freshRepo(FILES)
  await using terminal = startAtTerminal(repo, ['init'])
  await answerInit(terminal, { chores: 'n', commit: 'n' }, ['govern', 'mode', 'agents', 'work', 'chores', 'commit'])
  const { code, output } = await endOf(terminal)
  expect([code, output]).toEqual([
    0,
    expect.stringMatching(/Next:[^]*intent add[^]*git commit -m "adopt kotef"[^]*intent start/),
  ])
  expect((await runCli(repo, 'intent', 'list')).json).toEqual({ intents: [] })
  expect(await repo.git('log', '--format=%s')).toBe('first\n')
  expect(await repo.read('.orchestration/config.yaml')).not.toMatch(/^enforce:/m)
})

test('a malformed glob is said where it is typed, and an adoption that git refuses leaves the index', async () => {
  await using repo = await freshRepo(FILES)
  await repo.write('.git/hooks/pre-commit', '#!/bin/sh\necho the tests fail >&2\nexit 1\n', 0o755)
  await using terminal = startAtTerminal(repo, ['init', '--agent', 'claude'])
  await answerInit(terminal, {}, ['govern', 'mode'])
  await answerInit(terminal, { work: `x${ENTER}`, scope: ` ../lib${ENTER}` }, ['work', 'scope'])
  await terminal.line(/\.\.\/lib|leads out|outside|must/)
  terminal.type(`${'\x7f'.repeat(7)}${ENTER}`)
  await answerInit(terminal, {}, ['chores', 'commit'])
  const { code, output } = await endOf(terminal)
  expect([code, output]).toEqual([0, expect.stringContaining('the tests fail')])
  expect(output).toMatch(/Next:[^]*git commit -m "adopt kotef"/)
  expect(await repo.git('diff', '--cached', '--name-only')).toBe('')
})

test('init --yes writes what a terminal would have been offered; without a word it prints the command', async () => {
  await using repo = await freshRepo({ 'README.md': 'Read me\n' })
  const copy = copyRepo(repo)
  expect((await runCli(repo, 'init', '--hooks', 'git')).text).toContain(
    "`kotef intent add --standing --name chores --scope 'README*'`",
  )
  expect((await runCli(repo, 'intent', 'list')).json).toEqual({ intents: [] })
  expect((await runCli(copy, 'init', '--yes', '--hooks', 'git')).text).toContain('Added CHORE-001')
})

test('the scope that init proposes for chores has the spelling of the files: scopes are case-sensitive', async () => {
  await using repo = await freshRepo({ 'Readme.md': 'Read me\n', license: 'MIT\n', 'CHANGELOG.md': 'none\n' })
  const { text } = await runCli(repo, 'init', '--hooks', 'git')
  expect(text).toContain("--name chores --scope 'Readme*' --scope 'license*' --scope 'CHANGELOG*'`")
})

const fresh = fixture(() => freshRepo({ '.cursor/rules': '', 'GEMINI.md': 'mine\n' }))

const CURSOR_WITHOUT = `${DOWN.repeat(4)} ${ENTER}`

test.each([
  ['all that there are traces of', ENTER, ['.gemini/settings.json', '.cursor/hooks.json']],
  ['one of them', CURSOR_WITHOUT, ['.gemini/settings.json']],
])('init at a terminal has agents selected by their traces, and configures %s', async (_, keys, files) => {
  await using repo = copyRepo(fresh())
  await using terminal = startAtTerminal(repo, ['init'])
  await answerInit(terminal, { agents: keys }, ['govern', 'mode', 'agents', 'work', 'commit'])
  expect(await terminal.ended).toMatchObject({ code: 0 })
  const written = (await repo.git('show', '--name-only', '--format=')).match(
    /\.(gemini\/settings|cursor\/hooks)\.json/g,
  )
  expect(written?.sort()).toEqual([...files].sort())
})

test.each(Object.keys(QUESTIONS).map((it, n) => [it, n]))(
  'Ctrl-C at the question of init for %s leaves everything as it was, and is said by the exit code (look A1)',
  async (key, n) => {
    await using repo = await freshRepo({ 'README.md': 'Read me\n' })
    const before = await folderContents(repo.root)
    await using terminal = startAtTerminal(repo, ['init'])
    const answers = { work: `x${ENTER}`, [key]: CTRL_C }
    await answerInit(terminal, answers, Object.keys(QUESTIONS).slice(0, Number(n) + 1))
    await terminal.line(/Nothing was changed/)
    expect(await terminal.ended).toMatchObject({ code: 130 })
    expect(await folderContents(repo.root)).toEqual(before)
  },
)

test('an agent whose command is on the PATH is selected; without a terminal it is named (look A7)', async () => {
  await using repo = await freshRepo({ 'a.txt': 'a\n' })
  await repo.write('../bin/codex', '#!/bin/sh\n')
  const path = { PATH: `${join(repo.root, '../bin')}:${repo.env()['PATH']}` }
  const copy = copyRepo(repo)
  const { stdout } = await copy.run('kotef', ['init', '--yes', '--hooks', 'git'], { env: path })
  expect(stdout).toContain('Found codex. Configure it: `kotef init --agent codex`')
  await using terminal = startAtTerminal(repo, ['init'], path)
  await answerInit(terminal, {}, ['govern', 'mode', 'agents', 'work', 'commit'])
  expect(await terminal.ended).toMatchObject({ code: 0 })
  expect(await repo.read('.codex/hooks.json')).toContain('kotef')
})

test('where no agent is found, init says how one is made to ask for an intent', async () => {
  await using repo = await freshRepo({ 'a.txt': 'a\n' })
  expect((await runCli(repo, 'init', '--yes', '--hooks', 'git')).text).toContain('`kotef init --agent claude`')
})
