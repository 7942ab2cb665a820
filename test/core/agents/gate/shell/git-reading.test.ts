import { expect, test } from 'vitest'
import { gitReads } from '../../../../../src/core/agents/gate/shell/git-reading.ts'
import { argsOf } from './effects-fixture.ts'

test.each<[line: string, reads: boolean | null]>([
  ['git config user.name', true],
  ['git config --file .gitmodules --get-regexp path', true],
  ['git config get user.name', true],
  ['git config user.name x', false],
  ['git config user.name --int', false],
  ['git config edit', false],
  ['git config --unse user.name', false],
  ['git config set user.name x', false],
  ['git ls-remote --heads .', true],
  ['git ls-remote --upload-pack=x .', false],
  ["git ls-remote 'ext::sh -c x'", false],
  ['git help log', true],
  ['git help -w log', false],
  ['git fsck --no-dangling', true],
  ['git fsck --lost-found', false],
  ['git archive HEAD', true],
  ['git archive -o x HEAD', false],
  ['git archive --format=x HEAD', false],
  ['git interpret-trailers --parse a', true],
  ['git interpret-trailers a', false],
  ['git interpret-trailers --parse --in-place a', false],
  ['git hash-object a', true],
  ['git hash-object -w a', false],
  ['git verify-pack -v a.idx', true],
  ['git bundle create a HEAD', false],
  ['git status', null],
])('%s: %s', (line, reads) => {
  const [verb, ...rest] = argsOf(line)
  expect(gitReads(verb?.text ?? '', rest)).toBe(reads)
})
