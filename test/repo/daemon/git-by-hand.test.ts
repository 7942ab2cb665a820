import { expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { operationRepo, type Operation } from '../../rig/operation-repo.ts'

const operated = fixture(operationRepo)

/** What git does at somebody's word for work that is in no commit, and what it does for nobody else. */
const reported: Readonly<Record<string, Operation>> = {
  'a patch that is applied is an edit': {
    run: `git diff main other -- src/b src/new | sed 's/^+[a-z].*/+TEXT/' > ../patch; git apply ../patch; save patch`,
    writes: [
      ['modify', 'b', [10, 10]],
      ['create', 'new', [1, 1]],
    ],
  },
  'a patch that is applied to the index, too': {
    run: 'git diff main ahead -- src/more | sed s/+more/+TEXT/ > ../patch; git apply --index ../patch',
    writes: [['create', 'more', [1, 1]]],
  },
  'a patch that becomes a commit is not': {
    run: 'git format-patch -q --stdout main..ahead > ../patch; git am -q ../patch',
  },
  'git mv is a rename': { run: 'git mv src/b src/c', writes: [['rename', 'c']] },
  'git rm is a loss': { run: 'git rm -q src/b', writes: [['delete', 'b']] },
  'git rm and commit is a loss': { run: 'git rm -q src/b; git commit -qm less', writes: [['delete', 'b']] },
  'git clean is a loss': { before: 'echo TEXT > src/typed', run: 'git clean -fdq src', writes: [['delete', 'typed']] },
  'a stash and what comes back is not': {
    before: 'line 3 TEXT a; echo TEXT > src/typed; rm src/b',
    run: 'git stash -q -u; git stash pop -q',
  },
  'what goes into a stash is not a loss': {
    before: 'line 3 TEXT a; echo TEXT > src/typed; git add src/typed; rm src/b',
    run: 'git stash -q',
  },
  'what goes into a stash untracked is not a loss': { before: 'echo TEXT > src/typed', run: 'git stash -q -u' },
  'what comes back from a stash is not a write': {
    typed: 'line 3 TEXT a; echo TEXT > src/typed; rm src/b',
    before: 'git stash -q -u',
    run: 'git stash pop -q',
  },
  'nor what comes back with its index': {
    typed: 'line 3 TEXT a; echo TEXT > src/typed; git add -A; line 5 TEXT a',
    before: 'git stash -q',
    run: 'git stash apply -q --index',
  },
  'nor what is merged with it': {
    typed: 'line 3 TEXT b',
    before: 'git stash -q; git merge -q ahead; git merge -q --no-edit other',
    run: 'git stash pop -q',
  },
  'nor what clashes with it': {
    typed: 'line 1 TEXT a',
    before: 'git stash -q; git reset -q --hard clash',
    run: 'stops git stash pop',
  },
  'what was put into a stash before anybody looked is one': {
    before: 'line 3 TEXT a; echo TEXT > src/typed; git stash -q -u; git commit -q --allow-empty -m more',
    isUnseen: true,
    run: 'git stash pop -q',
    writes: [
      ['modify', 'a', [3, 3]],
      ['create', 'typed', [1, 1]],
    ],
  },
  'what is deleted after a stash brought it back to what git has is a loss': {
    typed: 'line 3 TEXT a',
    run: 'git stash -q; rm src/a; git add -A; git commit -qm less; git checkout -qf HEAD',
    writes: [['delete', 'a']],
  },
  'nor what a stash leaves in the tree': {
    before: 'line 3 TEXT a; git add src/a; line 5 TEXT a',
    run: 'git stash -q --keep-index',
  },
  'nor what a stash takes that is packed at once': {
    typed: 'line 3 TEXT a; echo TEXT > src/typed; git add -A; rm src/b',
    run: 'git stash push -q -u; git gc -q',
  },
  'nor a stash of some paths': { before: 'line 3 TEXT a; line 3 TEXT b', run: 'git stash push -q -- src/a' },
  'what goes after it came out of a stash that was packed at once is a loss': {
    typed: 'echo TEXT > src/typed',
    before: 'git stash push -q -u; git -c gc.reflogExpire=never gc -q; git stash apply -q',
    run: 'rm src/typed',
    writes: [['delete', 'typed']],
  },
  'nor is it one when the stash is first seen after it came out': {
    typed: 'echo TEXT > src/typed',
    before: 'git stash push -q -u; git -c gc.reflogExpire=never gc -q; git stash apply -q',
    isUnseen: true,
    run: 'rm src/typed',
    writes: [['delete', 'typed']],
  },
  'a folder that is moved to where a stash had it is a rename': {
    typed: 'mkdir src/moved; echo TEXT > src/moved/typed',
    before: 'git stash push -q -u; git stash apply -q; mv src/moved src/elsewhere',
    run: 'mv src/elsewhere src/moved',
    writes: [['rename', 'moved/typed']],
  },
  'what comes with a folder that is moved as soon as git has written in it is': {
    before: 'cp -r src/deep src/moved; save copied; rm -r src/moved',
    // The clock of files ticks in between.
    run: `rm src/deep/file; git restore src/deep/file; touch ../one ../two
      until find ../two -newer ../one | grep -q .; do touch ../two; done; mv src/deep src/moved; git restore src/deep`,
    writes: [['create', 'moved/file', [1, 1]]],
  },
  'what goes as HEAD moves is a loss, if git has it no more': {
    typed: 'echo TEXT > src/typed; save typed',
    before: 'git reset -q HEAD~1',
    run: 'rm src/typed; git cherry-pick other~1',
    writes: [['delete', 'typed']],
  },
  'what goes as soon as a reset has left it in the index is a loss': {
    typed: 'echo TEXT > src/typed; save typed',
    run: 'git reset -q --soft HEAD~1; rm src/typed',
    writes: [['delete', 'typed']],
  },
  'what goes as soon as it is staged no more is a loss': {
    typed: 'echo TEXT > src/typed',
    run: 'git add -A; git reset -q; rm src/typed; git reset -q --hard other',
    writes: [['delete', 'typed']],
  },
  'what is committed and reverted at once is not': {
    typed: 'echo TEXT > src/typed',
    run: 'echo TEXT >> src/typed; save typed; git revert --no-edit HEAD',
    isAtOnce: true,
  },
  'what goes as soon as a commit of it was undone is a loss': {
    typed: 'echo TEXT > src/typed',
    run: 'echo TEXT >> src/typed; save typed; git reset -q HEAD~1; rm src/typed',
    isAtOnce: true,
    writes: [['delete', 'typed']],
  },
  'what goes before a reset that never had it is a loss': {
    typed: 'echo TEXT > src/typed',
    run: 'rm src/typed; git reset -q --hard other',
    writes: [['delete', 'typed']],
  },
  'a sparse checkout is not': {
    run: 'git sparse-checkout set --no-cone "/*" "!/src/deep"; git sparse-checkout disable',
  },
  'a sparse checkout that stays is not': {
    before: 'git sparse-checkout set --no-cone "/*" "!/src/deep"',
    run: 'git sparse-checkout disable',
  },
  'another worktree is not': { run: 'git worktree add -q inner other; git worktree remove inner' },
  'a submodule is not': {
    before: 'git -c protocol.file.allow=always submodule --quiet add ../remote src/sub; save module',
    run: 'git -C src/sub switch -q other; git submodule --quiet update; rm -rf src/sub; git submodule --quiet update',
  },
  'line endings that git changes are not': {
    before: 'echo "src/a text eol=crlf" > .gitattributes; git add -A; git commit -qm attributes',
    run: 'rm .git/index; git reset -q --hard; git add --renormalize .; git switch -q other; git switch -q work',
    writes: [],
  },
  'what a filter stores elsewhere is not': {
    typed: `
      git config filter.swap.clean 'tr a-z A-Z'; git config filter.swap.smudge 'tr A-Z a-z'
      echo 'src/text filter=swap' > .gitattributes; echo stored > src/text; save filtered`,
    before: 'echo two >> src/text; save more',
    run: 'git switch -q --detach HEAD~1; git switch -q work; git stash -q; git reset -q --hard HEAD~1',
  },
  'a conflict is not, but its resolution is': {
    before: 'stops git merge clash',
    run: 'line 1 TEXT a; sed -i "2,5d" src/a; save resolved',
    writes: [['modify', 'a', [1, 1]]],
  },
  'a resolution on the way through a rebase is': {
    before: 'stops git rebase clash',
    run: 'line 1 TEXT a; sed -i "2,5d" src/a; git add src/a; git rebase --continue',
    writes: [['modify', 'a', [1, 1]]],
  },
  'an amended stop of a rebase is': {
    before: `git switch -q -C work ahead; todo '1s/pick/edit/' main`,
    run: 'line 4 TEXT a; git commit -qa --amend --no-edit',
    writes: [['modify', 'a', [4, 4]]],
  },
  'an undo by hand is': { run: 'git show other:src/b > src/b', writes: [['modify', 'b', [10, 10]]] },
}

test.each(Object.entries(reported))('%s', async (_, operation) => {
  expect(await operated().recordsOf(operation)).toEqual(operation.writes ?? [])
})
