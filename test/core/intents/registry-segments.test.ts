import { expect, test } from 'vitest'
import { bodyAt, registrySegments, segmentsText } from '../../../src/core/intents/registry-segments.ts'

const LIST = `version: 1
active_intents: # all of them
  # first
  - id: A-1
    description: |
      text
      # no comment

    # of A-1

  # second
  - { id: A-2, name: x } # here
# the end
more: 1
`

test('cuts a list between its intents, with the comments above each', () => {
  const found = registrySegments(LIST)
  expect(found?.head).toBe('version: 1\nactive_intents: # all of them\n')
  expect(found?.items.map(it => [it.id, it.lead, it.body])).toEqual([
    ['A-1', '  # first\n', 'id: A-1\ndescription: |\n  text\n  # no comment\n\n# of A-1\n'],
    ['A-2', '\n  # second\n', '{ id: A-2, name: x } # here\n'],
  ])
  expect(found?.tail).toBe('# the end\nmore: 1\n')
})

test.each([
  ['a list', LIST],
  ['an empty list', 'version: 1\nactive_intents: []\n'],
  ['an intent in a file of its own', '# why\nid: A-1\nname: x\n'],
  ['nothing', ''],
])('of %s the segments are the text again, byte for byte', (_, text) => {
  const found = registrySegments(text)
  if (!found) throw new Error('no segments')
  expect(
    segmentsText(
      found,
      found.items.map(it => it.lead + it.text),
    ),
  ).toBe(text)
  for (const it of found.items) expect(bodyAt(it, it.body)).toBe(it.text)
})

test.each([
  ['text that is not YAML', 'active_intents: ['],
  ['a list without its key', '- id: A-1\n'],
  ['intents that share a line', 'active_intents: [{ id: A-1 }, { id: A-2 }]\n'],
  ['an id twice', 'active_intents:\n  - id: A-1\n  - id: A-1\n'],
  ['an anchor', 'active_intents:\n  - &a { id: A-1 }\n'],
])('%s has no segments', (_, text) => {
  expect(registrySegments(text)).toBe(null)
})
