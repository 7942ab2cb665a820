import { join } from 'node:path'
import { expect, test } from 'vitest'
import { maybeIgnored } from '../../../src/world/io/git/maybe-ignored.ts'
import { temporaryRepo } from '../../rig/repo.ts'

const FILES: Readonly<Record<string, string>> = {
  '.gitignore': '# words\n\n*.log\n/build/\ndist\n!keep.log\na/**/z\n  \ncache/ \r\nCase.txt\n',
  'src/.gitignore': '/gen\n*.[oa]\nsub/deep/x\n\\#name\n',
  'src/sub/.gitignore': '*\n!.gitignore\n',
  '.git/info/exclude': 'mine.*\n',
}
const PATHS = [
  ...[
    'a.log',
    'keep.log',
    'src/a.log',
    'build',
    'build/x',
    'src/build',
    'src/build/x',
    'dist',
    'lib/dist/x',
    'a/z',
    'a/b/c/z',
  ],
  ...[
    'cache/x',
    'case.txt',
    'src/gen',
    'src/gen/x',
    'gen',
    'src/x.o',
    'lib/x.o',
    'src/#name',
    'src/sub/deep/x',
    'src/sub/y',
  ],
  ...['mine.txt', 'src/mine.x', 'src/a.ts', 'README.md', 'lib/x.ts', 'ü.log', 'a b/c.log'],
]

test('whatever git ignores by the rules of the repository may be ignored, and plain files may not', async () => {
  await using repo = await temporaryRepo()
  for (const [path, text] of Object.entries(FILES)) await repo.write(path, text)
  for (const folder of ['build', 'dist', 'src/gen']) await repo.write(`${folder}/x`, '')
  const maybe = await maybeIgnored({ root: repo.root, commonDir: join(repo.root, '.git') }, PATHS)
  const { stdout } = await repo.run('git', ['check-ignore', '--stdin', '--no-index', '-z'], { input: PATHS.join('\0') })
  const ignored = stdout.split('\0').filter(it => it !== '')
  expect(ignored.length).toBeGreaterThan(15)
  expect(ignored.filter(it => !maybe.includes(it))).toEqual([])
  for (const path of ['README.md', 'lib/x.ts', 'gen', 'lib/x.o']) expect(maybe).not.toContain(path)
})

test('a line that is longer than any path may match everything, and nothing breaks', async () => {
  await using repo = await temporaryRepo({ '.gitignore': `secret*${'x'.repeat(70_000)}\n` })
  expect(await maybeIgnored({ root: repo.root, commonDir: join(repo.root, '.git') }, ['src/a.ts'])).toEqual([
    'src/a.ts',
  ])
})
