import { expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { runCli } from '../../rig/command-line.ts'
import { freshRepo } from '../../rig/installation.ts'
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
const NEXT_WITHOUT = '\x1b[B \r'

test.each([
  ['all that there are traces of', ENTER, ['.gemini/settings.json', '.cursor/hooks.json']],
  ['one of them', NEXT_WITHOUT, ['.gemini/settings.json']],
])('init at a terminal offers agents by their traces, and configures %s', async (_, keys, files) => {
  await using repo = copyRepo(fresh())
  await using terminal = startAtTerminal(repo, ['init'])
  await terminal.line(/Govern .* with kotef/)
  terminal.type(ENTER)
  await terminal.line(/What happens when a commit breaks a rule/)
  await terminal.line(/observe/)
  terminal.type(ENTER)
  await terminal.line(/Found these agents/)
  await terminal.line(/cursor/)
  terminal.type(keys)
  expect(await terminal.ended).toMatchObject({ code: 0 })
  const written = (await repo.git('status', '--porcelain', '-uall')).match(/\.(gemini\/settings|cursor\/hooks)\.json/g)
  expect(written?.sort()).toEqual([...files].sort())
})
