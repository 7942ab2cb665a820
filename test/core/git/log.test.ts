import { expect, test } from 'vitest'
import { commitLog } from '../../../src/core/git/log.ts'

const { parse } = commitLog({ limit: null, intent: null })
const commit = (intents: string, governance: string) => ['c1', 'date', 'date', 'A', 'subject', intents, governance]

test.each([
  ['none', '', []],
  ['one', 'INT-001', ['INT-001']],
  ['two, with spaces around them', ' INT-001 \x1FINT-002', ['INT-001', 'INT-002']],
  ['an empty value', 'INT-001\x1F \x1F', ['INT-001']],
])('the intents that a commit cites: %s', (_, text, intents) => {
  expect(parse(commit(text, '').join('\0'))[0]?.intents).toEqual(intents)
})

test('the first reason for a governance commit counts, and a commit without one is none', () => {
  expect(parse(commit('', 'one\x1Ftwo').join('\0'))[0]?.governance).toBe('one')
  expect(parse(commit('', '').join('\0'))[0]?.governance).toBe(null)
})

test('every commit is read, and a commit that is cut off is left out', () => {
  const fields = [1, 2, 3].flatMap(n => [`c${n}`, 'date', 'date', 'A', 'subject', '', ''])
  for (let length = 0; length <= fields.length; length++) {
    const commits = parse(fields.slice(0, length).join('\0')).map(it => it.commit)
    expect(commits, `${length} fields`).toEqual(['c1', 'c2', 'c3'].slice(0, Math.floor(length / 7)))
  }
})

test('a limit and an intent narrow what git is asked for; the intent is text, not a pattern', () => {
  const { args } = commitLog({ limit: 3, intent: 'A.*-1' })
  expect(args).toEqual(expect.arrayContaining(['--max-count=3', '--fixed-strings', '--grep=A.*-1']))
  const unlimited = commitLog({ limit: null, intent: null }).args.join(' ')
  expect(unlimited).not.toMatch(/--max-count|--grep/)
})
