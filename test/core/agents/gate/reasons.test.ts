import { describe, expect, test } from 'vitest'
import type { GateFacts } from '../../../../src/core/agents/gate/judge-tool.ts'
import type { TargetLocation } from '../../../../src/core/agents/gate/target-rows.ts'
import { callIn, factsFor, intent, judgeCall, type Row } from './gate-fixture.ts'

const write: Row = ['claude', 'Write', { file_path: 'src/auth/a.ts' }]

function judged(row: Row, change: Partial<GateFacts> = {}) {
  const call = callIn(row)
  return judgeCall(call, { ...factsFor(call), ...change })
}

const at = (...places: readonly TargetLocation[]): Partial<GateFacts> => ({
  targets: [{ spelling: 'src/auth/a.ts', locations: places, currentOid: 'n' }],
})
const inside = (path: string): TargetLocation => ({ kind: 'inside', path })

test('FR-014: a write out of scope is refused in the words of the specification, with a way on', () => {
  expect(judged(['roo', 'write_to_file', { path: 'src/x.ts' }])).toEqual({
    kind: 'deny',
    reasons: [
      {
        code: 'scope-violation',
        message: 'Scope Violation: INT-001 is not authorized to edit src/x.ts. Request scope expansion.',
        path: 'src/x.ts',
        intent: 'INT-001',
        hint: expect.stringMatching(/^Call `request_scope_expansion` with this path/),
      },
    ],
  })
})

test.each<[what: string, places: readonly TargetLocation[], code: string]>([
  ['a link that leads out of scope', [inside('src/auth/a.ts'), inside('README.md')], 'scope-violation'],
  [
    'a link that leads out of the repository',
    [inside('src/auth/a.ts'), { kind: 'outside', path: '/x' }],
    'path-outside',
  ],
  ["git's own", [{ kind: 'git', path: '/w/.git/config' }], 'path-of-git'],
  ['another worktree', [{ kind: 'worktree', path: '/v/src/auth/a.ts' }], 'path-in-worktree'],
  ['what can not be found', [{ kind: 'nowhere', why: 'ELOOP' }], 'path-malformed'],
  ['the governance plane', [inside('.claude/settings.json')], 'governance-plane'],
  ['what .intentignore keeps', [inside('src/auth/x.lock')], 'path-ignored'],
  ['what is forbidden', [inside('src/auth/keys/a')], 'path-forbidden'],
  ['what the scope excludes', [inside('src/auth/legacy/a')], 'scope-violation'],
  ['a name that is no text', [inside('src/auth/\ufffd')], 'path-malformed'],
])('%s is refused', (_, places, code) => {
  expect(judged(write, at(...places))).toMatchObject({ kind: 'deny', reasons: [{ code }] })
})

test('a name in another Unicode form is the same name', () => {
  const owned = { ...intent, owned_scope: ['src/\u00e9/**'] }
  expect(judged(write, { ...at(inside('src/e\u0301/a')), intent: owned }).kind).toBe('allow')
})

describe('a file that changed since the session knew it', () => {
  test.each<[seen: string | null, now: string | null, kind: string]>([
    ['a', 'a', 'allow'],
    ['a', 'b', 'deny'],
    [null, 'b', 'deny'],
    ['a', null, 'deny'],
    [null, null, 'allow'],
  ])('known as %s, now %s: %s', (seen, now, kind) => {
    const path = 'src/auth/a.ts'
    const facts = {
      targets: [{ spelling: path, locations: [inside(path)], currentOid: now }],
      knownOids: new Map([[path, seen]]),
    }
    const verdict = judged(write, facts)
    expect(verdict.kind).toBe(kind)
    if (kind === 'deny') expect(verdict.reasons[0]?.message).toMatch(/^Stale File: src\/auth\/a\.ts has changed/)
  })

  test('what the session never read is not stale', () => {
    expect(judged(write, at(inside('src/auth/b.ts'))).kind).toBe('allow')
  })
})

test.each(['BLOCKED', 'COMPLETED', 'ABANDONED'] as const)(
  'US5.2, US5.3: an intent that is %s covers nothing',
  status => {
    const { kind, reasons } = judged(write, { intent: { ...intent, status } })
    expect(kind).toBe('deny')
    expect(reasons[0]?.message).toBe(`You must cite a valid active Intent ID. INT-001 is ${status}.`)
  },
)

test('Edge 1: where no intent is open a refusal leads to the user, who adds one, and not to a selection', () => {
  const { policy } = factsFor(callIn(write))
  for (const intents of [[], [{ ...intent, status: 'COMPLETED' as const }]]) {
    const { kind, reasons } = judged(write, { intent: null, policy: { ...policy, intents } })
    expect([kind, reasons[0]?.code]).toEqual(['deny', 'intent-required'])
    expect(reasons[0]?.hint).toMatch(/^No intent is open here\. Ask the user .*kotef intent add/)
    expect(reasons[0]?.hint).not.toContain('select_active_intent')
  }
})

test('FR-011: with damaged state nothing is written, and reading goes on', () => {
  const damaged = { unavailable: 'the registry does not parse' }
  const { kind, reasons } = judged(write, damaged)
  expect([kind, reasons[0]?.message]).toEqual(['deny', 'orchestration unavailable: the registry does not parse'])
  expect(judged('npm test', damaged).kind).toBe('deny')
  expect(judged('ls', damaged).kind).toBe('allow')
})

test.each([
  ['allow-and-watch', 'allow'],
  ['ask', 'ask'],
  ['deny', 'deny'],
] as const)('an opaque command under %s: %s', (opaqueCommands, kind) => {
  expect(judged('npm test', { opaqueCommands })).toMatchObject({ kind, reasons: [{ code: 'opaque-command' }] })
  expect(judged(['claude', 'NoSuchTool', {}], { opaqueCommands })).toMatchObject({ kind })
})

test.each([
  { source: 'ABC-1', target: 'ABC-2' },
  { uri: 'https://example.org/README.md' },
  { folder: 'Inbox', dest: 'Archive' },
])('what a tool that nobody knows is given, and is no path: %j', input => {
  expect(judged(['claude', 'mcp__desk__move', input])).toMatchObject({
    kind: 'allow',
    reasons: [{ code: 'opaque-command' }],
  })
})

test.each([
  { source: 'docs/a', target: 'x' },
  { dst: './a' },
  { folder: '~/x' },
  { src: 'README.md' },
  { destination: 'Makefile' },
  { folder: 'docs' },
  { uri: 'vscode-remote://host/w/README.md' },
  { path: 'LICENSE' },
])('what a tool that nobody knows is given, and may be a path: %j', input => {
  expect(judged(['claude', 'mcp__fs__move', input]).kind).toBe('deny')
})

test('an intent that was taken over covers nothing, until the claim is back', () => {
  const { kind, reasons } = judged(write, { otherHolder: 'codex (session t)' })
  expect([kind, reasons[0]?.code]).toEqual(['deny', 'claim-lost'])
  expect(reasons[0]?.message).toBe('INT-001 was taken over by codex (session t): this session no longer works on it.')
  expect(judged('ls', { otherHolder: 'codex (session t)' }).kind).toBe('allow')
})

test('an opaque command with a target out of scope is denied all the same', () => {
  expect(judged('npm test > README.md').kind).toBe('deny')
  expect(judged(['claude', 'mcp__fs__write_file', { path: 'README.md' }]).kind).toBe('deny')
})

test('an edit that does not say of what is denied, and so is one whose place nobody looked up', () => {
  expect(judged(['claude', 'Write', {}]).reasons[0]?.code).toBe('targets-unknown')
  expect(judged(write, { targets: [] }).reasons[0]?.code).toBe('targets-unknown')
})

test('Codex gets no shell to type into', () => {
  expect(judged(['codex', 'Bash', { command: 'bash' }]).reasons[0]?.code).toBe('interactive-shell')
  expect(judged(['claude', 'Bash', { command: 'bash' }]).kind).toBe('allow')
})
