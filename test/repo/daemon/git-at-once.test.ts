import { expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { operationRepo, type Operation } from '../../rig/operation-repo.ts'

const operated = fixture(operationRepo)

/** Every kind of operation that writes files; none of them touches `deep/file` or `by-hand`. */
const operations: Readonly<Record<string, string>> = {
  switch: 'git switch -q other',
  merge: 'git merge -q --no-edit other',
  'a conflict': 'stops git merge clash',
  'cherry-pick -n': 'git cherry-pick -n other',
  'restore --source': 'git restore --source=other src/a src/b',
  'stash apply': 'git stash apply -q stash@{0}',
  'checkout REV -- file': 'git checkout -q other -- src/a src/b src/new',
}
const ahead = { typed: 'line 7 TEXT b', before: 'git stash -q; git stash apply -q; git reset -q --hard' }
const typed = 'echo TEXT >> src/deep/file; echo TEXT > src/by-hand'
const writes = [
  ['create', 'by-hand', [1, 1]],
  ['modify', 'deep/file', [2, 2]],
] as const

test.each(Object.entries(operations))('what is typed around a %s is told, and nothing else', async (_, operation) => {
  const before = await operated().recordsOf({ ...ahead, run: `${typed}; ${operation}` })
  const after = await operated().recordsOf({ ...ahead, run: `${operation}; ${typed}` })
  expect({ before, after }).toEqual({ before: writes, after: writes })
})

const within: Readonly<Record<string, Operation>> = {
  'by a hook': {
    run: `mkdir -p ../hooks; printf '#!/bin/sh\\necho TEXT > src/by-hand\\n' > ../hooks/post-checkout
      chmod +x ../hooks/*; git -c core.hooksPath=../hooks switch -q other`,
    writes: [['create', 'by-hand', [1, 1]]],
  },
  'by a command of a rebase': {
    run: `git switch -q -C work ahead; git rebase -q -x 'test -f src/by-hand || echo TEXT > src/by-hand' other`,
    writes: [['create', 'by-hand', [1, 1]]],
  },
  'by a filter, while git holds the index': {
    before: `
      echo 'src/b filter=busy' > .gitattributes; save attributes
      git switch -qc more; line 2 TEXT b; save more; git switch -q work
      git config filter.busy.smudge 'echo TEXT > src/by-hand; cat'; git config filter.busy.clean cat`,
    run: 'git switch -q more; git config --remove-section filter.busy; git switch -q main; git branch -qD more',
    writes: [['create', 'by-hand', [1, 1]]],
  },
  'after a rebase': {
    run: 'git switch -q -C work ahead; git rebase -q other; line 2 TEXT a',
    writes: [['modify', 'a', [2, 2]]],
  },
  'on top of what a switch brought': {
    run: 'git switch -q other; line 2 TEXT b',
    writes: [['modify', 'b', [2, 2]]],
  },
  'on top of what a switch brought, and staged': {
    run: 'git switch -q other; line 2 TEXT b; git add -A',
    writes: [['modify', 'b', [2, 2]]],
  },
  'on top of what a pull brought, and committed': {
    run: 'git pull -q --rebase ../remote other; line 2 TEXT b; echo TEXT >> src/new; git commit -qam typed',
    writes: [
      ['modify', 'b', [2, 2]],
      ['modify', 'new', [2, 2]],
    ],
  },
  'and committed before git leaves it and brings it back': {
    run: 'line 2 TEXT b; save typed; git switch -q main; git switch -q work; line 3 TEXT b',
    writes: [['modify', 'b', [2, 3]]],
  },
  'and committed before a rebase, in a file of its own': {
    run: 'echo TEXT > src/typed; save typed; git rebase -q other; echo TEXT >> src/typed; git commit -qam more',
    writes: [['create', 'typed', [1, 2]]],
  },
  'on top of what a merge made': {
    run: 'git merge -q --no-edit other; line 2 TEXT a',
    writes: [['modify', 'a', [2, 2]]],
  },
  'on top of what a stash brought back': {
    typed: 'line 7 TEXT b',
    before: 'git stash -q',
    run: 'git stash pop -q; line 2 TEXT b',
    writes: [['modify', 'b', [2, 2]]],
  },
  'and put into a stash, brought back and staged': {
    run: 'line 3 TEXT b; git stash -q; git stash apply -q; git add -A',
    writes: [['modify', 'b', [3, 3]]],
  },
  'into the index, in the middle of a cherry-pick': {
    before: 'stops git cherry-pick clash',
    run: 'line 2 TEXT b; git add src/b; echo TEXT > src/by-hand; git add src/by-hand',
    writes: [
      ['modify', 'b', [2, 2]],
      ['create', 'by-hand', [1, 1]],
    ],
  },
}

test.each(Object.entries(within))('what is written %s is told line by line', async (_, operation) => {
  expect(await operated().recordsOf(operation)).toEqual(operation.writes)
})
