import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../rig/packed-kotef.ts'
import { missingTests, namedTests } from './named-tests.ts'

const PAGE = 'docs/SECURITY.md'

test('each promise of docs/SECURITY.md has a test', () => {
  const rows = namedTests(PAGE)
  const lines = readFileSync(join(repositoryRoot, PAGE), 'utf8')
    .split('\n')
    .filter(it => it.startsWith('|'))
  const promises = lines.slice(lines.findIndex(it => it.includes('| promise |')) + 2)
  const end = promises.findIndex(it => /^\| what \|/.test(it))
  expect(rows.length, 'rows that name a test').toBe(end)
  expect(missingTests(rows)).toEqual([])
})
