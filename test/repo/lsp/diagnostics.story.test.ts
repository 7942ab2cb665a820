import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import type { Diagnostic } from 'vscode-languageserver/node'
import { fixture } from '../../rig/fixture.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { startLsp } from '../../rig/lsp-client.ts'
import { packedKotef } from '../../rig/packed-kotef.ts'

const template = fixture(hookedRepo)
const some = (all: readonly unknown[]) => all.length > 0
// A server of the protocol may also send a message as Markdown; kotef does not.
const textOf = (it: Diagnostic | undefined) => (typeof it?.message === 'string' ? it.message : '')
const none = (all: readonly unknown[]) => all.length === 0

test('a file outside the scope has one diagnostic at its first line, in the words of the refused commit', async () => {
  await using repo = await copyGoverned(template())
  await using editor = await startLsp(repo)
  await editor.open('lib/x.ts', 'x 🙂\nmore\n')
  const all = await editor.diagnostics('lib/x.ts', some)
  await repo.write('lib/x.ts', 'changed\n')
  await repo.git('add', 'lib/x.ts')
  const { stderr } = await repo.run('git', ['commit', '-m', 'work', '-m', 'Intent-ID: INT-001'])
  expect(all).toMatchObject([
    {
      range: { start: { line: 0, character: 0 }, end: { line: 0, character: 4 } },
      severity: 1,
      code: 'in-scope',
      source: 'kotef',
    },
  ])
  for (const line of textOf(all[0]).split('\n')) expect(stderr).toContain(line)
})

test('a file outside the scope has a hint while it is as in HEAD, and an error when it is changed', async () => {
  await using repo = await copyGoverned(template())
  const severities = { hint: 4, error: 1 }
  const hasSeverity = (wanted: keyof typeof severities) => (all: readonly Diagnostic[]) =>
    all[0]?.severity === severities[wanted]
  await using editor = await startLsp(repo)
  const text = await repo.read('lib/x.ts')
  await editor.open('lib/x.ts', text)
  const [hint] = await editor.diagnostics('lib/x.ts', hasSeverity('hint'))
  expect(textOf(hint)).toContain('lib/x.ts is outside intent INT-001')
  await editor.change('lib/x.ts', `${text}more\n`)
  await editor.diagnostics('lib/x.ts', hasSeverity('error'))
  await editor.change('lib/x.ts', text)
  await editor.diagnostics('lib/x.ts', hasSeverity('hint'))
  await repo.write('lib/new.ts', 'new\n')
  await editor.open('lib/new.ts', 'new\n')
  await editor.diagnostics('lib/new.ts', hasSeverity('error'))
})

test('a saved change outside the scope is an error until a commit has it', async () => {
  await using repo = await copyGoverned(template())
  await repo.write('lib/x.ts', 'saved\n')
  await using editor = await startLsp(repo)
  await editor.open('lib/x.ts', 'saved\n')
  await editor.diagnostics('lib/x.ts', ([first]) => first?.severity === 1)
  await repo.git('commit', '--quiet', '--no-verify', '-am', 'work')
  await editor.diagnostics('lib/x.ts', ([first]) => first?.severity === 4)
})

test('its command can be pasted where kotef is a dependency of the project alone', async () => {
  await using repo = await copyGoverned(template())
  const main = join(packedKotef().root, 'dist/main.cjs')
  await repo.write('node_modules/.bin/kotef', `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`, 0o755)
  const [, ...others] = repo.env()['PATH']?.split(delimiter) ?? []
  await using editor = await startLsp(repo, {
    env: { PATH: [join(repo.root, 'node_modules/.bin'), ...others].join(delimiter) },
  })
  await editor.open('lib/x.ts', 'x\n')
  expect(textOf((await editor.diagnostics('lib/x.ts', some))[0])).toContain('`npx kotef-watch intent edit')
})

test('a file in the scope, an ignored one and one outside of the repository have none', async () => {
  await using repo = await copyGoverned(template())
  await repo.write('.gitignore', 'dist/\n')
  await using editor = await startLsp(repo)
  await editor.open('src/a.ts', 'a\n')
  await editor.open('dist/out.js', 'a\n')
  await editor.open(`${repo.base}/elsewhere.txt`, 'a\n')
  await editor.open('.git/COMMIT_EDITMSG', 'a\n')
  // Git is asked twice about the ignored file, and once about each of these.
  for (const it of ['lib/x.ts', 'lib/y.ts', 'lib/z.ts']) {
    await editor.open(it, 'x\n')
    await editor.diagnostics(it, some)
  }
  const quiet = ['src/a.ts', 'dist/out.js', `${repo.base}/elsewhere.txt`, '.git/COMMIT_EDITMSG']
  expect(quiet.map(it => editor.published(it))).toEqual([0, 0, 0, 0])
  expect(await editor.hover(`${repo.base}/elsewhere.txt`, 1)).toBeNull()
})

test('a forbidden file and a governance file have theirs', async () => {
  await using repo = await copyGoverned(template())
  await repo.write('.intentignore', 'secrets/**\n')
  await repo.write('.sdd/KOTEF.md', '## Forbidden Paths\n\n- `vendor/**`\n')
  await using editor = await startLsp(repo)
  const files = { 'secrets/key': 'path-ignored', 'vendor/a.c': 'path-forbidden', '.intentignore': 'governance-alone' }
  for (const [path, code] of Object.entries(files)) {
    await editor.open(path, 'text\n')
    expect(await editor.diagnostics(path, some)).toMatchObject([{ code }])
  }
  expect(await editor.diagnostics('.intentignore', some)).toMatchObject([{ severity: 3 }])
})

test('without a selected intent only forbidden files have one, and a session that starts adds the others', async () => {
  await using repo = await copyGoverned(template())
  await repo.write('.intentignore', 'secrets/**\n')
  await repo.kotef('session', 'end')
  await using editor = await startLsp(repo)
  for (const path of ['lib/x.ts', '.intentignore', 'secrets/key']) await editor.open(path, 'x\n')
  await editor.diagnostics('secrets/key', some)
  expect([editor.published('lib/x.ts'), editor.published('.intentignore')]).toEqual([0, 0])
  await repo.kotef('intent', 'start', 'INT-002')
  const [diagnostic] = await editor.diagnostics('lib/x.ts', some)
  expect(diagnostic?.message).toContain('lib/x.ts is outside intent INT-002')
  await repo.kotef('session', 'end')
  await editor.diagnostics('lib/x.ts', none)
})

test('a change of the policy on disk changes the diagnostics of open files', async () => {
  await using repo = await copyGoverned(template())
  await using editor = await startLsp(repo)
  await editor.open('src/a.ts', 'a\n')
  await editor.open('lib/x.ts', 'x\n')
  await editor.diagnostics('lib/x.ts', some)
  await repo.write('.intentignore', 'src/**\n')
  await editor.diagnostics('src/a.ts', some)
  await repo.run('rm', ['.intentignore'])
  await editor.diagnostics('src/a.ts', none)
  const { code } = await repo.kotef('intent', 'edit', 'INT-001', '--add-scope', 'lib/**', '--commit')
  expect(code).toBe(0)
  await editor.diagnostics('lib/x.ts', none)
})

test('the folder of the project policy may come after the server has started', async () => {
  await using repo = await copyGoverned(template())
  await repo.run('rm', ['-rf', '.sdd'])
  await using editor = await startLsp(repo)
  await editor.open('src/a.ts', 'a\n')
  await editor.open('lib/x.ts', 'x\n')
  await editor.diagnostics('lib/x.ts', some)
  await repo.write('.sdd/KOTEF.md', '## Forbidden Paths\n\n- `src/a.ts`\n')
  expect(await editor.diagnostics('src/a.ts', some)).toMatchObject([{ code: 'path-forbidden' }])
  await repo.write('.sdd/KOTEF.md', '## Forbidden Paths\n')
  await editor.diagnostics('src/a.ts', none)
})

test('the diagnostic follows the first line, and goes when the file is closed', async () => {
  await using repo = await copyGoverned(template())
  await using editor = await startLsp(repo)
  await editor.open('lib/x.ts', 'x\n')
  await editor.diagnostics('lib/x.ts', some)
  await editor.change('lib/x.ts', 'longer\r\n')
  await editor.diagnostics('lib/x.ts', ([first]) => first?.range.end.character === 6)
  const before = editor.published('lib/x.ts')
  await editor.change('lib/x.ts', 'longer\r\nmore\n')
  await editor.close('lib/x.ts')
  await editor.diagnostics('lib/x.ts', none)
  expect(editor.published('lib/x.ts')).toBe(before + 1)
})

test('spaces and other characters in a path are no obstacle', async () => {
  await using repo = await copyGoverned(template())
  await using editor = await startLsp(repo)
  const path = 'lib/Über uns/a [1] #%?.ts'
  await editor.open(path, 'x\n')
  const [diagnostic] = await editor.diagnostics(path, some)
  expect(diagnostic?.message).toContain(`${path} is outside intent INT-001`)
})

test('each linked worktree and each workspace folder is judged by its own session', async () => {
  await using repo = await copyGoverned(template())
  const other = `${repo.base}/other tree`
  await repo.git('worktree', 'add', '--quiet', other, '-b', 'other')
  await repo.run('kotef', ['intent', 'start', 'INT-002'], { cwd: other })
  await using editor = await startLsp(repo, { folders: [repo.root, other] })
  const files = ['docs/b.md', `${other}/src/a.ts`]
  for (const it of files) await editor.open(it, 'x\n')
  const found = await Promise.all(files.map(it => editor.diagnostics(it, some)))
  expect(found.map(it => textOf(it[0]).split(';')[0])).toEqual([
    'docs/b.md is outside intent INT-001',
    'src/a.ts is outside intent INT-002',
  ])
})

test('a worktree outside of the workspace folders is served once its folder is added', async () => {
  await using repo = await copyGoverned(template())
  const other = `${repo.base}/other`
  await repo.git('worktree', 'add', '--quiet', other, '-b', 'other')
  await repo.run('kotef', ['intent', 'start', 'INT-002'], { cwd: other })
  await using editor = await startLsp(repo)
  await editor.open(`${other}/src/a.ts`, 'x\n')
  await editor.open('lib/x.ts', 'x\n')
  await editor.diagnostics('lib/x.ts', some)
  expect(editor.published(`${other}/src/a.ts`)).toBe(0)
  const folder = { uri: new URL(`file://${other}`).href, name: 'other' }
  const event = { added: [folder], removed: [] }
  await editor.connection.sendNotification('workspace/didChangeWorkspaceFolders', { event })
  await editor.diagnostics(`${other}/src/a.ts`, some)
})
