import { expect, test } from 'vitest'
import { governedRepo, startWatching, flushedWrites } from '../../rig/governed-repo.ts'

test('a restored file is git’s doing, and the next write starts from it', async () => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\n' })
  await using _daemon = await startWatching(repo)
  await repo.write('src/a.ts', 'a\nb\n')
  await flushedWrites(repo)
  await repo.git('restore', 'src/a.ts')
  await flushedWrites(repo)
  await repo.write('src/a.ts', 'a\nc\n')
  const written = await flushedWrites(repo)
  expect(written.map(it => it.files[0]?.conversations[0]?.ranges.map(of => of.start_line))).toEqual([[2], [2]])
  expect(written[1]?.files[0]?.kotef.removed).toEqual([])
})

test('what is written, staged and committed in one breath is recorded all the same', async () => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\n', 'src/b.ts': 'b\n' })
  await using _daemon = await startWatching(repo)
  const script = 'echo new > src/a.ts && echo x > src/new.ts && rm src/b.ts && git add -A && git commit -q -m at-once'
  expect(await repo.run('sh', ['-c', script])).toMatchObject({ code: 0 })
  const written = (await flushedWrites(repo)).map(it => [it.files[0]?.path, it.files[0]?.kotef.op])
  expect(written.sort()).toEqual([
    ['src/a.ts', 'modify'],
    ['src/b.ts', 'delete'],
    ['src/new.ts', 'create'],
  ])
})

test('line endings that git converts make no writes, and the lines of a real one are right', async () => {
  await using repo = await governedRepo({
    '.gitattributes': '*.bat text eol=crlf\n',
    'src/a.bat': 'a\nb\nc\n',
    'src/b.bat': 'b\n',
  })
  await repo.git('rm', '--quiet', '--cached', '-r', 'src')
  await repo.git('reset', '--quiet', '--hard')
  expect(await repo.read('src/a.bat')).toBe('a\r\nb\r\nc\r\n')
  await using _daemon = await startWatching(repo)
  await repo.run('touch', ['src/b.bat'])
  await repo.write('src/a.bat', 'a\r\nB\r\nc\r\n')
  const written = await flushedWrites(repo)
  expect(
    written.map(it => [
      it.files[0]?.path,
      it.files[0]?.conversations[0]?.ranges.map(of => [of.start_line, of.end_line]),
    ]),
  ).toEqual([['src/a.bat', [[2, 2]]]])
})

test('what was committed anew and packed is not somebody’s when git brings it back', async () => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\n' })
  const play = async (script: string) =>
    expect(await repo.run('sh', ['-ec', `git config core.hooksPath /dev/null; ${script}`])).toMatchObject({ code: 0 })
  // The dates of the rig are long ago.
  await play(`git config gc.reflogExpire never; git config gc.reflogExpireUnreachable never
    git switch -qc other; echo other > src/a.ts; git commit -qam other
    git switch -q main; echo main > src/a.ts; git commit -qam main`)
  await using _daemon = await startWatching(repo)
  await play('git reset -q --soft HEAD~1; git commit -qm again; git gc -q; git switch -q other')
  await flushedWrites(repo)
  await play('git switch -q main')
  expect(await flushedWrites(repo)).toEqual([])
})
