import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { watchedFolder } from '../../rig/watched-folder.ts'

type Scenario = {
  readonly title: string
  /** What stands in the tree before it is watched. */
  readonly before?: readonly string[]
  /** The backends that have to begin anew. */
  readonly confusing?: readonly string[]
  readonly act: (root: string) => void
}

const numbered = (count: number, name: (n: number) => string): string[] =>
  Array.from({ length: count }, (_, n) => name(n))
const write = (root: string, path: string, text: string | Buffer = `${path}\n`): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const scenarios: readonly Scenario[] = [
  {
    title: 'deep directories that are made and filled at once',
    act: root => numbered(20, n => `new/${n}/a/b/c/d/e.ts`).forEach(it => write(root, it)),
  },
  {
    title: 'a directory that is renamed',
    before: ['old/a.ts', 'old/b/c.ts', 'old/b/d/e.ts'],
    act: root => renameSync(join(root, 'old'), join(root, 'new')),
  },
  {
    title: 'a directory that is renamed, and written in under its new name',
    before: ['old/a.ts', 'old/b/c.ts'],
    act: root => {
      renameSync(join(root, 'old'), join(root, 'new'))
      write(root, 'new/b/c.ts', 'again\n')
      write(root, 'old/a.ts', 'another\n')
    },
  },
  {
    title: 'a directory that leaves the tree',
    before: ['going/a.ts', 'going/b/c.ts', 'staying.ts'],
    act: root => renameSync(join(root, 'going'), `${root}-gone`),
  },
  {
    title: 'a directory that comes into the tree, with all that is in it',
    act: root => {
      const outside = mkdtempSync(join(realpathSync(tmpdir()), 'w-'))
      numbered(30, n => `d${n % 5}/e/f${n}.ts`).forEach(it => write(outside, it))
      renameSync(outside, join(root, 'come'))
    },
  },
  {
    title: 'a directory that is deleted and made again',
    before: numbered(20, n => `d/e/f${n}.ts`),
    act: root => {
      rmSync(join(root, 'd'), { recursive: true })
      numbered(5, n => `d/e/f${n}.ts`).forEach(it => write(root, it, 'again\n'))
    },
  },
  {
    title: 'a tree that is deleted',
    before: numbered(200, n => `tree/d${n % 20}/f${n}.ts`),
    act: root => rmSync(join(root, 'tree'), { recursive: true }),
  },
  {
    title: 'rapid writes to a few files',
    before: numbered(5, n => `f${n}.ts`),
    act: root => {
      for (let n = 0; n < 250; n++) write(root, `f${n % 5}.ts`, `${'x'.repeat(n)}\n`)
    },
  },
  {
    title: 'atomic saves, and a write in place after them',
    before: ['a.ts', 'b.ts'],
    act: root => {
      for (let n = 0; n < 100; n++) {
        write(root, '.a.ts.tmp', `${n}\n`)
        renameSync(join(root, '.a.ts.tmp'), join(root, 'a.ts'))
      }
      write(root, 'a.ts', 'in place\n')
    },
  },
  {
    title: '1,000 files in 50 directories that come at once',
    act: root => numbered(1_000, n => `d${n % 50}/e/f${n}.ts`).forEach(it => write(root, it)),
  },
  {
    title: 'a file in whose place a directory comes, and the other way round',
    before: ['file', 'folder/a.ts'],
    confusing: ['polling'],
    act: root => {
      rmSync(join(root, 'file'))
      write(root, 'file/a.ts')
      rmSync(join(root, 'folder'), { recursive: true })
      write(root, 'folder')
    },
  },
  {
    title: 'names with spaces, newlines, quotes, stars and letters of any kind',
    act: root =>
      ['a b.ts', 'a\nb/c\n.ts', '"q\'.ts', 'été/日本.ts', '*?[x].ts', '-rf', '...'].forEach(it => write(root, it)),
  },
  {
    title: 'a write to each file of a tree of 2,000',
    before: numbered(2_000, n => `d${n % 40}/f${n}.ts`),
    act: root => numbered(2_000, n => `d${n % 40}/f${n}.ts`).forEach(it => write(root, it, 'written\n')),
  },
]

describe.each(['chokidar', 'directories', 'polling'] as const)('%s', backend => {
  test.concurrent.each(scenarios)('tells of $title', async ({ before = [], confusing = [], act }) => {
    await using reported = watchedFolder(backend)
    for (const path of before) write(reported.root, path)
    await reported.watch()
    act(reported.root)
    await reported.allReported()
    expect(reported.problems).toEqual([])
    if (!confusing.includes(backend)) expect(reported.overflows()).toBe(0)
  })

  test.concurrent('a symlink to a directory is told of, and not followed', async () => {
    await using elsewhere = watchedFolder(backend)
    write(elsewhere.root, 'a.ts')
    await using reported = watchedFolder(backend)
    await reported.watch()
    symlinkSync(elsewhere.root, join(reported.root, 'link'))
    await reported.allReported()
    write(elsewhere.root, 'a.ts', 'written\n')
    write(reported.root, 'b.ts')
    await reported.allReported()
    expect([...reported.events].sort()).toEqual(['b.ts', 'link'])
  })

  test.concurrent('nothing is told of what is ignored, now or later', async () => {
    const ignored = { paths: ['out', 'debug.log'], globs: ['**/node_modules/**'] }
    await using reported = watchedFolder(backend, { ignored, ignoredLater: ['later', 'src/later'] })
    for (const it of ['out/a.js', 'debug.log', 'src/a.ts']) write(reported.root, it)
    await reported.watch()
    const unwanted = [
      'out/a.js',
      'out/b/c.js',
      'debug.log',
      'node_modules/a/b.js',
      'src/node_modules/a.js',
      '.git/config',
    ]
    for (const it of [...unwanted, 'later/a/b.js', 'src/later/c.js']) write(reported.root, it, 'written\n')
    write(reported.root, 'src/a.ts', 'written\n')
    await reported.allReported(it => it !== 'src/a.ts')
    write(reported.root, 'later/a/d.js')
    write(reported.root, 'src/b.ts')
    await reported.allReported(it => !/^src\/.\.ts$/.test(it))
    expect([...reported.events].sort()).toEqual(['src/a.ts', 'src/b.ts'])
  })

  test.concurrent('what is ignored no more is told of, and what is ignored by now is not', async () => {
    await using reported = watchedFolder(backend, { ignored: { paths: ['out'], globs: [] } })
    for (const it of ['out/a.js', 'src/a.ts', 'kept.ts']) write(reported.root, it)
    await reported.watch()
    await reported.ignore(['src'])
    write(reported.root, 'src/a.ts', 'written\n')
    write(reported.root, 'out/a.js', 'written\n')
    await reported.allReported(it => it === 'src/a.ts')
    expect(reported.events.has('src/a.ts')).toBe(false)
  })

  test.concurrent('a name that is not UTF-8 hides no other file', async () => {
    await using reported = watchedFolder(backend)
    await reported.watch()
    writeFileSync(Buffer.concat([Buffer.from(`${reported.root}/caf`), Buffer.from([0xe9])]), 'x\n')
    mkdirSync(Buffer.concat([Buffer.from(`${reported.root}/folder`), Buffer.from([0xe9])]))
    write(reported.root, 'a.ts')
    write(reported.root, 'b/c.ts')
    await reported.allReported()
    expect(reported.problems).toEqual([])
  })
})
