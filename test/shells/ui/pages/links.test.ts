import { expect, test } from 'vitest'
import { links } from '../../../../src/shells/ui/pages/links.ts'

test('an address names what is asked for, and nothing else', () => {
  expect(links.records()).toBe('records')
  expect(links.records({ intent: 'INT-001', file: 'a b/ü?.ts', session: undefined, before: 0 })).toBe(
    'records?intent=INT-001&file=a+b%2F%C3%BC%3F.ts&before=0',
  )
})

test('the folders of a file are those of its address, whatever their names', () => {
  expect(links.file('src/<script>/#1 ?.ts', { by: 'author' })).toBe('files/src/%3Cscript%3E/%231%20%3F.ts?by=author')
})

test('a commit is the range of its own change', () => {
  expect(links.commit('abc1234')).toBe(links.range('abc1234^!'))
})

test('an address can be made of any text that a ledger has, also of half of a surrogate pair', () => {
  expect(links.file('src/\ud800')).toBe('files/src/%EF%BF%BD')
  expect(links.intent('\udc00')).toBe('intents/%EF%BF%BD')
  expect(links.intentList('INT-001', 'writes', { day: '2026-03-10' })).toBe('intents/INT-001/writes?day=2026-03-10')
})
