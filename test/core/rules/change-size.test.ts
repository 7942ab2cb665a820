import { expect, test } from 'vitest'
import { documentConstraints, intentConstraints } from '../../../src/core/intents/contract/intent-contract.ts'
import { readConfig } from '../../../src/core/intents/config.ts'
import { readRegistry } from '../../../src/core/intents/registry.ts'
import { changeSizeFindings, sizeLimits } from '../../../src/core/rules/change-size.ts'

function limitsOf(fields: string, policy = '', sizes = appetites) {
  const { intents } = readRegistry(`active_intents: [{ id: INT-001, name: n, status: PENDING, ${fields} }]`)
  const [intent] = intents
  if (!intent) throw new Error(fields)
  const ofProject = documentConstraints({ file: 'KOTEF.md', text: policy })
  return sizeLimits(intent, sizes, [...intentConstraints(intent, 'r.yaml'), ...ofProject])
}

const { appetites } = readConfig(
  'version: 1\nappetites: { Small: { files: 3, lines: 50 }, Big: { lines: 500 } }\n',
).config
const NONE = readConfig(null).config.appetites

test.each<[fields: string, policy: string | null, files: number, lines: number, said: RegExp[]]>([
  ['appetite: Small', null, 3, 50, []],
  ['appetite: Small', null, 4, 51, [/changes 4 files, and at most 3 .*appetite Small$/, /changes 51 lines, .* 50 /]],
  ['appetite: Big', null, 999, 500, []],
  ['appetite: Big', null, 999, 501, [/at most 500 /]],
  ['appetite: Batch', null, 999, 999, []],
  [
    'constraints: [DO NOT change more than 5 files]',
    null,
    6,
    9,
    [/at most 5 .*DO NOT change more than 5 files.*r\.yaml/],
  ],
  ['constraints: [Keep it below 5 files]', null, 6, 9, []],
  ['appetite: Batch', '# Rules\n\n- Never touch more than 20 lines.\n', 1, 21, [/at most 20 .*\(KOTEF\.md:3\)$/]],
  ['appetite: Batch', '```\nNever touch more than 20 lines.\n```\n', 1, 21, []],
])('{ %s } with %j, %i files and %i lines', (fields, policy, files, lines, said) => {
  const found = changeSizeFindings('INT-001', limitsOf(fields, policy ?? ''), { files, lines })
  expect(found.map(it => it.message)).toEqual(said.map(it => expect.stringMatching(it)))
  expect(found.every(it => it.level === 'review' && it.rule === 'change-size')).toBe(true)
})

test('without a setting an appetite has no limit', () => {
  expect(limitsOf('appetite: Small', '', NONE)).toEqual([])
})
