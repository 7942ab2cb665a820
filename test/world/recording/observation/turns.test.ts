import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inTurns, jsonInTurns } from '../../../../src/world/recording/observation/turns.ts'

const pieces = async <T>(from: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const it of from) all.push(it)
  return all
}

test('the parts of a list are the list, each no longer than asked', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.nat()), fc.integer({ min: 1, max: 9 }), async (items, size) => {
      const parts = await pieces(inTurns(new Set(items), size))
      expect(parts.flat()).toEqual([...new Set(items)])
      expect(parts.every(it => it.length > 0 && it.length <= size)).toBe(true)
    }),
  ))

test('JSON in pieces is what JSON.stringify says of the object that a map stands for', () =>
  fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()), async (dictionary, list) => {
      const map = new Map(Object.entries(dictionary))
      const text = (await pieces(jsonInTurns({ n: 1, none: null, map, list, within: { map, list, text: 'a"' } }))).join(
        '',
      )
      const object = Object.fromEntries(map)
      expect(JSON.parse(text)).toEqual(
        JSON.parse(JSON.stringify({ n: 1, none: null, map: object, list, within: { map: object, list, text: 'a"' } })),
      )
    }),
  ))

test('an object, a map and a list without members, and a member without a value', async () => {
  expect((await pieces(jsonInTurns({ a: {}, b: new Map(), c: [], d: undefined }))).join('')).toBe(
    '{"a":{},"b":{},"c":[]}',
  )
})
