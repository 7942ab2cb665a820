import { expect, test } from 'vitest'
import {
  autosquashFindings,
  governanceFinding,
  policyInRange,
  refusedAtTarget,
  unjudgedHistory,
} from '../../../src/core/rules/range-rules.ts'
import type { Finding } from '../../../src/core/base/finding.ts'

const findingOf = (rule: string): Finding => ({ rule, level: 'block', path: null, message: 'm', hint: 'h' })

test.each([
  ['fixup! a', 1],
  ['squash! a', 1],
  ['amend! a', 1],
  ['fixup!', 0],
  ['a fixup! b', 0],
])('a commit %j that is there to be squashed is shown: %d', (subject, count) => {
  const findings = autosquashFindings({ subject })
  expect(findings.map(it => it.level)).toEqual(Array.from({ length: count }, () => 'review'))
  for (const { message } of findings) expect(message).toMatch(/ is (a (fixup|squash)|an amend) of /)
})

const PAIRS = [true, false].flatMap(one => [true, false].map(other => [one, other] as const))

test('a governance file stops a range only if it allows more: by a strict config, an agent or a silent merge', () => {
  for (const effect of ['adds', 'widens', 'loosens', 'leaves', 'none'] as const)
    for (const isStrict of [true, false])
      for (const approval of ['proved', 'unproved', null] as const)
        for (const [isSilentMerge, isAgents] of PAIRS) {
          const known = { isStrict, approval, signature: null, isAgents, isSilentMerge }
          const { level, rule, message, hint } = governanceFinding('p', { description: 'd', effect }, known)
          const blocks = effect !== 'none' && (isSilentMerge || isAgents || (isStrict && approval !== 'proved'))
          expect(level).toBe(blocks ? 'block' : 'review')
          expect(rule).toBe(['adds', 'none'].includes(effect) ? 'governance-changed' : 'governance-loosened')
          if (approval !== 'proved') expect(message + hint).not.toContain('A person approved')
          if (!isSilentMerge) expect(message.includes('not proved')).toBe(approval === 'unproved')
        }
})

test('where keys say who may change the rules, a strict config wants the signature of one, and no approval', () => {
  for (const effect of ['adds', 'widens', 'loosens', 'leaves', 'none'] as const)
    for (const isStrict of [true, false])
      for (const approval of ['proved', null] as const)
        for (const signature of ['good', 'none', 'unlisted', 'bad', 'unchecked'] as const) {
          const known = { isStrict, approval, signature, isAgents: false, isSilentMerge: false }
          const { level, rule, message } = governanceFinding('p', { description: 'd', effect }, known)
          const blocks = isStrict && effect !== 'none' && signature !== 'good'
          expect([level, rule === 'governance-unsigned']).toEqual([blocks ? 'block' : 'review', blocks])
          expect(message.includes('.orchestration/allowed_signers')).toBe(blocks)
        }
})

test('a strict config without keys names the page about keys where it stops what nobody approved', () => {
  const known = { isStrict: true, approval: null, signature: null, isAgents: false, isSilentMerge: false }
  const hintOf = (effect: 'adds' | 'none', isStrict: boolean) =>
    governanceFinding('p', { description: 'd', effect }, { ...known, isStrict }).hint
  expect(hintOf('adds', true)).toContain('`kotef explain governance-unsigned`')
  for (const hint of [hintOf('none', true), hintOf('adds', false)]) expect(hint).not.toContain('governance-unsigned')
})

test('a finding of the policy from before a range names the commit that changes it', () => {
  const changedBy = { oid: 'abcdef0123456789', subject: 'let me' }
  expect(policyInRange(findingOf('in-scope'), changedBy)).toMatchObject({ rule: 'policy-in-range', level: 'block' })
  expect(policyInRange(findingOf('in-scope'), changedBy).message).toContain('abcdef0123 (let me)')
  expect(policyInRange(findingOf('in-scope'), null).message).toContain('a commit')
})

test('what only a newer policy refuses is for review, whatever rule it breaks', () => {
  const finding = refusedAtTarget(findingOf('in-scope'), 'abcdef0123456789')
  expect(finding).toMatchObject({ rule: 'policy-newer', level: 'review' })
  expect(finding.message).toBe('m by the newer policy of abcdef0123, which the commit does not build on')
})

test('commits that no policy judged are counted, and the newest is named', () => {
  const newest = { oid: 'abcdef0123456789', subject: 'old' }
  const messageOf = (count: number, paths: string[] = []) => unjudgedHistory(count, newest, paths).message
  expect(messageOf(1)).toBe('abcdef0123 old has no registry before, so nobody judged what it changed')
  expect(messageOf(3)).toBe('abcdef0123 old and 2 more have no registry before, so nobody judged what they changed')
  expect(messageOf(1, ['a', 'b'])).toContain('what it changed: a, b')
  expect(messageOf(1, ['1', '2', '3', '4', '5', '6', '7'])).toContain('what it changed: 1, 2, 3, 4, 5 and 2 more')
})
