import { expect, test } from 'vitest'
import { withIntentId } from '../../../src/core/intents/renumber-yaml.ts'
import { intentFilePath, registryText } from '../../../src/core/intents/registry-text.ts'

const ids = { from: 'A-2', to: 'A-9' }

test('changes the id, and what depends on it, and no other byte', () => {
  const text = `active_intents:\n  - { id: "A-2", name: A-2 }  # A-2\n  - id: A-3\n    depends_on: [ A-1, A-2 ]\n`
  const again = `active_intents:\n  - { id: A-9, name: A-2 }  # A-2\n  - id: A-3\n    depends_on: [ A-1, A-9 ]\n`
  expect(withIntentId(text, ids)).toBe(again)
})

test('changes a successor that is it, and no other address', () => {
  const specs = (url: string) => `[{ type: successor, url: ${url} }, { type: spec, url: A-2 }]`
  const text = (id: string) => `active_intents:\n  - id: ${id}\n  - id: A-3\n    related_specs: ${specs(id)}\n`
  expect(withIntentId(text('A-2'), ids)).toBe(text('A-9'))
})

test('renames a file of its own, at its place among the files', () => {
  const file = (id: string, text: string) => ({ path: intentFilePath(id), text })
  const [two, three] = [file('A-2', 'id: A-2 # mine\n'), file('A-3', 'id: A-3\ndepends_on:\n  - A-2\n')]
  const again = [file('A-3', 'id: A-3\ndepends_on:\n  - A-9\n'), file('A-9', 'id: A-9 # mine\n')]
  expect(withIntentId(registryText('active_intents: []\n', [two, three]), ids)).toBe(
    registryText('active_intents: []\n', again),
  )
})
