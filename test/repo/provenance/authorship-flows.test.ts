import { testFlowsKeepAuthors, testFlowsTogether } from '../../rig/authorship-flows.ts'

// What becomes of lines on their way into a commit.

testFlowsTogether({
  'plain-commit': ['agent a +3 one two', 'save one'],
  'initial-file': ['agent c :one two three', 'save one'],
  'both-in-one-commit': ['agent a +3 one two', 'person a +4 between', 'save both'],
  interleaved: ['agent a +1 one; +4 two; +7 three', 'person a +2 x; +6 y', 'save both'],
  'replaced-by-person': ['agent a +3 one two three', 'save one', 'person a =5 mine', 'save two'],
  'replaced-by-agent': ['person a +3 one two three', 'save one', 'agent a =5 mine', 'save two'],
  'person-removes': ['agent a +3 one two three', 'save one', 'person a -5', 'save two'],
  'commit-by-commit': ['agent a +3 one', 'save one', 'agent a +4 two', 'save two', 'person a +5 three', 'save three'],
  'empty-commit-between': ['agent a +3 one', 'git commit -q --allow-empty -m empty', 'save one'],
})

// In a history of their own, where nothing is committed.
testFlowsTogether({
  uncommitted: ['agent a +3 one two', 'person a +0 top'],
  'untracked-file': ['agent c :one two three', 'person c +1 more'],
  'staged-only': ['agent a +3 one', 'git add a', 'person a +0 top'],
})

// Each commits parts of its files, and nothing else is staged meanwhile.
testFlowsTogether({
  'partial-by-file': ['agent a +3 one', 'person b +3 two', 'git add a; git commit -qm a; git add b; git commit -qm b'],
  'partial-by-hunk': [
    'agent a +1 one; +9 two',
    'person a +6 mine',
    "printf '%s\\n' s y n n | git add -p a > /dev/null; git commit -qm half; git add a; git commit -qm rest",
  ],
  'partial-adjacent': [
    'agent a +3 one',
    'person a +4 mine',
    `printf '%s\\n' e | GIT_EDITOR='sed -i /person/d' git add -p a > /dev/null; git commit -qm half
      git add a; git commit -qm rest`,
  ],
})

testFlowsKeepAuthors({
  'stash-pop': ['agent a +3 one', 'git stash -q; git stash pop -q', 'save one'],
  'stash-across-branches': [
    'agent a +7 one',
    'git stash -q; git switch -qc other',
    'person a +0 x y',
    'save x',
    'git stash pop -q',
    'save one',
  ],
  'stash-untracked': ['agent c :one two', 'git stash -q -u; git stash apply -q', 'save one'],
  'stash-path': [
    'agent a +3 one',
    'person b +3 two',
    'git stash push -q -- a; git commit -qam b; git stash pop -q',
    'save a',
  ],
  'stash-branch': [
    'agent a +3 one',
    'git stash -q; git stash branch -q stashed || git stash branch stashed',
    'save one',
  ],
  'stash-conflict': [
    'agent a =5 agents',
    'git stash -q',
    'person a =5 persons',
    'save x',
    'stops git stash pop',
    'person a =5 settled; -6; -6; -6; -6',
    'save settled',
  ],
  'stash-keep-index': [
    'agent a +3 one',
    'git add a',
    'person a +8 two',
    'git stash -q --keep-index; git commit -qm staged; git reset -q --hard',
    'quietly git stash pop || git checkout -q --theirs a',
    'git add -A; git commit -qm rest',
  ],
  'stash-index': [
    'agent a +3 one',
    'git add a',
    'person a +8 two',
    'git stash -q; git stash pop -q --index; git commit -qm staged',
    'save rest',
  ],
  'reset-soft': [
    'agent a +3 one',
    'save one',
    'person a +6 two',
    'save two',
    'git reset -q --soft start; git commit -qm both',
  ],
  'reset-mixed': ['agent a +3 one', 'save one', 'git reset -q start', 'person a +8 two', 'save both'],
  'reset-hard-and-back': [
    'agent a +3 one',
    'save one',
    'git tag there; git reset -q --hard start; git reset -q --hard there; git tag -d there',
  ],
  'reset-path': [
    'agent a +3 one',
    'person b +3 two',
    'git add -A; git reset -q a; git commit -qm b; git add a; git commit -qm a',
  ],
  'dirty-switch': ['agent a +3 one', 'git switch -qc other', 'person a +8 two', 'save both'],
  'dirty-switch-merge': [
    'git switch -qc other',
    'person a +0 x y',
    'save x',
    'git switch -q main',
    'agent a +7 one',
    'git checkout -q --merge other',
    'save both',
  ],
})
