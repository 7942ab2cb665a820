import { describe, expect, test } from 'vitest'
import { effectivePolicy, type Policy } from '../../../../src/core/intents/scope/policy.ts'
import { judgePath } from '../../../../src/core/intents/scope/judge-path.ts'
import { scopeOverlaps } from '../../../../src/core/intents/scope/scope-overlap.ts'

const policy = (more: Partial<Policy> = {}): Policy => ({
  intents: [],
  governance: [],
  forbidden: [],
  intentignore: [],
  ...more,
})
const intent = (id: string, ...owned_scope: string[]) => ({ id, name: id, status: 'IN_PROGRESS' as const, owned_scope })

describe('the policy in force', () => {
  test('is that of the worktree where nothing is committed', () => {
    const tree = policy({ intents: [intent('INT-1', '**')] })
    expect(effectivePolicy(tree, null)).toEqual(tree)
  })

  test('judges a committed intent by its committed scope, and by its present status', () => {
    const closed = { ...intent('INT-4', 'old/**'), status: 'COMPLETED' } as const
    const tree = policy({
      intents: [{ ...intent('INT-1', '**'), status: 'BLOCKED' }, intent('INT-2', 'new/**'), intent('INT-4', '**')],
    })
    const head = policy({ intents: [intent('INT-1', 'src/**'), intent('INT-3', '**'), closed] })
    expect(effectivePolicy(tree, head).intents).toEqual([
      { ...intent('INT-1', 'src/**'), status: 'BLOCKED' },
      { ...intent('INT-2', 'new/**'), isUncommitted: true },
      { ...intent('INT-4', 'old/**'), isReopened: true },
    ])
  })

  test.each(['governance', 'forbidden', 'intentignore'] as const)('%s never gets looser by an edit', key => {
    const verdict = (tree: readonly string[], head: readonly string[], path: string) =>
      judgePath(effectivePolicy(policy({ [key]: tree }), policy({ [key]: head })))(['**'], path).kind
    expect(verdict([], ['a/**'], 'a/x')).not.toBe('owned')
    expect(verdict(['a/**', '!a/x'], ['a/**'], 'a/x')).not.toBe('owned')
    expect(verdict(['b/**'], ['a/**'], 'b/x')).not.toBe('owned')
    expect(verdict(['a/**', '!a/x'], ['a/**', '!a/x'], 'a/x')).toBe('owned')
  })
})

test('what rides with any intent never becomes more by an edit', () => {
  const verdict = (tree: readonly string[], head: readonly string[], path: string) =>
    judgePath(effectivePolicy(policy({ rides: tree }), policy({ rides: head })))(['src/**'], path).kind
  expect(verdict(['*.lock'], ['*.lock'], 'a.lock')).toBe('owned')
  expect(verdict(['*.lock'], [], 'a.lock')).toBe('outside')
  expect(verdict([], ['*.lock'], 'a.lock')).toBe('outside')
  expect(verdict(['*.lock'], ['*.lock', '!a.lock'], 'a.lock')).toBe('outside')
  expect(verdict(['*.lock', '!a.lock'], ['*.lock'], 'a.lock')).toBe('outside')
})

test('a bot needs no intent only where the commit and the worktree say so', () => {
  const [bot, wider] = [
    { email: 'b@c', paths: ['*.lock'] },
    { email: 'b@c', paths: ['**'] },
  ]
  const inForce = (tree: Policy['bots'], head: Policy['bots']) =>
    effectivePolicy(policy({ bots: tree ?? [] }), policy({ bots: head ?? [] })).bots
  expect(inForce([bot], [bot])).toEqual([bot])
  for (const [tree, head] of [
    [[wider], [bot]],
    [[bot], []],
    [[], [bot]],
  ])
    expect(inForce(tree, head)).toEqual([])
})

describe('overlaps', () => {
  const tracked = ['src/a.ts', 'src/b.ts', 'lib/c.ts']

  test('count the tracked paths that both intents own', () => {
    const others = [intent('INT-2', 'src/*.ts', '!src/b.ts'), intent('INT-3', 'lib/**'), intent('INT-4', '**')]
    expect(scopeOverlaps(intent('INT-1', 'src/**'), others, tracked)).toEqual([
      { intent: 'INT-2', paths: 1, example: 'src/a.ts' },
      { intent: 'INT-4', paths: 2, example: 'src/a.ts' },
    ])
  })

  test('name the folder where there are no files yet', () => {
    const others = [intent('INT-2', 'new/*.md'), intent('INT-3', 'newer/**'), intent('INT-4')]
    expect(scopeOverlaps(intent('INT-1', 'new/**'), others, tracked)).toEqual([
      { intent: 'INT-2', paths: 0, example: 'new' },
    ])
  })
})
