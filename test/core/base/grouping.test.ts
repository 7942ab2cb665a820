import fc from 'fast-check'
import { expect, test } from 'vitest'
import { partsByWeight } from '../../../src/core/base/grouping.ts'

test('parts by weight are the list, none too heavy unless it is one item, and no two neighbours fit into one', () =>
  fc.assert(
    fc.property(fc.array(fc.nat(12)), fc.integer({ min: 1, max: 10 }), (weights, most) => {
      const parts = partsByWeight(weights, it => it, most)
      const sums = parts.map(it => it.reduce((sum, weight) => sum + weight, 0))
      expect(parts.flat()).toEqual(weights)
      expect(parts.every((it, n) => it.length > 0 && (it.length === 1 || (sums[n] ?? 0) <= most))).toBe(true)
      expect(parts.every((it, n) => n === 0 || (sums[n - 1] ?? 0) + (it[0] ?? 0) > most)).toBe(true)
    }),
  ))
