import { expect, test } from 'vitest'
import { entriesOfIntent } from '../../../../src/core/code/map/intent-section.ts'
import type { MapEntry } from '../../../../src/core/code/map/map-entry.ts'
import { mapBlock } from '../../../../src/core/code/map/map-text.ts'

const entry = (intent: string, name: string): MapEntry => {
  return { intent, path: 'src/a.ts', kind: 'function', name, hash: 'xxh64:0123456789abcdef', commits: ['0123456789ab'] }
}
const entries = [entry('INT-1', 'one'), entry('INT-10', 'ten'), entry('INT-10', 'other')]
const block = mapBlock({ entries, names: new Map([['INT-10', 'ten ## INT-1']]) })
const text = `# Map\n\n<!-- kotef:begin -->\n${block}<!-- kotef:end -->\n\n## INT-2\n`

test.each([
  ['INT-1', ['one']],
  ['INT-10', ['ten', 'other']],
  ['INT-2', []],
  ['INT-3', []],
])('the section of %s has %j', (intent, names) => {
  expect(entriesOfIntent(text, intent).map(it => it.name)).toEqual(names)
  expect(entriesOfIntent(text.replaceAll('\n', '\r\n'), intent).map(it => it.name)).toEqual(names)
})

test('a file without markers has no section', () => {
  expect(entriesOfIntent(block, 'INT-1')).toEqual([])
})
