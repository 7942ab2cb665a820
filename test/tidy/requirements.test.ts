import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../rig/packed-kotef.ts'
import { titlesIn } from './named-tests.ts'

const rowsOf = (page: string) =>
  readFileSync(join(repositoryRoot, 'test/requirements', page), 'utf8')
    .split('\n')
    .filter(it => it.startsWith('| ') && !/^\| (?:requirement|finding) /.test(it))

test.each([
  ['runs.md', ''],
  ['trials.md', 'test'],
])('each test that test/requirements/%s names is there, and each row names one or says why not', (page, folder) => {
  const rows = rowsOf(page).map(it => ({ row: it, files: [...it.matchAll(/`([^`\s]+\.(?:test\.ts|txt))`/g)] }))
  expect(rows.length).toBeGreaterThan(19)
  expect(rows.filter(it => it.files.length === 0 && !/none: |`npm run bench/.test(it.row))).toEqual([])
  const named = rows.flatMap(it => it.files.map(([, file = '']) => file))
  expect(named.filter(it => !existsSync(join(repositoryRoot, folder, it)))).toEqual([])
})

test('each part of a title that test/requirements/runs.md quotes is in the file that is named before it', () => {
  const named = rowsOf('runs.md').flatMap(row => {
    const files: { file: string; parts: string[] }[] = []
    for (const [, file, part] of row.matchAll(/`([^`\s]+\.test\.ts)`|"([^"]+)"/g)) {
      if (file !== undefined) files.push({ file, parts: [] })
      if (part !== undefined) files.at(-1)?.parts.push(part)
    }
    return files
  })
  expect(named.flatMap(it => it.parts).length).toBeGreaterThan(30)
  expect(named.filter(lacksTitle)).toEqual([])
})

/** True when some part of a title is in no text of a file. A name in its code is no title. */
function lacksTitle({ file, parts }: { readonly file: string; readonly parts: readonly string[] }): boolean {
  const titles = [...titlesIn(file)]
  return titles.length === 0 || !parts.every(part => titles.some(it => it.includes(part)))
}

const FOLDERS: Readonly<Record<string, (name: string) => string>> = {
  c: name => `test/core/handover/${name}.test.ts`,
  r: name => `test/repo/handover/${name}.test.ts`,
  f: () => 'test/fault/handover-writes.test.ts',
  k: name => `test/rig/handover/${name}.ts`,
}

/** The files of a row, each with the parts of titles that are quoted after it: `c messages: "has no text"`. */
function namedInRow(row: string): { file: string; parts: string[] }[] {
  const named: { file: string; parts: string[] }[] = []
  const words = /`([a-z/.-]+\.test\.ts)`|\b([crk]) ([a-z.-]+)|\b(?:f)\b|"([^"]+)"/g
  for (const [, path, letter = '', name = '', quoted] of row.matchAll(words)) {
    const short = quoted === undefined ? FOLDERS[letter || 'f']?.(name) : undefined
    const file = path === undefined ? short : `test/${path}`
    if (file !== undefined) named.push({ file, parts: [] })
    if (quoted !== undefined) named.at(-1)?.parts.push(...quoted.split('…').map(it => it.trim()))
  }
  return named
}

test('each test that test/requirements/handover.md names is there, with the quoted parts of its titles', () => {
  const named = rowsOf('handover.md').map(it => namedInRow(it.split(' | ').slice(1).join('')))
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter(it => it.length === 0)).toEqual([])
  const lacking = named.flat().filter(lacksTitle)
  expect(lacking).toEqual([])
})
