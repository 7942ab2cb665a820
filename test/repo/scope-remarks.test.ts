import { expect, test } from 'vitest'
import { runCli } from '../rig/command-line.ts'
import { copyGoverned, hookedRepo } from '../rig/hooked-repo.ts'
import { fixture } from '../rig/fixture.ts'

const template = fixture(hookedRepo)

test('intent add says which globs match nothing, and who owns the same paths (solo C5, team P7)', async () => {
  await using repo = await copyGoverned(template())
  const words = ['intent', 'add', '--name', 'x', '--scope', 'scr/**', '--scope', 'src/a.ts']
  const { text, json } = await runCli(repo, ...words)
  expect(text).toContain('  No file matches scr/** yet.\n')
  expect(text).toContain('  INT-001 also owns 1 path of this scope, such as src/a.ts\n')
  expect(json).toMatchObject({ unmatched: ['scr/**'], overlaps: [{ intent: 'INT-001', paths: 1 }] })
})

test.each([
  ['scr/**, lib2/**', 'the comma is a part of the name. Give each glob a `--scope` of its own.'],
  ['scr/** lib2/**', 'the space is a part of the name. Give each glob a `--scope` of its own.'],
  ['#comment', 'here this is the name of a file, and neither a comment nor an owner.'],
  ['@team/x', 'here this is the name of a file, and neither a comment nor an owner.'],
  ['scr\\**', 'a backslash takes the meaning of the character after it. Folders have `/` between them.'],
  ['scr/{a,b}', null],
])('a scope in another form is said not to be read in it: %s (bugs F16)', async (glob, words) => {
  await using repo = await copyGoverned(template())
  const { text } = await runCli(repo, 'intent', 'add', '--name', 'x', '--scope', glob)
  expect(text).toContain(words === null ? 'No file matches scr/{a,b} yet.\n' : ` yet: ${words}\n`)
})

test('a scope that begins with a slash is refused with the form to write (bugs F16)', async () => {
  await using repo = await copyGoverned(template())
  const { failure } = await runCli(repo, 'intent', 'add', '--name', 'x', '--scope', '/src/auth/**')
  expect(failure?.message).toContain('expected a glob relative to the top of the repository: `src/auth/**`')
})

test('a file that is not tracked yet counts, an ignored one does not (solo C5)', async () => {
  await using repo = await copyGoverned(template())
  await repo.write('made/a.ts', '')
  await repo.write('.gitignore', 'build\n')
  await repo.write('build/a', '')
  const words = ['intent', 'add', '--name', 'x', '--scope', 'made/**', '--scope', 'build/**']
  expect((await runCli(repo, ...words)).json).toMatchObject({ unmatched: ['build/**'] })
})

test('intent edit says it of a new scope, and refuses to remove what is not there (solo C5)', async () => {
  await using repo = await copyGoverned(template())
  const edit = (...words: string[]) => runCli(repo, 'intent', 'edit', 'INT-001', ...words)
  expect((await edit('--add-scope', 'nope/**')).text).toContain('No file matches nope/** yet.')
  expect((await edit('--name', 'other')).text).not.toContain('No file matches')
  expect((await edit('--remove-scope', 'gone/**')).failure).toMatchObject({
    code: 'usage',
    message: 'gone/** is not in the scope of INT-001.',
    hint: 'Its scope is: src/** nope/**',
  })
})

test('scope prints the command that would give a path an owner (solo C6)', async () => {
  await using repo = await copyGoverned(template())
  expect((await runCli(repo, 'scope', 'lib/x.ts')).text.split('\n')).toEqual([
    'lib/x.ts',
    '  no owner: outside every intent',
    '  To change that, widen a scope: `kotef intent edit INT-001 --add-scope lib/x.ts --commit`',
  ])
})
