import { expect, test } from 'vitest'
import { headMoves, joinGitMoves } from '../../../src/core/git/reflog.ts'

const oid = (n: number): string => String(n).repeat(40)
const line = (from: number, to: number, what: string): string =>
  `${oid(from)} ${oid(to)} Ada <ada@example.com> 1767225600 +0000${what && `\t${what}`}\n`

test.each([
  ['commit: by hand', 'commit'],
  ['commit (initial): by hand', 'commit'],
  ['commit (amend): by hand', 'commit'],
  ['commit (merge): what git merged, and a conflict', 'either'],
  ['commit (cherry-pick): the same', 'either'],
  ['rebase (continue): the same', 'either'],
  ['rebase (pick): git’s', 'git'],
  ['checkout: moving from a to b', 'git'],
  ['am: git’s', 'git'],
  ['reset: moving to HEAD~1', 'reset'],
  ['', 'git'],
])('%s is made by %s', (what, by) => {
  expect(headMoves(line(1, 2, what))).toEqual([{ by, from: oid(1), to: oid(2), bytesAfter: 0 }])
})

test('what git did without a break is one move, and the newest comes first', () => {
  const log = line(1, 2, 'pull: a') + line(2, 3, 'merge b: c') + line(3, 4, 'commit: d') + line(4, 5, 'commit: e')
  expect(joinGitMoves(headMoves(`half of a line\n${log}`))).toEqual([
    { by: 'commit', from: oid(4), to: oid(5), bytesAfter: 0 },
    { by: 'commit', from: oid(3), to: oid(4), bytesAfter: line(4, 5, 'commit: e').length },
    {
      by: 'git',
      from: oid(1),
      to: oid(3),
      bytesAfter: log.length - line(1, 2, 'pull: a').length - line(2, 3, 'merge b: c').length,
    },
  ])
})
