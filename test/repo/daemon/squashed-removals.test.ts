import { expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { operationRepo, type Operation } from '../../rig/operation-repo.ts'

const operated = fixture(operationRepo)

// A branch that HEAD can go forward to: git merges nothing then, and leaves no tree of a merge.
const SHORTER = 'git switch -q -C shorter; git rm -q src/gone; save shorter; git switch -q work'
const MESSAGE = `printf 'Squashed commit of the following:\\n\\ncommit %s\\n' $(git rev-parse shorter) >../message`

test.each<[title: string, operation: Operation]>([
  ['waits for its commit', { before: SHORTER, run: 'git merge -q --squash shorter' }],
  ['was not seen as it came', { before: SHORTER, run: 'git merge -q --squash shorter', isAtOnce: true }],
  [
    'was committed with the message of git before it was seen',
    { before: SHORTER, run: 'git merge -q --squash shorter; git commit -q --no-edit', isAtOnce: true },
  ],
])('a file that a squash removed is no removal of a person: it %s', async (_, operation) => {
  expect(await operated().recordsOf(operation)).toEqual([])
})

test.each<[title: string, operation: Operation, removed: string]>([
  [
    'another file goes while a squash waits',
    { before: `${SHORTER}; git merge -q --squash shorter`, run: 'git rm -q src/b; git commit -qm squash' },
    'b',
  ],
  [
    'the file came back, and goes by hand',
    {
      before: `${SHORTER}; git merge -q --squash shorter; git reset -q --hard`,
      run: 'git rm -q src/gone; git commit -qm gone',
    },
    'gone',
  ],
  [
    'a message names a commit that has the file',
    { before: `${SHORTER}; ${MESSAGE}`, run: 'git rm -q src/b; git commit -qF ../message' },
    'b',
  ],
])('the removal stays that of a person when %s', async (_, operation, removed) => {
  expect(await operated().recordsOf(operation)).toEqual([['delete', removed]])
})
