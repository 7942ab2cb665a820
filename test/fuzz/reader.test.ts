import { expect, test } from 'vitest'
import { fuzzReader } from './fuzz-reader.ts'
import { isInstalled, makePlayground, type Shell, SHELLS } from './playground.ts'

test('no generated command line that is taken for reading changes a file', async () => {
  await using playground = makePlayground()
  const { read, bypasses } = await fuzzReader(playground, { seed: 20, more: generated => generated < 2_000 })
  expect(bypasses).toEqual([])
  expect(read).toBeGreaterThan(350)
}, 300_000)

const shells = Object.keys(SHELLS).filter((it): it is Shell => isInstalled(it as Shell))

test.each(shells.filter(it => it !== 'bash'))(
  'nor does one in %s',
  async shell => {
    await using playground = makePlayground(shell)
    const { read, bypasses } = await fuzzReader(playground, { seed: 21, more: generated => generated < 600 })
    expect(bypasses).toEqual([])
    expect(read).toBeGreaterThan(80)
  },
  300_000,
)

// What the fuzzer looks for is there to be found.
test.each(shells)('what is run from a folder that became PATH or HOME leaves a file in %s', async shell => {
  await using playground = makePlayground(shell)
  await playground.run(['PATH=5; ls', 'ls'])
  expect(playground.changes()).toContain('home/trap')
  await playground.run(['HOME=5; git status', 'cat README.md'])
  expect(playground.changes()).toContain('home/trap')
})

test('a line that hangs is ended, and those after it are run', async () => {
  await using playground = makePlayground()
  await playground.run(['while :; do sleep 1; done', 'touch evil'])
  expect(playground.changes()).toEqual(['a/b/c/repo/evil'])
})

test.each<[line: string, changes: readonly string[]]>([
  ['echo x >>README.md', ['a/b/c/repo/README.md']],
  ['rm -r lib', ['a/b/c/repo/lib', 'a/b/c/repo/lib/tax.ts']],
  ['chmod 600 README.md', ['a/b/c/repo/README.md']],
  ['(sleep 0.1; touch src/late) &', ['a/b/c/repo/src/late']],
  ['echo <(sleep 0.3; touch src/late)', ['a/b/c/repo/src/late']],
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
