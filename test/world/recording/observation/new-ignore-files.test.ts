import { expect, test } from 'vitest'
import { firstOfEach } from '../../../../src/world/recording/observation/new-ignore-files.ts'

test('of a hidden folder with very many files the first ones count, and each ignore file', () => {
  const many = Array.from({ length: 20_000 }, (_, n) => `big/${n}`)
  const found = firstOfEach([...many, 'big/sub/.gitignore', 'lib/a', 'x.log'], ['big/', 'lib', 'x.log'])
  expect(found).toEqual([...many.slice(0, 200), 'big/sub/.gitignore', 'lib/a', 'x.log'])
})
