import { expect, test } from 'vitest'
import { withoutBotFindings } from '../../../src/core/rules/bots.ts'
import type { Finding } from '../../../src/core/base/finding.ts'
import { changesOf } from './commit-world.ts'

const findingOf = (rule: string, path: string | null = null): Finding =>
  ({ rule, level: 'block', path, message: 'm', hint: 'h' }) as const
const bots = [{ email: 'Bot@x.org', paths: ['package.json', 'deps/**'] }]

test.each([
  ['its own paths', 'bot@X.org', ['package.json', 'deps/a'], ['path-forbidden']],
  ['another path besides', 'bot@x.org', ['package.json', 'src/a'], ['in-scope', 'intent-named', 'path-forbidden']],
  ['no path', 'bot@x.org', [], ['in-scope', 'intent-named', 'path-forbidden']],
  ['the paths of the bot, by a person', 'a@x.org', ['package.json'], ['in-scope', 'intent-named', 'path-forbidden']],
])('a bot needs no intent for %s, but every other rule holds', (_, author, paths, expected) => {
  const findings = ['in-scope', 'intent-named', 'path-forbidden'].map(it => findingOf(it))
  expect(withoutBotFindings(findings, { author, changes: changesOf(paths) }, bots).map(it => it.rule)).toEqual(expected)
})

// As a forge squashes what a bot and a person committed to one branch.
test.each([
  ['by the bot', { author: 'bot@x.org' }, ['src/a']],
  ['by the person', { author: 'a@x.org', coAuthors: ['Bot@x.org'] }, ['src/a']],
  ['by two persons', { author: 'a@x.org', coAuthors: ['b@x.org'] }, ['package.json', 'src/a']],
])('a squash %s needs an intent for the paths that are not the bot’s', (_, authors, expected) => {
  const paths = ['package.json', 'src/a']
  const findings = paths.map(it => findingOf('in-scope', it))
  expect(withoutBotFindings(findings, { ...authors, changes: changesOf(paths) }, bots).map(it => it.path)).toEqual(
    expected,
  )
})
