import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packedKotef, repositoryRoot } from '../rig/packed-kotef.ts'
import { temporaryRepo } from '../rig/repo.ts'
import { startCommandAtTerminal } from '../rig/terminal.ts'

const README = readFileSync(join(repositoryRoot, 'README.md'), 'utf8')
const [, FIRST_COMMANDS = ''] = /```sh\n([^]*?)\n```/.exec(README) ?? []

const ENTER = '\r'

// The questions that need more than Enter.
const ANSWERS: readonly (readonly [question: RegExp, answer: string])[] = [
  [/Govern .* with kotef/, ENTER],
  [/What happens when a commit/, ENTER],
  [/Which agents work here/, ENTER],
  [/What is the first piece of work/, `JWT migration${ENTER}`],
  [/Which paths may it change/, ENTER],
  [/Add a standing intent/, ENTER],
  [/Commit what is written/, ENTER],
]

test('the first commands of the README run as they stand, and the first work after them (solo A12)', async () => {
  const dependency = JSON.stringify({ devDependencies: { 'kotef-watch': `file:${packedKotef().tarball}` } })
  await using repo = await temporaryRepo({ 'package.json': dependency, '.gitignore': 'node_modules\n' })
  const env = { HOME: process.env['KOTEF_TEST_HOME'] ?? '', npm_config_prefer_offline: 'true' }
  expect(FIRST_COMMANDS.split('\n')).toHaveLength(2)
  await using terminal = startCommandAtTerminal(repo, `set -e\n${FIRST_COMMANDS}`, env)
  for (const [question, answer] of ANSWERS) {
    await terminal.line(question)
    terminal.type(answer)
  }
  expect([(await terminal.ended).code, terminal.lines.join('\n')]).toEqual([0, expect.stringContaining('Committed')])
  const adoption = await repo.run('git', ['log', '-1', '--format=%B'])
  expect([README, adoption.stdout]).toEqual(Array(2).fill(expect.stringContaining('Governance: adopt kotef')))
  const work = `mkdir -p src lib; echo a >src/a; git add -A; git commit -qm work
    git log -1 --format=%B; echo b >lib/b; git add lib; ! git commit -qm stray`
  const worked = await repo.run('sh', ['-ec', work], { env })
  expect([worked.code, worked.stdout]).toEqual([
    0,
    expect.stringMatching(/Intent-ID: (?:CHORE|INT)-001\nIntent-ID: (?:CHORE|INT)-001\n/),
  ])
  expect(worked.stderr).toContain('lib/b is outside intent INT-001')
})
