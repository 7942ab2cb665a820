import { describe, expect, test } from 'vitest'
import { judgePath, ownershipOf } from '../../../../src/core/intents/scope/judge-path.ts'
import { type PathVerdict, type Policy, policyForAgents } from '../../../../src/core/intents/scope/policy.ts'

const policy: Policy = {
  intents: [
    { id: 'INT-001', name: 'auth', status: 'IN_PROGRESS', owned_scope: ['src/auth/**', '!src/auth/legacy/**'] },
    { id: 'INT-002', name: 'all', status: 'PENDING', owned_scope: ['**'] },
  ],
  governance: ['.orchestration/**', '!.orchestration/AGENT.md', '.claude/**'],
  forbidden: ['src/auth/keys/**'],
  intentignore: ['# secrets', '*.pem', '!public.pem', '/dist/'],
  rides: ['*.lock', '.orchestration/**', 'src/auth/keys/**', 'gen/**', '!gen/own'],
}

const rows: readonly { readonly path: string; readonly scope: readonly string[]; readonly verdict: PathVerdict }[] = [
  { path: 'src/auth/a.ts', scope: ['src/auth/**'], verdict: { kind: 'owned', by: 'src/auth/**' } },
  { path: 'src/pay/a.ts', scope: ['src/auth/**'], verdict: { kind: 'outside' } },
  { path: 'a.lock', scope: ['src/**'], verdict: { kind: 'owned', by: '*.lock' } },
  { path: 'gen/a', scope: ['src/**', '!gen/**'], verdict: { kind: 'owned', by: 'gen/**' } },
  { path: 'gen/own', scope: ['src/**'], verdict: { kind: 'outside' } },
  { path: 'a.lock', scope: [], verdict: { kind: 'outside' } },
  { path: 'src/auth/a.ts', scope: [], verdict: { kind: 'outside' } },
  { path: 'src/x/a', scope: ['src/**', '!src/x/**'], verdict: { kind: 'excluded', by: '!src/x/**' } },
  { path: '.orchestration/config.yaml', scope: ['**'], verdict: { kind: 'governance', by: '.orchestration/**' } },
  { path: '.orchestration/AGENT.md', scope: ['**'], verdict: { kind: 'owned', by: '**' } },
  { path: 'src/auth/keys/k', scope: ['**'], verdict: { kind: 'forbidden', by: 'src/auth/keys/**' } },
  { path: 'deep/down/k.pem', scope: ['**'], verdict: { kind: 'ignored', by: '*.pem' } },
  { path: 'K.PEM', scope: ['**'], verdict: { kind: 'ignored', by: '*.pem' } },
  { path: 'Public.pem', scope: ['**'], verdict: { kind: 'ignored', by: '*.pem' } },
  { path: 'Dist/a.js', scope: ['**'], verdict: { kind: 'ignored', by: '/dist/' } },
  { path: '.Orchestration/config.yaml', scope: ['**'], verdict: { kind: 'governance', by: '.orchestration/**' } },
  { path: '.ORCHESTRATION', scope: ['**'], verdict: { kind: 'governance', by: '.orchestration/**' } },
  { path: '.orchestration/agent.md', scope: ['**'], verdict: { kind: 'governance', by: '.orchestration/**' } },
  { path: '.cl\u200daude/x', scope: ['**'], verdict: { kind: 'governance', by: '.claude/**' } },
  { path: '.orche\u017ftration/x', scope: ['**'], verdict: { kind: 'governance', by: '.orchestration/**' } },
  { path: 'src/Auth/\u212aeys/k', scope: ['**'], verdict: { kind: 'forbidden', by: 'src/auth/keys/**' } },
  { path: 'SRC/auth/a.ts', scope: ['src/auth/**'], verdict: { kind: 'outside' } },
  {
    path: 'src/AUTH/legacy/a.ts',
    scope: ['src/*/**', '!src/auth/legacy/**'],
    verdict: { kind: 'owned', by: 'src/*/**' },
  },
  { path: 'public.pem', scope: ['**'], verdict: { kind: 'owned', by: '**' } },
  { path: 'dist/a.js', scope: ['**'], verdict: { kind: 'ignored', by: '/dist/' } },
  { path: '.claude/x.pem', scope: ['**'], verdict: { kind: 'ignored', by: '*.pem' } },
  { path: 'caf\u0065\u0301/a', scope: ['caf\u00e9/*'], verdict: { kind: 'owned', by: 'caf\u00e9/*' } },
  { path: 'src/a\nb', scope: ['src/**'], verdict: { kind: 'owned', by: 'src/**' } },
  { path: '../a', scope: ['**'], verdict: { kind: 'malformed', why: 'it contains `..`' } },
  { path: 'a/../b', scope: ['**'], verdict: { kind: 'malformed', why: 'it contains `..`' } },
  { path: '/a', scope: ['**'], verdict: { kind: 'malformed', why: 'it is absolute' } },
  { path: '', scope: ['**'], verdict: { kind: 'malformed', why: 'it is empty' } },
  { path: 'a\0b', scope: ['**'], verdict: { kind: 'malformed', why: 'it contains a NUL byte' } },
  { path: 'a\uFFFD', scope: ['**'], verdict: { kind: 'malformed', why: 'it is not valid UTF-8' } },
  { path: '\ud800', scope: ['**'], verdict: { kind: 'malformed', why: 'it is not valid UTF-8' } },
  { path: 'a//b', scope: ['**'], verdict: { kind: 'malformed', why: 'it contains an empty segment or `.`' } },
  { path: './a', scope: ['**'], verdict: { kind: 'malformed', why: 'it contains an empty segment or `.`' } },
]

describe('what tools read as their settings', () => {
  const own = { ...policy, governance: [...policy.governance, '!test/**'] }
  const [judge, judgeForAgents] = [judgePath(own), judgePath(policyForAgents(own))]

  test.each([
    ['packages/x/.claude/settings.json', 'owned', 'governance'],
    ['packages/x/.claude', 'owned', 'governance'],
    ['packages/x/AGENTS.md', 'owned', 'governance'],
    ['packages/x/Agents.MD', 'owned', 'governance'],
    ['a/.vscode/tasks.json', 'owned', 'governance'],
    ['.vscode/cSpell.json', 'owned', 'owned'],
    ['.npmrc', 'owned', 'governance'],
    ['.claude/settings.json', 'governance', 'governance'],
    ['src/claude/x', 'owned', 'owned'],
    ['src/MYAGENTS.md', 'owned', 'owned'],
    ['test/fixtures/.claude/settings.json', 'owned', 'owned'],
    ['Test/fixtures/.claude/settings.json', 'owned', 'governance'],
  ])('%s is %s for a person, and %s for an agent', (path, forPerson, forAgent) => {
    expect([judge(['**'], path).kind, judgeForAgents(['**'], path).kind]).toEqual([forPerson, forAgent])
  })
})

describe('judging a path', () => {
  const judge = judgePath(policy)
  test.each(rows)('$path under $scope is $verdict.kind', ({ path, scope, verdict }) => {
    expect(judge(scope, path)).toEqual(verdict)
  })

  test('one compiled policy judges different scopes apart', () => {
    expect(judge(['a/**'], 'a/x').kind).toBe('owned')
    expect(judge(['b/**'], 'a/x').kind).toBe('outside')
    expect(judge(['a/**'], 'a/x').kind).toBe('owned')
  })

  test('every intent is asked who owns a path, in the order of the registry', () => {
    expect(ownershipOf(policy, 'src/auth/legacy/a.ts')).toEqual([
      { id: 'INT-001', name: 'auth', status: 'IN_PROGRESS', verdict: { kind: 'excluded', by: '!src/auth/legacy/**' } },
      { id: 'INT-002', name: 'all', status: 'PENDING', verdict: { kind: 'owned', by: '**' } },
    ])
  })
})
