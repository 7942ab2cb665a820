import { parse } from 'unbash'
import { expect, test } from 'vitest'
import { printsCommits, printsName, printsNumber } from '../../../../../src/core/agents/gate/shell/known-output.ts'

test.each<[script: string, prints: 'number' | 'commits' | 'name' | null]>([
  ['wc -l', 'number'],
  ['cat a | wc -l', 'number'],
  ['wc -l < "$f"', 'number'],
  ['wc -l a', null],
  ['echo x; wc -l', null],
  ['wc -l &', null],
  ['wc -l > a', null],
  ['git rev-list --count HEAD', 'number'],
  ['git merge-base main feature-x', 'commits'],
  ['git merge-base --all main', null],
  ['git merge-base main -x', null],
  ['git rev-list -5 HEAD', 'commits'],
  ['git rev-list --format=%B HEAD', null],
  ['git rev-parse --short HEAD', 'commits'],
  ['git rev-parse -- -x', null],
  ['git rev-parse --sq-quote x', null],
  ['git rev-parse feature-x', 'name'],
  ['git rev-parse --show-toplevel', 'name'],
  ['git log -1 --format=%H', 'name'],
  ['git log -1 --format=%B', null],
  ['git log -1 --format=%H "$x"', null],
  ['pwd', 'name'],
  ['x=1 pwd', null],
  ['cat a', null],
])('%s prints: %s', (line, prints) => {
  const script = parse(line)
  const kinds = [printsNumber(script) && 'number', printsCommits(script) && 'commits', printsName(script) && 'name']
  expect(kinds.find(it => it !== false) ?? null).toBe(prints)
})
