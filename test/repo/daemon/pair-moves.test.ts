import { expect, test } from 'vitest'
import { governedRepo } from '../../rig/governed-repo.ts'
import { startObserver } from '../../rig/observer.ts'

test.each([
  ['mv', 'src/a.ts'],
  ['mv', 'src/b.ts'],
  ['git mv', 'src/a.ts'],
  ['git mv', 'src/b.ts'],
])('a %s of which only %s is noticed names both ends', async (how, noticed) => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\nb\n' })
  await using observer = await startObserver(repo)
  await repo.run('sh', ['-c', `${how} src/a.ts src/b.ts`])
  expect(await observer.look([noticed])).toEqual({ reported: [['rename', 'src/a.ts', 'src/b.ts']], torn: [] })
})

test('an end of a move waits while git changes the index, and is no file of its own meanwhile', async () => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\nb\n' })
  const add = () => repo.git('add', '-A')
  await using observer = await startObserver(repo, { whenOthersAreSought: add })
  await repo.run('sh', ['-c', 'mv src/a.ts src/b.ts; echo c >>src/b.ts'])
  expect(await observer.look(['src/a.ts'])).toEqual({ reported: [], torn: ['src/a.ts'] })
  expect(await observer.look(['src/a.ts'])).toEqual({ reported: [['rename', 'src/a.ts', 'src/b.ts']], torn: [] })
})

test.each(['src/a.ts', 'src/b.ts'])(
  'a move is one record when a scan found %s, and an event the other end',
  async scanned => {
    await using repo = await governedRepo({ 'src/a.ts': 'a\nb\n' })
    await using observer = await startObserver(repo)
    const { recorder, reported, failed } = observer.startRecorder()
    using _recorder = recorder
    await recorder.begin(async () => {})
    await repo.run('sh', ['-c', 'mv src/a.ts src/b.ts; echo c >>src/b.ts'])
    for (const path of ['src/b.ts', 'src/a.ts'])
      if (path === scanned) recorder.addPath(path, 'reconcile')
      else recorder.pathChanged(path)
    expect(await recorder.whenRecorded(observer.context.workspace.clock.ticks() + 30_000)).toBe(true)
    expect(reported).toEqual([['rename', 'src/a.ts', 'src/b.ts']])
    expect(failed).toEqual([])
  },
)
