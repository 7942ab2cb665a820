import { expect, test } from 'vitest'
import { onceFor, onceForText } from '../../../src/core/base/once-for.ts'

test('a value is computed once for each object, also where it is none', () => {
  const asked: object[] = []
  const sizeOf = onceFor((it: readonly number[]) => void asked.push(it))
  const [one, other] = [[1], [1]]
  for (const it of [one, other, one, other]) expect(sizeOf(it)).toBeUndefined()
  expect(asked).toEqual([one, other])
})

test('of texts the values of those that were asked for last are kept', () => {
  const asked: string[] = []
  const lengthOf = onceForText(2, text => asked.push(text) && text.length)
  for (const it of ['a', 'bb', 'a', 'ccc', 'a', 'bb']) expect(lengthOf(it)).toBe(it.length)
  expect(asked).toEqual(['a', 'bb', 'ccc', 'bb'])
})
