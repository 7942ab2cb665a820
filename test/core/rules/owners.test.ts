import { expect, test } from 'vitest'
import { sortChanges } from '../../../src/core/rules/commit-facts.ts'
import { ownersOf, trailersHint } from '../../../src/core/rules/owners.ts'
import { calmFacts, changesOf } from './commit-world.ts'

test.each<[string, string[], string, string[] | null]>([
  ['nothing', [], '', []],
  ['paths of one', ['docs/a', 'docs/b'], 'INT-002 or INT-003 owns docs/a and 1 more path', ['INT-002']],
  ['one that owns all is enough', ['docs/a', 'next/b'], '…', ['INT-003']],
  ['a path that has no owner', ['docs/a', '.husky/x'], '…; no intent owns .husky/x', null],
])('the owners of %s', (_, paths, words, trailers) => {
  const facts = { ...calmFacts, changes: changesOf(paths) }
  const owners = ownersOf(paths, facts, sortChanges(facts))
  expect(owners.trailers).toEqual(trailers)
  for (const part of words.split('…')) expect(owners.words).toContain(part)
})

test('the trailers of a made commit are words, and of a refused one a command with its own message', () => {
  expect(trailersHint(['INT-001'], null)).toBe('Add the trailer `Intent-ID: INT-001`')
  expect(trailersHint(['INT-001', 'INT-002'], null)).toContain('trailers `Intent-ID: INT-001` and `Intent-ID: INT-002`')
  const retry = { messageFile: '../a b/COMMIT_EDITMSG', editor: 've', words: ' -a' }
  expect(trailersHint(['INT-001'], retry)).toBe(
    "Commit it with `git commit -veF '../a b/COMMIT_EDITMSG' --trailer 'Intent-ID: INT-001' -a`",
  )
})
