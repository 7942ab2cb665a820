import { expect, test } from 'vitest'
import { firstRow } from '../../../src/core/base/first-row.ts'

type Facts = { readonly kind: 'file' | 'link' | 'folder'; readonly isOld: boolean }

const rows = [
  { name: 'link', when: { kind: 'link' } },
  { name: 'old', when: { kind: ['file', 'folder'], isOld: true } },
  { name: 'file', when: { kind: 'file' } },
] as const

test.each<[facts: Partial<Facts>, answer: object | null]>([
  [{}, { need: 'kind' }],
  [{ kind: 'link' }, rows[0]],
  [{ kind: 'file' }, { need: 'isOld' }],
  [{ kind: 'file', isOld: true }, rows[1]],
  [{ kind: 'file', isOld: false }, rows[2]],
  [{ kind: 'folder', isOld: false }, null],
])('of %j the answer is %j', (facts, answer) => {
  expect(firstRow<Facts, (typeof rows)[number]>(rows, facts)).toEqual(answer)
})
