import { expect, test } from 'vitest'
import { missingTests, namedTests } from './named-tests.ts'

test('each promise of docs/SECURITY.md has a test', () => {
  const rows = namedTests('docs/SECURITY.md')
  expect(rows.length).toBeGreaterThan(10)
  expect(missingTests(rows)).toEqual([])
})
