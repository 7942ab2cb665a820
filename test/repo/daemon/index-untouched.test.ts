import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { flushedWrites, governedRepo, startWatching } from '../../rig/governed-repo.ts'

test('a daemon writes neither the index nor a tracked file, also where git would refresh the index', async () => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\n', 'src/b.ts': 'b\n' })
  // Other times for the same content: a `git status` that may take the lock of the index writes it.
  await repo.run('touch', ['-d', '2001-01-01', 'src/a.ts'])
  const state = async () => [
    await readFile(join(repo.root, '.git/index'), 'hex'),
    await repo.git('rev-parse', 'HEAD'),
    await readFile(join(repo.root, 'src/a.ts'), 'utf8'),
  ]
  const before = await state()
  await using _daemon = await startWatching(repo)
  await repo.write('src/b.ts', 'b\nc\n')
  expect((await flushedWrites(repo)).map(it => it.files[0]?.path)).toEqual(['src/b.ts'])
  expect(await state()).toEqual(before)
})
