import { expect, test } from 'vitest'
import { fuzzReader } from './fuzz-reader.ts'
import { makePlayground } from './playground.ts'

test('no generated command line that is taken for reading changes a file', async () => {
  await using playground = makePlayground()
  const { read, bypasses } = await fuzzReader(playground, { seed: 20, more: generated => generated < 2_000 })
  expect(bypasses).toEqual([])
  expect(read).toBeGreaterThan(350)
})

test.each<[line: string, changes: readonly string[]]>([
  ['echo x >>README.md', ['a/b/c/repo/README.md']],
  ['rm -r lib', ['a/b/c/repo/lib', 'a/b/c/repo/lib/tax.ts']],
  ['chmod 600 README.md', ['a/b/c/repo/README.md']],
  ['(sleep 0.1; touch src/late) &', ['a/b/c/repo/src/late']],
  ['git tag evil', ['a/b/c/repo/.git/refs/tags/evil']],
  ['git add -A', ['a/b/c/repo/.git/index']],
  ['touch README.md src/a.ts; git status', []],
  ['git log -p; find . -type f -exec cat {} +', []],
])('after %s the playground sees %j', async (line, changes) => {
  await using playground = makePlayground()
  await playground.run([line])
  expect(playground.changes().filter(it => !it.includes('/objects'))).toEqual(changes)
  expect(playground.changes()).toEqual([])
})
