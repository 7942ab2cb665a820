import { expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { operationRepo, type Operation } from '../../rig/operation-repo.ts'

const operated = fixture(operationRepo)

/** What the events tell of when git has gone on since: on a busy machine, and after a daemon stood still. */
const late: Readonly<Record<string, Operation>> = {
  'what a rebase passes through is no write': { run: 'git rebase -q other' },
  'nor what one of patches does': { run: 'git rebase -q --apply other' },
  'nor what a pull does that rebases': { run: 'git pull -q --rebase ../remote other' },
  'nor what reverts do': { run: 'git switch -q -C work ahead; git revert --no-edit HEAD~1' },
  'nor what is restored without the index': { run: 'git restore --source=other src/a src/b' },
  'nor what comes out of a stash': {
    typed: 'line 3 TEXT a; echo TEXT > src/typed; rm src/b',
    before: 'git stash -q -u',
    run: 'git stash pop -q',
  },
  'nor what comes of a mail': { run: 'git format-patch -q --stdout main..ahead > ../patch; git am -q ../patch' },
  'what somebody writes next to it is': {
    run: 'git rebase -q other; line 5 TEXT b; git add -A',
    writes: [['modify', 'b', [5, 5]]],
  },
  'and so is what somebody brings back while git does nothing': {
    run: 'git show other:src/b > src/b',
    writes: [['modify', 'b', [10, 10]]],
  },
}

test.each(Object.entries(late))('told late, %s', async (_, { writes = [], ...operation }) => {
  expect(await operated().recordsOf({ ...operation, stillMs: 1_000 })).toEqual(writes)
})
