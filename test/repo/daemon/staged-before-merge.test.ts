import { expect, test } from 'vitest'
import { governedRepo } from '../../rig/governed-repo.ts'
import { startObserver } from '../../rig/observer.ts'

test('what somebody removes and stages, and a stash is popped before anybody looks, is told', async () => {
  await using repo = await governedRepo({ 'src/a': 'a\n', 'src/deep/b': 'b\n' })
  await repo.run('sh', ['-ec', 'echo more >>src/a; git stash -q'])
  await using observer = await startObserver(repo)
  const { recorder, told, failed } = observer.startRecorder()
  using _recorder = recorder
  await recorder.begin(async () => {})
  // Nothing is looked at meanwhile.
  await recorder.runExclusive(async () => {
    await repo.run('sh', ['-ec', 'rm src/deep/b; git add -A; until [ ../later -nt src/deep ]; do touch ../later; done'])
    recorder.pathChanged('src/deep/b')
    await repo.run('sh', ['-ec', 'git stash pop -q'])
    for (const name of ['index', 'AUTO_MERGE']) recorder.gitDirChanged(name)
  })
  expect(await recorder.whenRecorded(observer.context.workspace.clock.ticks() + 30_000)).toBe(true)
  expect([told, failed]).toEqual([[['delete', undefined, 'src/deep/b']], []])
})
