import { describe, expect, test } from 'vitest'
import { readConfig } from '../../../src/core/intents/config.ts'
import {
  dayOf,
  type Enforcements,
  enforcementOf,
  enforcementsIn,
  enforcementsOn,
  isLoosened,
  stricterOf,
} from '../../../src/core/intents/enforcement.ts'

const setting = (enforce: Enforcements['enforce'], rules: Enforcements['rules'] = {}): Enforcements => ({
  enforce,
  rules,
})

describe('how a rule is enforced', () => {
  test('is its own setting, else that of the repository, else block', () => {
    expect(enforcementOf('in-scope', setting('warn', { 'in-scope': 'observe' }))).toBe('observe')
    expect(enforcementOf('intent-named', setting('warn', { 'in-scope': 'observe' }))).toBe('warn')
    expect(enforcementOf('in-scope')).toBe('block')
    expect(enforcementOf('toString', setting('warn'))).toBe('warn')
  })

  test.each(['policy-readable', 'intent-id-clash'])('is block for %s at every level', rule => {
    expect(enforcementOf(rule, setting('observe'))).toBe('block')
    expect(readConfig(`rules: { ${rule}: warn }`).problems).toHaveLength(1)
  })

  test('of two settings is the stricter one', () => {
    const both = stricterOf(setting('observe', { 'in-scope': 'block' }), setting('warn', { 'intent-named': 'observe' }))
    expect(both).toEqual({ enforce: 'warn', rules: { 'in-scope': 'block', 'intent-named': 'observe' } })
  })

  test.each<[Enforcements, Enforcements, boolean]>([
    [setting('block'), setting('block'), false],
    [setting('block'), setting('warn'), true],
    [setting('warn'), setting('block'), false],
    [setting('block'), setting('block', { 'in-scope': 'warn' }), true],
    [setting('block', { 'in-scope': 'observe' }), setting('block', { 'in-scope': 'warn' }), false],
    [setting('observe', { 'in-scope': 'block' }), setting('warn'), true],
    [setting('block', { 'in-scope': 'observe' }), setting('block'), false],
  ])('from %j to %j is looser: %j', (before, after, looser) => expect(isLoosened(before, after)).toBe(looser))
})

/** These levels until a day, and `block` from then on. */
const until = (block_from: string, enforce: Enforcements['enforce'] = 'warn', rules: Enforcements['rules'] = {}) =>
  enforcementsIn({ enforce, block_from, rules })

describe('a level that ends on a day', () => {
  test.each([
    ['2026-12-04', 'warn', 'observe'],
    ['2026-12-05', 'block', 'observe'],
    ['2027-01-01', 'block', 'observe'],
  ])('is on %s %s, and a rule with a level of its own keeps it', (day, level, own) => {
    const enforced = enforcementsOn(day, until('2026-12-05', 'warn', { 'in-scope': 'observe' }))
    expect([enforcementOf('intent-named', enforced), enforcementOf('in-scope', enforced)]).toEqual([level, own])
    expect(enforcementsOn(day, enforced)).toEqual(enforced)
  })

  test.each([
    [Date.UTC(2026, 11, 5, 23, 59), '2026-12-05'],
    [Date.UTC(10_000, 0, 1), '9999-12-31'],
    [8.64e15, '9999-12-31'],
  ])('begins and ends with the day in UTC, and %d is a day that can be compared: %s', (time, day) => {
    expect(dayOf(time)).toBe(day)
  })

  test('blocks where nobody says which day it is', () => {
    expect(enforcementOf('in-scope', until('2026-12-05'))).toBe('block')
  })

  test.each<[Enforcements, Enforcements, boolean]>([
    [until('2026-12-05'), setting('block'), false],
    [until('2026-12-05'), until('2026-12-04'), false],
    [until('2026-12-05'), until('2026-12-06'), true],
    [until('2026-12-05'), setting('warn'), true],
    [until('2026-12-05'), until('2026-12-05', 'observe'), true],
    [setting('block'), until('2026-12-05'), true],
    [setting('warn'), until('2026-12-05'), false],
  ])('from %j to %j is looser: %j', (before, after, looser) => expect(isLoosened(before, after)).toBe(looser))

  test.each<[Enforcements, Enforcements, string, Enforcements['enforce']]>([
    [until('2026-12-05'), until('2026-12-09'), '2026-12-06', 'block'],
    [until('2026-12-05'), until('2026-12-09', 'observe'), '2026-12-01', 'warn'],
    [until('2026-12-05'), setting('observe'), '2026-12-01', 'warn'],
    [until('2026-12-05'), setting('observe'), '2026-12-06', 'block'],
    [until('2026-12-05'), setting('block'), '2026-12-01', 'block'],
  ])('of %j and %j the stricter one on %s is %s', (one, other, day, level) => {
    for (const both of [stricterOf(one, other), stricterOf(other, one)])
      expect(enforcementOf('in-scope', enforcementsOn(day, both))).toBe(level)
  })
})

describe('in a config', () => {
  test('every rule blocks unless it says otherwise', () => {
    expect(readConfig(null).config).toMatchObject({ enforce: 'block', rules: {} })
    expect(readConfig('rules: { claim-held: warn }').problems).toEqual([])
    expect(readConfig('enforce: warn\nrules: { in-scope: observe }\n').config).toMatchObject({
      enforce: 'warn',
      rules: { 'in-scope': 'observe' },
    })
  })

  test.each([
    'enforce: off',
    'block_from: soon',
    'block_from: 2026-02-30',
    'rules: { in-scope: never }',
    'rules: { nonsense: warn }',
  ])('%s is a problem', text => {
    expect(readConfig(text).problems).toHaveLength(1)
  })
})
