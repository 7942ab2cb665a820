import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JsonScanner, shapeOf } from '../../../src/core/ledger/json-scanner.ts'

class AnyScanner extends JsonScanner {
  /** How far the value at the beginning of a text goes; null when it is not accepted. */
  endOf(text: string, read: (it: this) => boolean = it => it.value()): number | null {
    this.begin(Buffer.from(`${text}\n`), 0)
    return read(this) ? this.at : null
  }
}

const scanner = new AnyScanner()

test('it goes over a value of words, whole numbers and texts, and stops behind it', () => {
  const plain = fc.string({ unit: 'grapheme' }).map(it => it.replace(/[\\"]|\p{Cc}/gu, ''))
  const value = fc.letrec(tie => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom(null, true, false),
      fc.nat(),
      plain,
      fc.array(tie('value')),
      fc.dictionary(plain, tie('value')),
    ),
  })).value
  fc.assert(
    fc.property(value, it => {
      const text = JSON.stringify(it)
      expect(scanner.endOf(text)).toBe(Buffer.byteLength(text))
    }),
  )
})

test('what it accepts is JSON', () => {
  const piece = fc.constantFrom(...'[]{}:,"\\a0-1.'.split(''), 'null', 'true', '"a"', '"a":', '1,', '[]', '{}')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), pieces => {
      const text = pieces.join('')
      const end = scanner.endOf(text)
      if (end !== null) expect(() => void JSON.parse(text.slice(0, end)), text).not.toThrow()
    }),
    { numRuns: 5_000 },
  )
})

test('an object has the members of its shape, in any order, each once', () => {
  const shape = shapeOf<AnyScanner>(
    { name: 'a', read: it => it.integer() },
    { name: 'b', read: it => it.stringOrNull(), isRequired: false },
  )
  const isAccepted = (text: string) => scanner.endOf(text, it => it.object(shape)) === text.length
  expect(['{"a":1}', '{"b":null,"x":[],"a":1}', '{"a":1,"b":"b"}'].map(isAccepted)).toEqual([true, true, true])
  expect(['{}', '{"b":"b"}', '{"a":"1"}', '{"a":1,"a":1}', '{"a":1,"b":2}'].some(isAccepted)).toBe(false)
})
