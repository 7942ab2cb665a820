import { expect, test } from 'vitest'
import { withoutBotFindings } from '../../../src/core/rules/bots.ts'
import type { Finding } from '../../../src/core/base/finding.ts'
import { changesOf } from './commit-world.ts'

const findingOf = (rule: string): Finding => ({ rule, level: 'block', path: null, message: 'm', hint: 'h' })
const bots = [{ email: 'Bot@x.org', paths: ['package.json', 'deps/**'] }]

test.each([
  ['its own paths', 'bot@X.org', ['package.json', 'deps/a'], ['path-forbidden']],
  ['another path besides', 'bot@x.org', ['package.json', 'src/a'], ['in-scope', 'intent-named', 'path-forbidden']],
  ['no path', 'bot@x.org', [], ['in-scope', 'intent-named', 'path-forbidden']],
  ['the paths of the bot, by a person', 'a@x.org', ['package.json'], ['in-scope', 'intent-named', 'path-forbidden']],
])('a bot needs no intent for %s, but every other rule holds', (_, author, paths, expected) => {
  const findings = ['in-scope', 'intent-named', 'path-forbidden'].map(findingOf)
  expect(withoutBotFindings(findings, { author, changes: changesOf(paths) }, bots).map(it => it.rule)).toEqual(expected)
})
