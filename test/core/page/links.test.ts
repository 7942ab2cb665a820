import { expect, test } from 'vitest'
import { links } from '../../../src/page/links.ts'

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
