import { describe, expect, test } from 'vitest'
import { readConfig } from '../../../src/core/intents/config.ts'
import { type Enforcements, enforcementOf, isLoosened, stricterOf } from '../../../src/core/intents/enforcement.ts'

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

describe('in a config', () => {
  test('every rule blocks unless it says otherwise', () => {
    expect(readConfig(null).config).toMatchObject({ enforce: 'block', rules: {} })
    expect(readConfig('rules: { claim-held: warn }').problems).toEqual([])
    expect(readConfig('enforce: warn\nrules: { in-scope: observe }\n').config).toMatchObject({
      enforce: 'warn',
      rules: { 'in-scope': 'observe' },
    })
  })

  test.each(['enforce: off', 'rules: { in-scope: never }', 'rules: { nonsense: warn }'])('%s is a problem', text => {
    expect(readConfig(text).problems).toHaveLength(1)
  })
})
