import { expect, test } from 'vitest'
import { autosquashTarget, citingCommits, targetCommit } from '../../../../src/core/git/trailers/autosquash.ts'

test.each([
  ['fixup! Add slug', 'Add slug'],
  ['squash! Add slug\n\nwords', 'Add slug'],
  ['fixup! amend! Add slug', 'Add slug'],
  ['fixup! ', null],
  ['fixup slug', null],
  ['Add slug', null],
  ['', null],
])('%j belongs to %j', (message, target) => {
  expect(autosquashTarget(message)).toBe(target)
})

const commit = (oid: string, subject: string) => ({ oid, subject, governs: false, cited: [oid] })
const COMMITS = [commit('c3', 'fixup! Add slug'), commit('abcd2', 'Add slug and more'), commit('abcd1', 'Add slug')]

test.each([
  ['Add slug', 'abcd1'],
  ['Add slug and', 'abcd2'],
  ['abcd1', 'abcd1'],
  ['another', undefined],
])('%j names the commit %s, never another fixup', (target, oid) => {
  expect(targetCommit(target, COMMITS)?.oid).toBe(oid)
})

test('commits are read with what their last paragraph cites', () => {
  const out = 'o1\0one\0one\n\nIntent-ID: INT-1\n\0\no2\0two\0two\n\0\n'
  expect(citingCommits(['HEAD'], 2).parse(out)).toEqual([
    { oid: 'o1', subject: 'one', cited: ['INT-1'], governs: false },
    { oid: 'o2', subject: 'two', cited: [], governs: false },
  ])
})
