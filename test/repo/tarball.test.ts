import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packedKotef } from '../rig/packed.ts'

test('the tarball has the program, the hooks and the pages of explanation, and nothing that made them', async () => {
  const names = await readdir(packedKotef().root)
  expect(names.sort()).toEqual(['README.md', 'dist', 'docs', 'hooks', 'node_modules', 'package.json'])
  const built = await readdir(join(packedKotef().root, 'dist'), { recursive: true })
  expect(built.filter(it => /\.(ts|map)$|test/.test(it))).toEqual([])
  expect(built).toEqual(expect.arrayContaining(['main.cjs', 'main-watch.cjs', 'hook.cjs']))
})
