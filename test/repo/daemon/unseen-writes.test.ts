import { describe, expect, test } from 'vitest'
import { repoWithHistory, runInCall, runInShell, reportedOf, watchedHistory } from '../../rig/agent-calls.ts'
import { ledgerRecords } from '../../rig/agent-hooks.ts'
import { fixture } from '../../rig/fixture.ts'

const watched = fixture(watchedHistory)

// A program that answers git that no file has changed, and a filter that makes HEAD's content of any.
const LIAR =
  "printf '#!/bin/sh\\necho\\n' > src/fsm; chmod +x src/fsm; git config core.fsmonitor $PWD/src/fsm; " +
  'git status >/dev/null'
const CLEANED = 'git config filter.x.clean "git show HEAD:lib/tax"; echo "lib/tax filter=x" >> .git/info/attributes'
// Git reads a file again that is as new as its index.
const LATER = 'until [ "$(stat -c %Y lib/tax)" != "$(date +%s)" ]; do sleep 0.02; done'
const PUT_BACK = 'git config --unset filter.x.clean; rm .git/info/attributes'

// An agent that works for INT-001, which owns `src/**`, runs a command of which the gate can't know what it writes. All
// these make git call the file in `lib` clean, or ignored, or its own. The rows share a daemon, so no two of them put
// the same content at the same path: the second time, it would be what stood there lately.
const UNSEEN: readonly (readonly [name: string, path: string, command: string])[] = [
  ['a plain write', 'lib/tax', 'echo TEXT > lib/tax'],
  ['assume-unchanged', 'lib/tax', 'git update-index --assume-unchanged lib/tax; echo TEXT > lib/tax'],
  ['assume-unchanged, removed', 'lib/tax', 'git update-index --assume-unchanged lib/tax; rm lib/tax'],
  ['assume-unchanged afterwards', 'lib/tax', 'echo TEXT > lib/tax; git update-index --assume-unchanged lib/tax'],
  ['skip-worktree', 'lib/tax', 'git update-index --skip-worktree lib/tax; echo TEXT > lib/tax'],
  ['core.ignoreStat', 'lib/tax', 'git config core.ignoreStat true; touch lib/tax; git add lib; echo TEXT > lib/tax'],
  ['info/exclude', 'lib/new', 'echo lib/ >> .git/info/exclude; echo TEXT > lib/new'],
  [
    'info/exclude, a folder',
    'lib/deep/new',
    'echo lib/ >> .git/info/exclude; mkdir lib/deep; echo TEXT > lib/deep/new',
  ],
  [
    'core.excludesFile',
    'lib/new',
    'echo lib/ > src/ign; git config core.excludesFile "$PWD/src/ign"; echo TEXT > lib/new',
  ],
  [
    'core.trustctime and core.checkStat',
    'lib/tax',
    'git config core.trustctime false; git config core.checkStat minimal; ' +
      'until [ "$(stat -c %Z lib/tax)" != "$(date +%s)" ]; do sleep 0.02; done; ' +
      'cp -p lib/tax ../old; echo TEXT > lib/tax; touch -r ../old lib/tax',
  ],
  ['core.fsmonitor', 'lib/tax', `${LIAR}; echo TEXT > lib/tax`],
  ['core.fsmonitor, removed', 'lib/tax', `${LIAR}; rm lib/tax`],
  ['core.fsmonitor, put back', 'lib/tax', `${LIAR}; echo TEXT > lib/tax; git config --unset core.fsmonitor`],
  ['a filter', 'lib/tax', `${CLEANED}; echo TEXT > lib/tax`],
  ['a filter, and git add', 'lib/tax', `${CLEANED}; echo TEXT > lib/tax; git add lib`],
  ['a filter, put back', 'lib/tax', `${CLEANED}; echo TEXT > lib/tax; ${LATER}; git add lib; ${PUT_BACK}`],
  ['a filter, and a file in the place of a folder', 'lib', 'git config filter.x.clean cat; rm -r lib; echo TEXT > lib'],
  [
    'a filter with = in its name',
    'lib/tax',
    'echo "lib/tax filter=a=b" > .gitattributes; git config filter.a=b.clean "git show HEAD:lib/tax"; ' +
      'echo TEXT > lib/tax',
  ],
  ['a copy that is staged', 'lib/tax', 'cat README > lib/tax; git add lib/tax'],
  ['a copy that is moved there and staged', 'lib/fee', 'cp README ../x; rm lib/fee; cp ../x lib/fee; git add lib/fee'],
  ['a copy as a new file', 'lib/new', 'cp README lib/new; git add lib/new'],
  ['an older version that git puts there', 'lib/auth', 'git checkout -q HEAD~1 -- lib/auth'],
  ['an older version that is restored', 'lib/fee', 'git restore -s HEAD~1 lib/fee'],
  ['an older version', 'lib/rate', 'git show HEAD~1:lib/rate > lib/rate; git add lib/rate'],
  ['a stash that is popped', 'lib/tax', 'echo TEXT > lib/tax; git add lib; git stash -q; git stash pop -q'],
]

// Where nobody watches, the commit is judged in place of its writes.
const COMMITTED: typeof UNSEEN = [
  ['a plain write that is committed', 'lib/tax', 'echo TEXT > lib/tax; save'],
  ['a copy that is committed', 'lib/tax', 'cat src/a > lib/tax; save'],
  ['a copy as a new file that is committed', 'lib/new', 'cp src/a lib/new; git add lib/new; save'],
]

const REPORTED = ['written: window', 'in-scope']

test.for([...UNSEEN, ...COMMITTED])('%s: the write is recorded by a daemon', async ([, path, command]) => {
  expect(reportedOf(await watched().recordsOf(command), path)).toEqual(REPORTED)
})

test.for(UNSEEN)('%s: the write is recorded where nobody watches', async ([, path, command]) => {
  await using repo = await repoWithHistory()
  await runInCall(repo, command)
  expect(reportedOf(await ledgerRecords(repo), path)).toEqual(REPORTED)
})

test("the user's own attributes give a file to a person's filter: the write is recorded by a daemon", async () => {
  const records = await watched().recordsOf(
    'mkdir -p ~/.config/git; echo "lib/tax filter=x" > ~/.config/git/attributes; echo TEXT > lib/tax',
    'git config filter.x.clean "git show HEAD:lib/tax"',
  )
  expect(reportedOf(records, 'lib/tax')).toEqual(REPORTED)
})

const filteredBy = (name: string, attributes = '.git/info/attributes'): string =>
  `git config filter.${name}.clean "tr a-z A-Z"; echo "lib/tax filter=${name}" >> ${attributes}; touch lib/tax; save`
const FILTERED = filteredBy('up')
const SCOPED = `git config extensions.worktreeConfig true; ${FILTERED}`

// A person keeps a local version of a tracked file, or leaves files out.
const HARMLESS: readonly (readonly [name: string, before: string, command: string])[] = [
  ['a flag on a file that stays as it is', ':', 'git update-index --assume-unchanged lib/tax; touch lib/tax'],
  ['the same from before', 'git update-index --skip-worktree lib/tax', 'touch lib/tax'],
  ['a local version from before', 'echo own > lib/tax; git update-index --skip-worktree lib/tax', ':'],
  ["a person's filter, and another setting", FILTERED, 'git config user.name x; touch lib/tax'],
  ["a person's filter, and another filter", FILTERED, 'git config filter.x.clean cat; touch lib/tax'],
  [
    "a person's filter, set to the same for the worktree",
    SCOPED,
    'git config --worktree filter.up.clean "tr a-z A-Z"; touch lib/tax',
  ],
  [
    "a person's filter, set to another for the worktree",
    SCOPED,
    'git config --worktree filter.up.clean "LC_ALL=C tr a-z A-Z"; touch lib/tax',
  ],
  [
    "a person's filter with = in its name, set to another",
    filteredBy('a=b'),
    'git config filter.a=b.clean "LC_ALL=C tr a-z A-Z"; touch lib/tax',
  ],
  [
    "a person's filter, and another line in the user's own attributes",
    `mkdir -p ~/.config/git; ${filteredBy('up', '~/.config/git/attributes')}`,
    'echo "*.md diff=x" >> ~/.config/git/attributes; touch lib/tax',
  ],
  ['a sparse checkout', ':', 'git sparse-checkout set src .orchestration'],
  ['a sparse checkout from before', 'git sparse-checkout set src .orchestration', ':'],
]

describe('in a repository where nothing else was done', () => {
  const harmless = fixture(watchedHistory)

  test.for(HARMLESS)('%s: nothing is recorded by a daemon', async ([, before, command]) => {
    expect(reportedOf(await harmless().recordsOf(command, before), 'lib/tax')).toEqual([])
  })
})

test.for(HARMLESS)('%s: nothing is recorded where nobody watches', async ([, before, command]) => {
  await using repo = await repoWithHistory()
  await runInShell(repo, before)
  await runInCall(repo, command)
  await runInCall(repo, ':')
  expect(reportedOf(await ledgerRecords(repo), 'lib/tax')).toEqual([])
})
