import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { fixture } from '../rig/fixture.ts'
import { hookedRepo } from '../rig/hooked-repo.ts'
import { startCommandAtTerminal } from '../rig/terminal.ts'

const repo = fixture(hookedRepo)

/** What some commands print at a terminal of 60 columns. */
async function atTerminal(commands: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  await using program = startCommandAtTerminal(repo(), `stty cols 60; ${commands}`, { TERM: 'xterm', ...env })
  await program.ended
  return `${program.lines.join('\n').replaceAll('\r', '')}\n`
}

const RED = '\u001B[31m'

async function stageOutside(path: string): Promise<void> {
  await repo().write(path, 'x\n')
  await repo().git('add', '--all')
}

test('the refusal of a commit is red at a terminal, and its command is whole (look B14)', async () => {
  await stageOutside('lib/y.ts')
  const shown = await atTerminal('git commit -qm x')
  expect(shown).toContain(`kotef: commit ${RED}stopped`)
  expect(shown).toContain(`  ${RED}block`)
  const lines = stripVTControlCharacters(shown).split('\n')
  expect(lines.filter(it => it.length > 60 && !it.includes('`'))).toEqual([])
  expect(lines).toContainEqual(expect.stringMatching(/^ *`[^`]+`\S*$/))
  for (const it of lines) expect(it.split('`').length % 2, it).toBe(1)
  const piped = (await repo().run('git', ['commit', '-qm', 'x'])).stderr
  expect(stripVTControlCharacters(shown).replace(/\s+/g, ' ')).toBe(piped.replace(/\s+/g, ' '))
  expect(piped).not.toContain('\u001B')
})

test.each([['NO_COLOR'], ['TERM']])('with %s set the refusal has no colour (look B14)', async name => {
  await stageOutside('lib/y.ts')
  const shown = await atTerminal('git commit -qm x', { [name]: name === 'TERM' ? 'dumb' : '1' })
  expect(shown).toContain('kotef: commit stopped')
  expect(shown).not.toContain('\u001B')
})

test('a path brings no sequence of its own to a terminal (look B14)', async () => {
  await stageOutside('lib/\u001B[32mok')
  expect(await atTerminal('git commit -qm x')).not.toContain('\u001B[32m')
  expect(await atTerminal("kotef scope 'lib/\u001B[35mok'")).not.toContain('\u001B[35m')
})

test.each([
  ['verify', 'verify HEAD~1..HEAD', `${RED}1 problem`],
  ['status', 'status', '\u001B[33mnot running'],
  ['doctor', 'doctor', '\u001B[32mok'],
  ['scope', 'scope src/a.ts', '\u001B[32mowns it'],
  ['intent list', 'intent list', '\u001B[36mINT-001'],
  ['session show', 'session show', '\u001B[36mINT-001'],
])('%s has colours at a terminal, and the same words (look B14)', async (_, verb, wanted) => {
  await stageOutside('lib/y.ts')
  await repo().run('git', ['commit', '-qm', 'outside'], { env: { KOTEF: '0' } })
  const shown = await atTerminal(`kotef ${verb}`)
  expect(shown).toContain(wanted)
  const words = (text: string): string => text.replace(/\s+/g, ' ').replace(/, (?:just now|[^,;]* ago)/g, '')
  expect(words(stripVTControlCharacters(shown))).toBe(words((await repo().kotef(...verb.split(' '))).stdout))
  expect(await atTerminal(`kotef ${verb}`, { NO_COLOR: '1' })).not.toContain('\u001B')
  expect(await atTerminal(`kotef ${verb} --json`)).toBe((await repo().kotef(...verb.split(' '), '--json')).stdout)
})
