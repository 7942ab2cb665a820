import { testFlowsKeepAuthors, testFlowsTogether } from '../../rig/authorship-flows.ts'

// What becomes of lines that come in by a merge, a pick or from elsewhere.
testFlowsTogether({
  'cherry-pick': [
    'all git switch -qc side',
    'agent a +3 one two',
    'save one',
    'all git switch -q main',
    'all git cherry-pick side',
  ],
  'cherry-pick-shifted': [
    'all git switch -qc side',
    'agent a +7 one two',
    'save one',
    'all git switch -q main',
    'person a +0 x y',
    'save x',
    'all git cherry-pick side',
  ],
})

testFlowsTogether({
  'merge-squash': [
    'all git switch -qc side',
    'agent a +3 one',
    'save one',
    'person a +4 two',
    'save two',
    'all git switch -q main',
    'all git merge -q --squash side; git commit -qm squashed',
  ],
  'merge-squash-shifted': [
    'all git switch -qc side',
    'agent a +7 one',
    'save one',
    'person a +8 two',
    'save two',
    'all git switch -q main',
    'person a +0 x y',
    'save x',
    'all git merge -q --squash side; git commit -qm squashed',
  ],
})

testFlowsKeepAuthors({
  'cherry-pick-no-commit': [
    'git switch -qc side',
    'agent a +3 one two',
    'save one',
    'git switch -q main; git cherry-pick -n side',
    'person a +0 top',
    'save all',
  ],
  'cherry-pick-several': [
    'git switch -qc side',
    'agent a +3 one',
    'save one',
    'person a +4 two',
    'save two',
    'git switch -q main; git cherry-pick start..side',
  ],
  'revert-of-revert': ['agent a +3 one two', 'save one', 'git revert --no-edit HEAD; git revert --no-edit HEAD'],
  'revert-brings-back': [
    'agent a +3 one two three',
    'save one',
    'person a -5',
    'save two',
    'git revert --no-edit HEAD',
  ],
  'merge-no-ff': [
    'git switch -qc side',
    'agent a +3 one',
    'save one',
    'git switch -q main',
    'person b +3 x',
    'save x',
    'git merge -q --no-ff --no-edit side',
  ],
  'merge-conflict': [
    'git switch -qc side',
    'agent a =5 agents; +8 more',
    'save one',
    'git switch -q main',
    'person a =5 persons',
    'save two',
    'stops git merge side',
    'agent a =5 both; -6; -6; -6; -6',
    'git commit -qam merged',
  ],
  'merge-evil': [
    'git switch -qc side',
    'agent a +3 one',
    'save one',
    'git switch -q main',
    'person b +3 x',
    'save x',
    'git merge -q --no-commit --no-ff side',
    'person a +9 evil',
    'git commit -qam merged',
  ],
  'server-squash': [
    'git switch -qc side',
    'agent a +3 one',
    'save one',
    'person a +4 two',
    'save two',
    'git switch -q main; git reset -q --hard $(server main squashed side)',
  ],
  'server-rebase': [
    'git switch -qc side',
    'agent a +7 one',
    'save one',
    'person a +8 two',
    'save two',
    'git switch -q main',
    'person b +0 x y',
    'save x',
    `git clone -q "$top" ../../../server; cd ../../../server; git checkout -q side
      git rebase -q origin/main; cd "$top"; git fetch -q ../server side; git reset -q --hard FETCH_HEAD
      rm -rf ../server`,
  ],
  worktree: [
    'git worktree add -q ../../../linked -b linked',
    'agent a +3 one',
    'save one',
    'git -C ../../../linked merge -q main; git worktree remove ../../../linked; git merge -q linked',
  ],
  'filter-branch': [
    'agent a +3 one',
    'save one',
    'person a +6 two',
    'save two',
    `cd "$top"
      FILTER_BRANCH_SQUELCH_WARNING=1 git filter-branch -f --msg-filter "sed s/^/x/" start..HEAD > /dev/null`,
  ],
  burst: [
    'agent a +3 one',
    'save 1; for n in 1 2 3 4 5; do echo "$flow agent wrote the line burst-$n" >> b; git commit -qam $n; done',
  ],
  'burst-to-one-line': [
    'agent a +3 one',
    'save 1; for n in 1 2 3 4; do sed -i "4s/.*/$flow agent wrote the line turn-$n/" a; git commit -qam $n; done',
  ],
  'pull-ff': [
    'git clone -q "$top" ../../../up',
    'agent a +3 one',
    'save one',
    `cd ../../../up; git pull -q; echo OLD >> src/$flow/b; git commit -qam up; cd "$top"
      git pull -q ../up main; rm -rf ../up`,
  ],
  'pull-rebase': [
    `git clone -q "$top" ../../../up; cd ../../../up; sed -i "1i OLD" src/$flow/a; git commit -qam up`,
    'agent a +7 one two',
    'save one',
    'cd "$top"; git pull -q --rebase ../up main; rm -rf ../up',
  ],
  plumbing: [
    'agent a +3 one',
    'git add a; git reset -q --hard $(git commit-tree -p HEAD -m plumbing $(git write-tree))',
  ],
  'patch-and-am': [
    'git switch -qc side',
    'agent a +3 one',
    'save one',
    `git format-patch -q --stdout main > ../../../patch; git switch -q main; git am -q ../../../patch`,
  ],
  'patch-applied': [
    'agent a +3 one',
    `git diff . > ../../../patch; git checkout -q a
      git apply --directory= ../../../patch || (cd "$top"; git apply ../patch)`,
    'save one',
  ],
  'restore-from-commit': [
    'agent a +3 one',
    'save one',
    'person a -4',
    'save two',
    'git restore --source HEAD^ a; git commit -qam back',
  ],
  'delete-branch-recreate': [
    'git switch -qc side',
    'agent a +3 one',
    'save one',
    'git switch -q main; git branch -qD side; git switch -qc side "$(git reflog --format=%H | sed -n 2p)"',
  ],
  'reflog-gone': [
    'agent a +3 one',
    'save one',
    'git reflog expire --expire=now --all',
    'person a +6 two',
    'git commit -q --amend -a --no-edit',
  ],
})
