import { expect, test } from 'vitest'
import { onceFor } from '../../../src/core/base/once-for.ts'

test('a value is computed once for each object, also where it is none', () => {
  const asked: object[] = []
  const sizeOf = onceFor((it: readonly number[]) => void asked.push(it))
  const [one, other] = [[1], [1]]
  for (const it of [one, other, one, other]) expect(sizeOf(it)).toBeUndefined()
  expect(asked).toEqual([one, other])
})
