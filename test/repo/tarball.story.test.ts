import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packedKotef } from '../rig/packed-kotef.ts'

test('the tarball has the program and its documents, and nothing that made them (solo C7, team P4)', async () => {
  const names = await readdir(packedKotef().root)
  expect(names.sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'dist',
    'docs',
    'hooks',
    'node_modules',
    'package.json',
    'src',
  ])
  const built = await readdir(join(packedKotef().root, 'dist'), { recursive: true })
  expect(built.filter(it => /(?<!\.d)\.(ts|map)$|test/.test(it))).toEqual([])
  expect(built).toEqual(expect.arrayContaining(['main.cjs', 'main-watch.cjs', 'hook.cjs']))
})

test('every file that the README links to is in the tarball (solo C7, team P5)', async () => {
  const readme = await readFile(join(packedKotef().root, 'README.md'), 'utf8')
  const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(it => it[1] ?? '')
  expect(links.length).toBeGreaterThan(5)
  expect(links.filter(it => !existsSync(join(packedKotef().root, it)))).toEqual([])
})
