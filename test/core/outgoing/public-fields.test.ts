import { expect, test } from 'vitest'
import { errorLine, madePublic, PUBLIC_FIELDS } from '../../../src/core/outgoing/public-fields.ts'

test('a field is public when the config names it, and no other one', () => {
  for (const field of PUBLIC_FIELDS) {
    expect(madePublic('a\n b', field, [])).toBeNull()
    expect(madePublic('a\n b', field, [field])).toBe('a b')
    expect(
      madePublic(
        'a',
        field,
        PUBLIC_FIELDS.filter(it => it !== field),
      ),
    ).toBeNull()
    expect(madePublic(' ', field, [field])).toBeNull()
    expect(madePublic('x'.repeat(999), field, [field])).toHaveLength(300)
  }
})

test.each([
  [
    'vitest',
    ' FAIL  a.test.ts > adds\nAssertionError: expected 3 to be 2 // Object.is',
    'AssertionError: expected 3 to be 2 // Object.is',
  ],
  [
    'tsc',
    "src/a.ts(1,7): error TS2322: Type 'string' is no number.",
    "src/a.ts(1,7): error TS2322: Type 'string' is no number.",
  ],
  ['pytest', '> assert add(1, 2) == 4\nE  AssertionError: assert 3 == 4', 'E  AssertionError: assert 3 == 4'],
  ['a long line', `Error: ${'x'.repeat(400)}\nexpected 1`, 'expected 1'],
  ['nothing', 'ok\n', ''],
])('the line that names the error of %s', (_, output, line) => {
  expect(errorLine(output)).toBe(line)
})
