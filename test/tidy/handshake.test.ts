import { expect, test } from 'vitest'
import { missingTests, namedTests } from './named-tests.ts'

const rows = namedTests('test/requirements/handshake.md')

const upTo = (last: number, digits: number, prefix: string) =>
  Array.from({ length: last }, (_, n) => prefix + String(n + 1).padStart(digits, '0'))

const NUMBERS = [
  ...upTo(15, 3, 'FR-'),
  ...upTo(8, 3, 'SC-'),
  ...[3, 3, 3, 2, 3].flatMap((scenarios, story) => upTo(scenarios, 1, `US${story + 1}.`)),
  ...upTo(5, 1, 'Edge '),
]

test('test/requirements/handshake.md names a test for every requirement, measure, scenario and edge', () => {
  expect(new Set(rows.map(it => it.number))).toEqual(new Set(NUMBERS))
})

test('each test that test/requirements/handshake.md names is there', () => {
  expect(missingTests(rows)).toEqual([])
})

test('the title of a test bears the number that it stands for', () => {
  const numbered = rows.filter(it => !it.number.startsWith('Edge'))
  expect(numbered.filter(({ number, title }) => !title.split(/[:,] ?/).includes(number))).toEqual([])
})
