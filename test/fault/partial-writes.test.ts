import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { disk } from '../../src/world/io/files/files.ts'
import { writeHookFile } from '../../src/world/setup/hook-file.ts'

test.each<[string, (path: string) => Promise<void>]>([
  ['that is replaced', path => disk.replace(path, 'text')],
  ['that can be made again', path => disk.put(path, 'text')],
  ['of a hook', path => writeHookFile(path, 'text')],
])('a file %s leaves nothing half-written where it can not be put in place', async (_, write) => {
  const folder = await mkdtemp(join(tmpdir(), 'half-'))
  await mkdir(join(folder, 'taken/by a folder'), { recursive: true })
  await expect(write(join(folder, 'taken'))).rejects.toMatchObject({ syscall: 'rename' })
  expect(await readdir(folder)).toEqual(['taken'])
  await rm(folder, { recursive: true })
})
