import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { fixture } from '../rig/fixture.ts'
import { hookedRepo } from '../rig/hooked-repo.ts'
import { startAtTerminal } from '../rig/terminal.ts'

const repo = fixture(hookedRepo)

/** What a command line prints at a terminal. */
async function atTerminal(words: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  await using program = startAtTerminal(repo(), words, env)
  await program.ended
  return `${program.lines.join('\n')}\n`
}

test.each([
  ['blame', ['blame', 'src/a.ts']],
  ['log', ['log']],
  ['trace', ['trace']],
  ['show', ['show', 'INT-001']],
  ['stats', ['stats']],
  ['why', ['why', 'src/a.ts:1']],
])('%s at a terminal: colours, none of which carries a meaning of its own (solo, reading)', async (_, words) => {
  const plain = (await repo().kotef(...words)).stdout
  const shown = await atTerminal(words, { GIT_PAGER: 'cat', TERM: 'xterm' })
  expect(stripVTControlCharacters(shown).replaceAll('\r', '')).toBe(plain)
  expect((await atTerminal(words, { GIT_PAGER: 'cat', NO_COLOR: '1' })).replaceAll('\r', '')).toBe(plain)
})

test('colours are there at a terminal, and not in a pipe (solo, reading)', async () => {
  expect(await atTerminal(['log'], { GIT_PAGER: 'cat', TERM: 'xterm' })).toContain('\u001b[33m')
  expect((await repo().kotef('log')).stdout).not.toContain('\u001b')
})

test.each([
  ['GIT_PAGER', { GIT_PAGER: 'sed s/^/paged:/', PAGER: 'cat' }],
  ['core.pager', { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.pager', GIT_CONFIG_VALUE_0: 'sed s/^/paged:/' }],
  ['PAGER', { PAGER: 'sed s/^/paged:/' }],
])('the pager is that of git: %s (solo, reading)', async (_, env) => {
  const shown = stripVTControlCharacters(await atTerminal(['log'], { TERM: 'xterm', ...env }))
  expect(shown).toMatch(/^paged:[0-9a-f]{10} /)
})

test('a pager that is not there costs nobody the answer (solo, reading)', async () => {
  expect(await atTerminal(['log'], { GIT_PAGER: 'no-such-pager-anywhere', NO_COLOR: '1' })).toContain('adopt kotef')
})
