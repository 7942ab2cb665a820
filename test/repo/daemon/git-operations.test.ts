import { expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { operationRepo, type Operation } from '../../rig/operation-repo.ts'

const operated = fixture(operationRepo)

const FLUSHES = "printf '#!/bin/sh\\nkotef flush\\n'"
// Git takes the index twice in a row for what it stashed, and a daemon on a busy machine is too late for the first. It
// does not see the lock then, and a merge of more than some milliseconds is not known to be git's.
const FLUSHES_WHEN_MERGED = "printf '#!/bin/sh\\nif grep -q TEXT src/b && grep -q other src/b; then kotef flush; fi\\n'"

/** Commands that bring committed work into the worktree, in every way that git has; each runs on a branch at `main`. */
const none: Readonly<Record<string, string | readonly [before: string, run: string]>> = {
  'checkout of a branch': 'git checkout -q other',
  'checkout of a commit': 'git checkout -q --detach other~1',
  'switch there and back': 'git switch -q other; git switch -q work',
  'switch -c at another commit': 'git switch -qc fresh other; git switch -q work; git branch -qD fresh',
  'switch -f over changes': ['line 3 TEXT a; echo TEXT > src/typed', 'git switch -qf other'],
  'checkout -- file': ['line 3 TEXT a', 'git checkout -q -- src/a'],
  'checkout REV -- file': 'git checkout -q other -- src',
  restore: ['line 3 TEXT a; rm src/b', 'git restore src'],
  'restore --staged': ['line 3 TEXT a; git add -A', 'git restore --staged src'],
  'restore --source': 'git restore --source=other src/a src/b',
  'restore --source --staged --worktree': 'git restore --source=other -SW src/a src/b',
  'pull, fast-forward': 'git reset -q --hard main~1; git pull -q --ff-only ../remote main',
  'pull, merge': 'git pull -q --no-rebase --no-edit ../remote other',
  'pull --rebase': 'git pull -q --rebase ../remote other',
  'merge, fast-forward': 'git merge -q ahead',
  'merge --no-ff': 'git merge -q --no-ff --no-edit ahead',
  'a true merge': 'git merge -q --no-edit other',
  'merge --squash': 'git merge -q --squash other',
  'merge --squash, committed': ['git merge -q --squash other', 'git commit -qm squash'],
  'merge --no-commit': 'git merge -q --no-commit other',
  'merge, conflicted': 'stops git merge clash',
  'merge, conflicted and aborted': ['stops git merge clash', 'git merge --abort'],
  'merge, conflicted and aborted at once': 'stops git merge clash; git merge --abort',
  'merge, conflict settled with theirs': ['stops git merge clash', 'git checkout -q --theirs src/a'],
  'merge, conflict made anew': ['stops git merge clash', 'git checkout -q --merge src/a'],
  rebase: 'git rebase -q other',
  'rebase --apply': 'git rebase -q --apply other',
  'rebase --onto': 'git switch -q -C work ahead; git rebase -q --onto other main',
  'rebase --autostash': [
    `line 5 TEXT b; mkdir ../merged; ${FLUSHES_WHEN_MERGED} > ../merged/post-index-change; chmod +x ../merged/*`,
    'git -c core.hooksPath=../merged rebase -q --autostash other',
  ],
  'rebase --autostash of a new file, judged midway': [
    `echo TEXT > src/typed; git add -A; mkdir ../midway; ${FLUSHES} > ../midway/pre-rebase; chmod +x ../midway/*`,
    'git -c core.hooksPath=../midway rebase -q --autostash other',
  ],
  'rebase -i with squash': `git switch -q -C work ahead; todo '2s/pick/squash/' main`,
  'rebase -i with drop': `git switch -q -C work ahead; todo '1s/pick/drop/' main`,
  'rebase -i with fixup': `git switch -q -C work ahead; todo '2s/pick/fixup/' main`,
  'rebase -i with edit': `git switch -q -C work ahead; todo '1s/pick/edit/' main; git rebase --continue`,
  'rebase -i in another order': `git switch -q -C work ahead; todo '1{h;d};2G' main`,
  'rebase, conflicted': 'stops git rebase clash',
  'rebase, conflicted and aborted': ['stops git rebase clash', 'git rebase --abort'],
  'rebase --apply, conflicted and skipped': ['stops git rebase --apply clash', 'git rebase --skip'],
  'cherry-pick': 'git cherry-pick other~1',
  'cherry-pick -n': 'git cherry-pick -n other~1',
  'cherry-pick, conflicted and aborted': ['stops git cherry-pick clash', 'git cherry-pick --abort'],
  revert: 'git switch -q -C work ahead; git revert --no-edit HEAD~1',
  'revert -n': ['git switch -q -C work ahead', 'git revert -n HEAD~1'],
  'reset --hard': 'git reset -q --hard other',
  'reset --hard over changes': ['line 3 TEXT a; echo TEXT > src/typed; git add -A', 'git reset -q --hard other'],
  'reset --mixed': 'git reset -q --mixed other~2',
  'reset --keep': ['line 3 TEXT b', 'git reset -q --keep main~1'],
  'reset --merge': ['line 3 TEXT b', 'git reset -q --merge main~1'],
}

const commands = Object.entries(none).map(([title, it]): [string, Operation] => {
  const [before, run] = typeof it === 'string' ? [':', it] : it
  return [title, { before, run }]
})

test.each(commands)('%s writes no record', async (_, operation) => {
  expect(await operated().recordsOf(operation)).toEqual([])
})
