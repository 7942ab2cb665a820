import { expect, test } from 'vitest'
import { judgeCommit } from '../../../src/core/rules/judge-commit.ts'
import { widenAllHint } from '../../../src/core/rules/widen-scope.ts'
import { judgePath } from '../../../src/core/intents/scope/judge-path.ts'
import { calmFacts, changesOf, policy } from './commit-world.ts'

// Of the policy, INT-003 owns all that no other intent does.
const plain = { ...policy, intents: policy.intents.filter(it => it.id !== 'INT-003') }
const hintFor = (paths: string[], cited: string[] = ['INT-001']) =>
  widenAllHint(paths, { policy: plain, judge: judgePath(plain), cited })

test.each<[what: string, paths: string[], scopes: string]>([
  ['a folder', ['new/a', 'new/b/c'], "--add-scope 'new/**'"],
  ['a folder below', ['lib/ui/a', 'lib/ui/b'], "--add-scope 'lib/ui/**'"],
  ['folders at the top', ['one/a', 'one/b', 'two/c'], "--add-scope 'one/**' --add-scope two/c"],
  ['files at the top', ['a.txt', 'b.txt'], '--add-scope a.txt --add-scope b.txt'],
  ['a folder that has a part of another intent', ['docs.d/a', 'docs.d/b'], "--add-scope 'docs.d/**'"],
  ['names that are no globs', ['n[1]/a', 'n[1]/b'], "--add-scope 'n[1]/a' --add-scope 'n[1]/b'"],
])('one command widens a scope by %s, and the glob matches', (_, paths, scopes) => {
  expect(hintFor(paths)).toBe(`Widen a scope by all of them: \`kotef intent edit INT-001 ${scopes} --commit\``)
  const globs = [...scopes.matchAll(/--add-scope '?([^' ]+)'?/g)].map(([, it = '']) => it)
  const wide = { id: 'INT-001', owned_scope: globs }
  if (!globs.some(it => it.includes('['))) for (const it of paths) expect(judgePath(plain)(wide, it).kind).toBe('owned')
})

test('a folder in which another intent owns something is not named whole', () => {
  expect(hintFor(['docs2/a', 'docs2/b'])).toContain("'docs2/**'")
  expect(hintFor(['src/legacy/a', 'src/legacy/b'], ['INT-002'])).not.toContain('**')
})

test.each([
  ['one path', ['new/a']],
  ['a path of another intent', ['new/a', 'docs/b']],
])('%s has its own line', (_, paths) => {
  expect(hintFor(paths)).toBeNull()
})

test('a folder that was renamed is one command for all of its files (solo N8)', () => {
  const findings = judgeCommit({ ...calmFacts, policy: plain, changes: changesOf(['new/a', 'new/b']) })
  expect(new Set(findings.map(it => it.hint))).toEqual(new Set([hintFor(['new/a', 'new/b'])]))
})
