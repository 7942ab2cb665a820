import { expect, test } from 'vitest'
import { changesOwnRefs, isOwnRefsSetting } from '../../../../../src/core/agents/gate/shell/git-refs.ts'
import { argsOf } from './effects-fixture.ts'

test.each([
  ['git notes --re=kotef remove HEAD', true],
  ['git notes --ref x remove HEAD', false],
  ['git notes --reuse kotef', false],
  ['git notes add -m "about notes/review" HEAD', false],
  ["git fetch . '+refs/heads/*:refs/*'", true],
  ["git fetch . 'refs/heads/*:refs/remotes/o/*'", false],
  ["git fetch . 'refs/heads/k*:refs/not*'", true],
  ["git fetch . 'refs/*:refs/notes/*-x'", false],
  ["git fetch . '^refs/notes/*'", false],
  ["git fetch . 'refs/notes/review:refs/notes/review'", false],
  ["git push o 'refs/*:refs/backup/*'", false],
  ["git push o 'refs/heads/*'", false],
  ['git push o HEAD:kotef/x', true],
  ['git push --mirror o', true],
  ['git push --mi o', true],
  ['git remote add --mirror=push o x', true],
  ['git remote add -m main o x', false],
  ['git branch kotef/claims/INT-002', false],
])('%s: %s', (line, changes) => {
  const [verb, ...rest] = argsOf(line)
  expect(changesOwnRefs(verb?.text ?? '', rest)).toBe(changes)
})

test.each([
  ['remote.o.fetch', '+refs/heads/*:refs/remotes/o/*', false],
  ['remote.o.fetch', '+refs/*:refs/*', true],
  ['remote.o.mirror', 'true', true],
  ['remote.o.mirror', 'false', false],
  ['core.notesRef', 'refs/notes/kotef', true],
  ['core.notesRef', 'refs/notes/commits', false],
])('the setting %s, %s: %s', (name, value, isOwn) => {
  expect(isOwnRefsSetting(name, value)).toBe(isOwn)
})
