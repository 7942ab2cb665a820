import { expect, test } from 'vitest'
import { checklistFor, isSkippedItem, PROJECT_TYPES } from '../../../src/core/handover/checklists.ts'

test('the checklist of each type of project has what applies to it', () => {
  const without = (type: (typeof PROJECT_TYPES)[number]) => checklistFor('web').filter(it => isSkippedItem(it, type))
  expect(without('mixed')).toEqual([])
  expect(without('web')).toEqual([])
  expect(without('api')).toEqual(['templates', 'ui'])
  for (const type of ['cli', 'lib'] as const)
    expect(without(type)).toEqual(['csrf', 'xss', 'tenant-scoping', 'templates'])
  expect(checklistFor('web')).toEqual(checklistFor('mixed'))
  expect(checklistFor('web')).toContain('api-safety')
  for (const type of PROJECT_TYPES)
    expect(checklistFor(type)).toEqual(expect.arrayContaining(['input-validation', 'secrets']))
})
