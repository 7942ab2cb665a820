import { expect, test } from 'vitest'
import { mergeFields } from '../../../src/core/intents/merge-fields.ts'

type Row = [promise: string, base: string, ours: string, theirs: string, merged: string]

test.each<Row>([
  [
    'each side its field',
    'id: A-1\nname: x\n',
    'id: A-1\nname: y\n',
    'id: A-1\nname: x\nappetite: Big\n',
    'name: y\nappetite: Big',
  ],
  [
    'a field that a side removed',
    'id: A-1\nappetite: Big\nname: x\n',
    'id: A-1\nappetite: Big\nname: y\n',
    'id: A-1\nname: x\n',
    'name: y',
  ],
  [
    'items of a list',
    'id: A-1\nowned_scope: [ a, b ]\n',
    'id: A-1\nowned_scope: [ a, c ]\n',
    'id: A-1\nowned_scope: [ b, a, d ]\n',
    'owned_scope: [ a, d, c ]',
  ],
  [
    'checks and texts',
    'id: A-1\n',
    'id: A-1\nacceptance_criteria: [ { cmd: x } ]\n',
    'id: A-1\nacceptance_criteria: [ y ]\n',
    'acceptance_criteria: [ { cmd: x }, y ]',
  ],
  [
    'an empty list that is none',
    'id: A-1\n',
    'id: A-1\nconstraints: []\nname: x\n',
    'id: A-1\nconstraints: [ y ]\n',
    'constraints: [ y ]\nname: x',
  ],
  [
    'comments of either side',
    'id: A-1\nname: x\nstatus: PENDING\n',
    'id: A-1\nname: x # why\nstatus: PENDING\n',
    'id: A-1\nname: x\n# until May\nstatus: BLOCKED\n',
    'name: x # why\n# until May\nstatus: BLOCKED',
  ],
  [
    'the earliest birth',
    '',
    'id: A-1\ncreated_at: 2026-02-02\n',
    'id: A-1\ncreated_at: 2026-01-01\n',
    'created_at: 2026-01-01',
  ],
])('merges %s', (_, base, ours, theirs, merged) => {
  const text = `id: A-1\n${merged}\n`
  expect(mergeFields({ base, ours, theirs })).toEqual({ ours: text, theirs: text, conflicts: [] })
})

test('keeps two texts that differ in the fields that both sides changed, and only there', () => {
  const text = (name: string, more = '') => `id: A-1\nname: ${name}\ndescription: d\n${more}`
  const found = mergeFields({ base: text('x'), ours: text('y', 'appetite: Big\n'), theirs: text('z') })
  const [ours, theirs] = [text('y', 'appetite: Big\n'), text('z', 'appetite: Big\n')]
  expect(found).toEqual({ ours, theirs, conflicts: ['name'] })
})
