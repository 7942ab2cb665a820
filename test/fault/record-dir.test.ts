import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { disk, type Files } from '../../src/world/io/files/files.ts'
import { recordDir } from '../../src/world/io/worktree/record-dir.ts'
import { brittleFiles, memoryFiles } from '../rig/brittle-files.ts'
import { temporaryRepo } from '../rig/repo.ts'

type Item = { readonly n: number }

function parse(text: string): Item | null {
  const { n } = JSON.parse(text) as { n?: unknown }
  return typeof n === 'number' ? { n } : null
}

type Limits = {
  readonly max?: number
  readonly ttlMs?: number
  readonly isPrivate?: boolean
  readonly isDurable?: boolean
}

const items = (files: Files, gitDir = '/git', limits: Limits = {}) =>
  recordDir({ files, gitDir }, { folder: ['items'], fileName: /\.json$/, parse, ...limits })

test.each([
  ['no JSON', '{'],
  ['nothing', ''],
  ['another shape', '{"n":"1"}'],
  ['null', 'null'],
])('a file with %s counts as absent, and stays for a person to look at', async (_, text) => {
  const files = memoryFiles()
  const dir = items(files)
  await dir.put('a.json', { n: 1 })
  await files.put(dir.path('b.json'), text)
  await files.put(dir.path('c.json.1.2.tmp'), '{"n":3}')
  expect(await dir.get('b.json')).toBe(null)
  expect(await dir.get('d.json')).toBe(null)
  expect(await dir.list()).toEqual([{ name: 'a.json', record: { n: 1 } }])
  expect(await dir.names()).toEqual(['a.json', 'b.json'])
  expect(files.text(dir.path('b.json'))).toBe(text)
})

test.each([
  ['a durable record', true],
  ['a record', false],
])('whichever disk call fails, %s is the old one or the new one', async (_, isDurable) => {
  for (let failing = 1; ; failing++) {
    const memory = memoryFiles()
    await items(memory).put('1-a.json', { n: 1 })
    const files = brittleFiles(memory, { failing, dead: true })
    const done = await items(files, '/git', { max: 5, isDurable })
      .put('1-a.json', { n: 2 })
      .then(
        () => true,
        () => false,
      )
    expect(await items(memory).get('1-a.json'), `call ${failing}`).toEqual({ n: done ? 2 : 1 })
    if (!files.hasFailed()) return
  }
})

test('of many that take a record at once, one gets it', async () => {
  await using repo = await temporaryRepo()
  const dir = items(disk, repo.root)
  for (const name of ['a.json', 'b.json']) await dir.put(name, { n: 1 })
  const taken = await Promise.all(Array.from({ length: 20 }, () => dir.take('a.json')))
  expect(taken.filter(Boolean)).toEqual([true])
  expect(await dir.take('a.json')).toBe(false)
  expect(await dir.names()).toEqual(['b.json'])
})

test('many that put at once leave whole records, and no temporary files', async () => {
  await using repo = await temporaryRepo()
  const dir = items(disk, repo.root)
  await Promise.all(Array.from({ length: 40 }, (_, n) => dir.put(`${n % 4}.json`, { n })))
  expect((await dir.list()).map(it => it.record.n % 4)).toEqual([0, 1, 2, 3])
  expect((await disk.list(join(repo.root, 'kotef/items'))).length).toBe(4)
})

test('a new record removes those that are too many or too old, whatever their files are named', async () => {
  const files = memoryFiles()
  const dir = items(files, '/git', { max: 3, ttlMs: 1_000 })
  await files.put(dir.path('not a record'), '')
  for (const at of [10_000, 10_100, 10_200, 10_300, 10_400]) await dir.put(`${at}-a.json`, { n: at })
  expect(await dir.names()).toEqual(['10100-a.json', '10200-a.json', '10300-a.json', '10400-a.json'])
  expect((await files.list(dir.path(''))).includes('not a record')).toBe(false)
  await dir.put('11301-a.json', { n: 0 })
  expect(await dir.names()).toEqual(['10400-a.json', '11301-a.json'])
  // The clock was set back.
  await dir.put('00001-a.json', { n: 0 })
  expect(await dir.names()).toEqual(['00001-a.json'])
})

test('what cannot be removed does not stop a new record', async () => {
  await using repo = await temporaryRepo()
  const dir = items(disk, repo.root, { max: 1 })
  await mkdir(dir.path('1-folder.json'), { recursive: true })
  await dir.put('1-other.json', { n: 1 })
  await dir.put('2-a.json', { n: 2 })
  expect(await dir.get('2-a.json')).toEqual({ n: 2 })
  await expect(dir.get('1-folder.json')).rejects.toThrow('EISDIR')
})

test('a private record is read only from a file that nobody else can write or read', async () => {
  await using repo = await temporaryRepo()
  const dir = items(disk, repo.root, { isPrivate: true })
  await dir.put('a.json', { n: 1 })
  await disk.replace(dir.path('b.json'), '{"n":2}', 0o644)
  expect(await dir.list()).toEqual([{ name: 'a.json', record: { n: 1 } }])
})
