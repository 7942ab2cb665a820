import { expect, test } from 'vitest'
import { noteProgress, noteSeen, noteTree, pushBounded } from '../../../src/core/runs/progress.ts'
import { startedRun } from '../../../src/core/runs/run-state.ts'
import { runTerms, text } from '../../rig/safe-events.ts'

const started = () => startedRun(runTerms([]))

test('a list keeps its last items', () => {
  const list = [1, 2]
  for (const it of [3, 4, 5]) pushBounded(list, it, 3)
  expect(list).toEqual([3, 4, 5])
})

test('a tree is progress when it was never seen, and the first one is not', () => {
  const run = started()
  noteTree(run, 'a')
  expect(run.progress).toBeNull()
  noteTree(run, 'b')
  expect(run.progress).toMatchObject({ what: 'a tree that was never seen' })
  run.progress = null
  noteTree(run, 'a')
  expect([run.tree, run.progress]).toEqual(['a', null])
})

test('progress lets every edge be taken again, and the last hundred are kept', () => {
  const run = started()
  run.edges['a -> b'] = {
    name: text('a -> b'),
    from: text('a'),
    to: text('b'),
    taken: 7,
    sinceProgress: 7,
    reasons: [],
  }
  for (let n = 0; n < 150; n++) noteProgress(run, text(`${n}`))
  expect(run.edges['a -> b']).toMatchObject({ taken: 7, sinceProgress: 0 })
  expect([run.timeline.length, run.timeline[0]?.what]).toEqual([100, '50'])
})

test('what was seen is known again after it was saved', () => {
  const run = started()
  expect([noteSeen(run, 'a'), noteSeen(run, 'a')]).toEqual([true, false])
  expect(noteSeen(structuredClone(run), 'a')).toBe(false)
})
