import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { disk } from '../../../src/world/io/files/files.ts'

const WRITERS = Array.from({ length: 16 }, (_, n) => `writer ${n}\n`)

test('of writers that find the folder gone at once, each makes it or finds it, and appends', async () => {
  const base = await mkdtemp(join(tmpdir(), 'append-'))
  for (let round = 0; round < 50; round++) {
    const path = join(base, `folder-${round}`, 'file')
    await Promise.all(WRITERS.map(it => disk.append(path, Buffer.from(it))))
    expect((await readFile(path, 'utf8')).split('\n').sort()).toEqual(['', ...WRITERS.map(it => it.trim())].sort())
  }
  await rm(base, { recursive: true })
})

test('a folder above the one that is gone is not made again', async () => {
  const base = await mkdtemp(join(tmpdir(), 'append-'))
  await expect(disk.append(join(base, 'gone', 'folder', 'file'), Buffer.from('x'))).rejects.toMatchObject({
    code: 'ENOENT',
  })
  await rm(base, { recursive: true })
})
