import { expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { governedRepo } from '../../rig/governed-repo.ts'
import { copyGoverned } from '../../rig/hooked-repo.ts'
import { startLsp } from '../../rig/lsp-client.ts'
import { recordAgentWrite } from '../../rig/recorded-write.ts'

const BEFORE = 'const one = 1\n'
const ADDED = 'const two = 2\nconst three = 3\n'

/** A file with a line from before kotef, and two that an agent wrote for INT-001 and that are committed. */
const template = fixture(async () => {
  const repo = await governedRepo({ 'src/a.ts': BEFORE })
  await recordAgentWrite(repo, 'src/a.ts', { before: BEFORE, added: ADDED })
  await repo.write('src/a.ts', BEFORE + ADDED)
  await repo.git('add', '--all')
  await repo.git('commit', '--quiet', '-m', 'work', '-m', 'Intent-ID: INT-001')
  return repo
})

test('a hover has the intent, author, session and commit of a line, and how they are known', async () => {
  await using repo = await copyGoverned(template())
  await using editor = await startLsp(repo)
  await editor.open('src/a.ts', BEFORE + ADDED)
  const commit = (await repo.git('rev-parse', '--short=10', 'HEAD')).trim()
  expect((await editor.hover('src/a.ts', 2))?.split('  \n')).toEqual([
    '**Intent** INT-001, the work',
    '**Author** ai maker/robot (claimed)',
    '**Session** s',
    expect.stringMatching(`^\\*\\*Commit\\*\\* ${commit} by `),
    expect.stringMatching(/^\*\*Known by\*\* (the note on the commit|the same content in the ledger or in a note)$/),
  ])
})

test('a line that is not saved says so, and the saved lines around it keep their authors', async () => {
  await using repo = await copyGoverned(template())
  await using editor = await startLsp(repo)
  await editor.open('src/a.ts', BEFORE + ADDED)
  await editor.change('src/a.ts', `// new\n${BEFORE}const two = 2\n// new\nconst three = 3\n`)
  expect(await editor.hover('src/a.ts', 1)).toContain('**Not saved**')
  expect(await editor.hover('src/a.ts', 3)).toContain('ai maker/robot')
  expect(await editor.hover('src/a.ts', 4)).toContain('**Not saved**')
  expect(await editor.hover('src/a.ts', 5)).toContain('ai maker/robot')
  expect(await editor.hover('src/a.ts', 6)).toBeNull()
})

test('a hover follows the commits and the file on disk', async () => {
  await using repo = await copyGoverned(template())
  await using editor = await startLsp(repo)
  const text = `${BEFORE}${ADDED}// by a person\n`
  await editor.open('src/a.ts', BEFORE + ADDED)
  await editor.hover('src/a.ts', 1)
  await repo.write('src/a.ts', text)
  await editor.change('src/a.ts', text)
  expect(await editor.hover('src/a.ts', 4)).toContain('**Commit** none yet')
  await repo.git('commit', '--quiet', '--all', '-m', 'more', '-m', 'Intent-ID: INT-001')
  const commit = (await repo.git('rev-parse', '--short=10', 'HEAD')).trim()
  expect(await editor.hover('src/a.ts', 4)).toContain(`**Commit** ${commit}`)
})

test('a client without Markdown gets plain text', async () => {
  await using repo = await copyGoverned(template())
  await using editor = await startLsp(repo, { capabilities: {} })
  await editor.open('src/a.ts', BEFORE + ADDED)
  expect(await editor.hover('src/a.ts', 2)).toContain('Intent: INT-001, the work\nAuthor: ai maker/robot')
})

test('one code lens has intent and authors of the file, and each block has one where it is wanted', async () => {
  await using repo = await copyGoverned(template())
  await using editor = await startLsp(repo)
  await editor.open('src/a.ts', BEFORE + ADDED)
  const title = (text: string) => ({ command: { title: text } })
  expect(await editor.lenses('src/a.ts')).toMatchObject([title('INT-001 the work · robot 67%, Ada Author? 33%')])
  await using other = await startLsp(repo, { initializationOptions: { blockLenses: true } })
  await other.open('src/a.ts', `// new\n${BEFORE}${ADDED}`)
  const lenses = await other.lenses('src/a.ts')
  expect(lenses.map(it => it.range.start.line)).toEqual([0, 1, 2])
})

test('the name of an intent is shown as text, whatever is in it', async () => {
  const repo = await governedRepo({ 'src/a.ts': BEFORE })
  const name = '<script>alert(1)</script> `x` [here](https://example.org) $(trash)'
  await repo.kotef('intent', 'add', '--id', 'INT-009', '--name', name, '--scope', 'src/**')
  await repo.git('add', '--all')
  await repo.git('commit', '--quiet', '-m', 'intent', '-m', 'Governance: an intent')
  await repo.write('src/a.ts', `${BEFORE}more\n`)
  await repo.git('commit', '--quiet', '--all', '-m', 'work', '-m', 'Intent-ID: INT-009')
  await using editor = await startLsp(repo)
  await editor.open('src/a.ts', `${BEFORE}more\n`)
  const shown = String.raw`\<script\>alert(1)\</script\> \`x\` \[here\](https\://example.org) \$(trash)`
  expect(await editor.hover('src/a.ts', 2)).toContain(`**Intent** INT-009, ${shown}`)
  expect((await editor.lenses('src/a.ts'))[0]?.command?.title).toContain(String.raw`\$(trash)`)
})
