import { expect, test } from 'vitest'
import {
  commitsInProgress,
  commitsMadeAgain,
  isMerging,
  isRebasing,
  isReplaying,
  mergedCommits,
} from '../../../src/core/git/git-operation.ts'
import { type FactSource, type Gatherer, gatherSync } from '../../../src/core/git/gatherer.ts'

const [A, B, C] = ['a'.repeat(40), 'b'.repeat(40), 'c'.repeat(40)]

/** A git directory with these files; a name that is in `refs` is a reference in a table. */
function answer<T>(
  gatherer: Gatherer<T>,
  files: Readonly<Record<string, string>>,
  refs: Record<string, string> = {},
): T {
  const at = (path: string): string | undefined => files[path.replace('/g/', '')]
  const source: FactSource = {
    ask: () => {
      throw new Error('git answers no question that has to succeed')
    },
    tryAsk: ({ args, parse }) => {
      const said = args[0] === 'cat-file' ? refs[args[2]?.replace('^{commit}', '') ?? ''] : refs[args.at(-1) ?? '']
      return said === undefined ? null : parse(said)
    },
    read: path => (at(path) === undefined ? null : Buffer.from(at(path) ?? '')),
    readEnd: () => null,
    exists: path => at(path) !== undefined,
    list: () => [],
  }
  return gatherSync(source, gatherer)
}

const dir = { gitDir: '/g' }
const REBASE = { 'rebase-merge': '' }

test.each<[what: string, files: Readonly<Record<string, string>>, reflogAction: string, isMade: boolean]>([
  ['nothing', {}, '', false],
  ['a pick', { CHERRY_PICK_HEAD: A }, '', false],
  ['a stop of a rebase', REBASE, '', false],
  ['a rebase that git goes on with', REBASE, 'rebase', true],
  ['a rebase of the older kind', { 'rebase-apply': '' }, 'rebase', true],
  ['a rebase that picks', { ...REBASE, CHERRY_PICK_HEAD: A }, '', true],
  ['a rebase that reverts', { ...REBASE, REVERT_HEAD: A }, '', true],
  ['a rebase that merges', { ...REBASE, MERGE_HEAD: A }, '', true],
  ['an action that is no rebase', {}, 'commit', false],
])('%s: whether git makes the commit again', (_, files, reflogAction, isMade) => {
  expect(answer(isReplaying({ ...dir, reflogAction }), files)).toBe(isMade)
})

test.each<[what: string, files: Readonly<Record<string, string>>, inProgress: string[], again: string[]]>([
  ['nothing', {}, [], []],
  ['a pick', { CHERRY_PICK_HEAD: `${A}\n` }, [A], [A]],
  ['a revert', { REVERT_HEAD: A }, [A], []],
  ['a stop of a rebase', { ...REBASE, REBASE_HEAD: B }, [B], [B]],
  ['a pick in a rebase', { ...REBASE, CHERRY_PICK_HEAD: A, REBASE_HEAD: B }, [A, B], [A, B]],
  ['the head of a rebase that is over', { REBASE_HEAD: B }, [], []],
])('%s: the commits in progress, and those that git makes again', (_, files, inProgress, again) => {
  expect(answer(commitsInProgress(dir), files)).toEqual(inProgress)
  expect(answer(commitsMadeAgain(dir), files)).toEqual(again)
})

test('a reference in a table is asked of git', () => {
  expect(answer(commitsInProgress(dir), { reftable: '' }, { CHERRY_PICK_HEAD: `${A}\n` })).toEqual([A])
  expect(answer(commitsInProgress(dir), {}, { CHERRY_PICK_HEAD: `${A}\n` })).toEqual([])
})

test('the sides of a merge are those of its file, else those that git names and that are here', () => {
  const sides = (files: Record<string, string>, namedSides: string[]) =>
    answer(mergedCommits({ ...dir, namedSides }), files, { [B]: '', [C]: '' })
  expect(sides({ MERGE_HEAD: `${A}\n${B}\n` }, [C])).toEqual([A, B])
  expect(sides({}, [A, B, C])).toEqual([B, C])
  expect(sides({}, [])).toEqual([])
  expect([answer(isMerging(dir), { MERGE_HEAD: A }), answer(isMerging(dir), {})]).toEqual([true, false])
  expect([answer(isRebasing(dir), REBASE), answer(isRebasing(dir), {})]).toEqual([true, false])
})
