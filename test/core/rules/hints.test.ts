import { expect, test } from 'vitest'
import {
  governanceHint,
  hintBelowTop,
  outOfScopeFinding,
  unstageHint,
  withRewriteHint,
} from '../../../src/core/rules/hints.ts'
import { judgePath } from '../../../src/core/intents/scope/judge-path.ts'
import { policy } from './commit-world.ts'

test.each([
  ['src/a.ts', 'src/a.ts'],
  ['-p', '-- -p'],
  ['a b', "'a b'"],
  ["it's", "'it'\\''s'"],
  ['a*', "':(literal)a*'"],
  [':x', "':(literal):x'"],
  ['[a]', "':(literal)[a]'"],
])('the command that unstages %j has it as the one word %s', (path, word) => {
  expect(unstageHint(path)).toContain(`\`git restore --staged ${word}\``)
})

test.each([
  [unstageHint('src/a.ts'), 'Unstage it: `git restore --staged :/src/a.ts`'],
  [unstageHint('-p'), 'Unstage it: `git restore --staged -- :/-p`'],
  [unstageHint('a b'), "Unstage it: `git restore --staged ':/a b'`"],
  [unstageHint('a*'), "Unstage it: `git restore --staged ':(top,literal)a*'`"],
  [unstageHint('a\nb'), 'Unstage it together with all other files: `git restore --staged :/`'],
  [
    governanceHint(['a/b', "it's"]),
    "Commit it alone: `git commit -m 'subject' -m 'Governance: why' -- :/a/b ':/it'\\''s'`",
  ],
  [
    "`git commit -F x --trailer 'Intent-ID: A-1' -- ':(top)a b'`",
    "`git commit -F x --trailer 'Intent-ID: A-1' -- ':(top)a b'`",
  ],
  [
    '`git add a b && kotef approve && git commit -m s -- a b`',
    '`git add :/a :/b && kotef approve && git commit -m s -- :/a :/b`',
  ],
  ['`kotef intent edit A-1 --add-scope a/b --commit`', '`kotef intent edit A-1 --add-scope a/b --commit`'],
])('%j, below the top of the worktree', (hint, expected) => {
  expect(hintBelowTop(hint)).toBe(expected)
})

test.each(['a\nb', 'a\u0007', 'a\ufffd'])('a path that no terminal takes, %j, is unstaged with all the rest', path => {
  expect(unstageHint(path)).toContain('`git restore --staged .`')
})

test.each<[string, string, string[], RegExp, RegExp]>([
  ['that nobody owns', 'lib/x', ['INT-001'], /outside intent INT-001; INT-003 owns it$/, /kotef intent start INT-003`/],
  ['of an intent in progress', 'docs/b', ['INT-006'], /INT-002 and INT-003 own it/, /`Intent-ID: INT-002`/],
  ['that the scope excludes', 'src/legacy/a', ['INT-001'], /INT-001 \(!src\/legacy\/\*\*\)/, /INT-003/],
  [
    'of a commit for two intents',
    'lib/x',
    ['INT-001', 'INT-002'],
    /outside intents INT-001 and INT-002; INT-003 owns it/,
    /INT-003/,
  ],
  ['of a commit for no intent', 'lib/x', [], /^lib\/x is owned by no open intent/, /INT-003/],
])('a path %s says who owns it, and the way out', (_, path, cited, message, hint) => {
  const finding = outOfScopeFinding(path, { policy, judge: judgePath(policy), cited })
  expect([finding.rule, finding.path]).toEqual(['in-scope', path])
  expect(finding.message).toMatch(message)
  expect(finding.hint).toMatch(hint)
})

test('an intent that is over owns nothing more: the way out is to unstage the path', () => {
  const over = { ...policy, intents: policy.intents.filter(it => it.id !== 'INT-003') }
  const finding = outOfScopeFinding('old/c', { policy: over, judge: judgePath(over), cited: ['INT-001'] })
  expect(finding.message).toBe('old/c is outside intent INT-001')
  expect(finding.hint).toContain('`git restore --staged old/c`')
})

test('a path of a standing intent gets its trailer: no session starts that intent', () => {
  const chores = { ...policy, intents: policy.intents.filter(it => it.id !== 'INT-003') }
  const finding = outOfScopeFinding('README.md', { policy: chores, judge: judgePath(chores), cited: ['INT-001'] })
  expect(finding.hint).toBe('Commit it with the trailer `Intent-ID: CHORE-1`')
  const reversed = { ...policy, intents: policy.intents.toReversed() }
  const both = outOfScopeFinding('README.md', { policy: reversed, judge: judgePath(reversed), cited: ['INT-001'] })
  expect(both.hint).toContain('`kotef intent start INT-003`')
})

test.each([
  [null, '. Governance files alone need the trailer `Governance: why`'],
  ['why', ''],
])('a commit of governance files with the reason %j can be repaired so', (governance, more) => {
  const finding = { rule: 'governance-alone', level: 'block', path: 'p', message: 'm', hint: 'h' } as const
  expect(withRewriteHint(finding, { oid: 'c', parents: ['b'], governance }).hint).toBe(
    `Drop or change that commit: \`git rebase --interactive c^\`${more}`,
  )
})
