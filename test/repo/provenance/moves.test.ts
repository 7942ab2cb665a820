import { testFlowsKeepAuthors, testFlowsTogether } from '../../rig/authorship-flows.ts'

// What becomes of lines that are moved, indented or put back.
testFlowsTogether({
  rename: ['agent a +3 one', 'save one', 'git mv a moved', 'save moved', 'person moved +0 top', 'save top'],
  'rename-and-edit': ['agent a +3 one', 'save one', 'git mv a moved', 'person moved +8 more', 'save moved'],
  'rename-by-hand': ['agent a +3 one', 'mv a moved', 'save moved'],
  'rename-folder': [
    'agent deep/c :one two three',
    'save one',
    'git mv deep other',
    'save moved',
    'person other/c +1 x',
    'save x',
  ],
  'move-between-files': [
    'agent a +3 one two three four',
    'save one',
    'person a -4; -4; -4; -4',
    `git show HEAD:./a | sed -n 4,7p > block; head -2 b > new; cat block >> new; tail -n +3 b >> new
      cat new > b; rm block new`,
    'save moved',
  ],
  'reindent-by-person': ['agent a +3 one two three', 'save one', 'person a >4; >5; >6', 'save indented'],
  'reindent-uncommitted': ['agent a +3 one two three', 'person a >4; >5; >6', 'save indented'],
  'reindent-by-formatter': ['agent a +3 one two three', 'save one', "sed -i 's/^/  /' a", 'save indented'],
  'delete-and-recreate': [
    'agent c :one two',
    'save one',
    'rm c',
    'save gone',
    'git checkout -q HEAD^ -- c',
    'save back',
  ],
  'delete-then-other': ['agent c :one two', 'save one', 'rm c', 'save gone', 'person c :three four', 'save other'],
  'odd-path': ["agent ünï/cö~d'é :one two", 'save one', "person ünï/cö~d'é +1 mine", 'save two'],
  'file-mode': ['agent a +3 one', 'chmod +x a', 'save one'],
  'no-final-newline': ['agent a +3 one', 'printf %s "$(cat a)" > a.tmp; cat a.tmp > a; rm a.tmp', 'save one'],
})

testFlowsKeepAuthors({
  crlf: [
    'git config core.autocrlf true; rm a; git checkout -q a',
    'agent a +3 one two',
    'save one',
    'person a +0 top',
    'save two',
  ],
  'space-in-path': [
    'mkdir "with space"; cp a "with space/a b"; save old',
    'git mv "with space/a b" plain; git commit -qm plain',
    'agent plain +3 one',
    'git mv plain "with space c"',
    'save one',
  ],
})
