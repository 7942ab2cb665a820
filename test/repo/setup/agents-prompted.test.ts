import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { runCli } from '../../rig/command-line.ts'
import { folderContents, freshRepo } from '../../rig/installation.ts'
import { copyRepo } from '../../rig/repo.ts'
import { startAtTerminal } from '../../rig/terminal.ts'

const DOWN = '\x1b[B'

test('init at a terminal asks what becomes of a broken rule, and offers an intent for chores (solo A14)', async () => {
  await using repo = await freshRepo({ 'README.md': 'Read me\n', 'package.json': '{}\n', 'package-lock.json': '{}\n' })
  await using terminal = startAtTerminal(repo, ['init'])
  await terminal.line(/Govern .* with kotef/)
  terminal.type(ENTER)
  await terminal.line(/What happens when a commit breaks a rule/)
  await terminal.line(/observe/)
  terminal.type(`${DOWN}${ENTER}`)
  await terminal.line(/Which agents work here/)
  await terminal.line(/cline/)
  terminal.type(ENTER)
  await terminal.line(/Add a standing intent.*README\*, package.json/)
  terminal.type(ENTER)
  expect(await terminal.ended).toMatchObject({ code: 0 })
  const config = await repo.read('.orchestration/config.yaml')
  expect(config).toContain('\nenforce: warn\n')
  expect(config).toMatch(/\nrides:\s+(?:- |\[ ?)package-lock\.json/)
  expect((await runCli(repo, 'intent', 'list')).json).toMatchObject({
    intents: [{ id: 'CHORE-001', standing: true, owned_scope: ['README*', 'package.json'] }],
  })
})

test('init without a terminal adds none, and prints the command that does', async () => {
  await using repo = await freshRepo({ 'README.md': 'Read me\n' })
  const { text } = await runCli(repo, 'init', '--yes', '--hooks', 'git')
  expect(text).toContain("`kotef intent add --standing --name chores --scope 'README*'`")
  expect((await runCli(repo, 'intent', 'list')).json).toEqual({ intents: [] })
})

test('the scope that init proposes for chores has the spelling of the files: scopes are case-sensitive', async () => {
  await using repo = await freshRepo({ 'Readme.md': 'Read me\n', license: 'MIT\n', 'CHANGELOG.md': 'none\n' })
  const { text } = await runCli(repo, 'init', '--yes', '--hooks', 'git')
  expect(text).toContain("--name chores --scope 'Readme*' --scope 'license*' --scope 'CHANGELOG*'`")
})

const fresh = fixture(() => freshRepo({ '.cursor/rules': '', 'GEMINI.md': 'mine\n' }))

const ENTER = '\r'
const CURSOR_WITHOUT = `${DOWN.repeat(4)} ${ENTER}`
const CTRL_C = '\x03'

test.each([
  ['all that there are traces of', ENTER, ['.gemini/settings.json', '.cursor/hooks.json']],
  ['one of them', CURSOR_WITHOUT, ['.gemini/settings.json']],
])('init at a terminal has agents selected by their traces, and configures %s', async (_, keys, files) => {
  await using repo = copyRepo(fresh())
  await using terminal = startAtTerminal(repo, ['init'])
  await terminal.line(/Govern .* with kotef/)
  terminal.type(ENTER)
  await terminal.line(/What happens when a commit breaks a rule/)
  await terminal.line(/observe/)
  terminal.type(ENTER)
  await terminal.line(/Which agents work here/)
  await terminal.line(/cline/)
  terminal.type(keys)
  expect(await terminal.ended).toMatchObject({ code: 0 })
  const written = (await repo.git('status', '--porcelain', '-uall')).match(/\.(gemini\/settings|cursor\/hooks)\.json/g)
  expect(written?.sort()).toEqual([...files].sort())
})

const QUESTIONS = [
  /Govern .* with kotef/,
  /What happens when a commit/,
  /Which agents work here/,
  /Add a standing intent/,
]

test.each(QUESTIONS.map((it, n) => [n + 1, it]))(
  'Ctrl-C at question %s of init leaves everything as it was, and is said by the exit code (look A1)',
  async n => {
    await using repo = await freshRepo({ 'README.md': 'Read me\n' })
    const before = await folderContents(repo.root)
    await using terminal = startAtTerminal(repo, ['init'])
    for (const [at, question] of QUESTIONS.slice(0, n as number).entries()) {
      await terminal.line(question)
      terminal.type(at + 1 === n ? CTRL_C : ENTER)
    }
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
  for (const question of QUESTIONS.slice(0, 3)) {
    await terminal.line(question)
    terminal.type(ENTER)
  }
  expect(await terminal.ended).toMatchObject({ code: 0 })
  expect(await repo.read('.codex/hooks.json')).toContain('kotef')
})

test('where no agent is found, init says how one is made to ask for an intent', async () => {
  await using repo = await freshRepo({ 'a.txt': 'a\n' })
  expect((await runCli(repo, 'init', '--yes', '--hooks', 'git')).text).toContain('`kotef init --agent claude`')
})
