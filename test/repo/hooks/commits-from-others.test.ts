import { describe, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { hookedRepo } from '../../rig/hooked-repo.ts'
import { checkShellRow, type ShellRow } from '../../rig/shell-rows.ts'

const template = fixture(hookedRepo)

const keepsItsPromise = checkShellRow(template)

const IDS = "git log -1 --format='%(trailers:key=Intent-ID,valueonly,separator=%x2C)'"
const CHANGE = 'echo more >>src/a.ts; git add src'
// Two commits for two intents, and one that fixes the first of them up.
const TWO = `${CHANGE}; git commit -qm code; echo x >>docs/b.md; git commit -qam docs -m 'Intent-ID: INT-002'`
// Git puts `amend! w` above what an editor is given.
const AGAIN = `GIT_EDITOR="sed -i '3s/.*/anew/; /^Intent-ID/d'"`
const todo = (what: string) => `GIT_SEQUENCE_EDITOR="sed -i '2,\\$s/^pick/${what}/'"`

const rewriting: readonly ShellRow[] = [
  [
    '--amend --no-edit keeps the id that is there',
    `${CHANGE}; git commit -qm w; ${CHANGE}; git commit -q --amend --no-edit; ${IDS}`,
    'INT-001',
  ],
  [
    '--amend --no-edit keeps the id of another intent',
    `echo x >>docs/b.md
     git commit -qam w -m 'Intent-ID: INT-002'
     echo y >>docs/b.md
     git commit -qa --amend --no-edit
     ${IDS}`,
    'INT-002',
  ],
  ['--amend -m is stamped anew', `${CHANGE}; git commit -qm w; git commit -q --amend -m again; ${IDS}`, 'INT-001'],
  ['-C keeps the trailer once', `${CHANGE}; git commit -qm w; ${CHANGE}; git commit -qC HEAD; ${IDS}`, 'INT-001'],
  [
    '-c keeps the trailer once',
    `${CHANGE}; git commit -qm w; ${CHANGE}; GIT_EDITOR=true git commit -qc HEAD; ${IDS}`,
    'INT-001',
  ],
  [
    '-C of a commit without one is stamped',
    `${CHANGE}; git -c core.hooksPath=/dev/null commit -qm w; ${CHANGE}; git commit -qC HEAD; ${IDS}`,
    'INT-001',
  ],
  [
    'autosquash keeps one block',
    `${CHANGE}
     git commit -qm w
     ${CHANGE}
     git commit -q --fixup HEAD
     GIT_SEQUENCE_EDITOR=: git rebase -qi --autosquash HEAD~2
     ${IDS}`,
    'INT-001',
  ],
  [
    'autosquash of a --squash keeps one block, and its words',
    `${CHANGE}; git commit -qm w; ${CHANGE}; git commit -q --squash HEAD -m more
     GIT_SEQUENCE_EDITOR=: git rebase -qi --autosquash HEAD~2 >../out; ${IDS}; git log -1 --format=%s
     git log --oneline | wc -l | tr -d ' '`,
    'INT-001\nw\n3',
  ],
  [
    'autosquash of a --fixup=amend: takes its message, stamped once',
    `${CHANGE}; git commit -qm w; ${CHANGE}; ${AGAIN} git commit -q --fixup=amend:HEAD
     GIT_SEQUENCE_EDITOR=: git rebase -qi --autosquash HEAD~2 >../out; ${IDS}; git log -1 --format=%s`,
    'INT-001\nanew',
  ],
  [
    'autosquash of a --fixup=reword: changes the message alone',
    `${CHANGE}; git commit -qm w; ${CHANGE}; ${AGAIN} git commit -q --fixup=reword:HEAD
     git restore -SW src
     GIT_SEQUENCE_EDITOR=: git rebase -qi --autosquash HEAD~2 >../out; ${IDS}; git log -1 --format=%s`,
    'INT-001\nanew',
  ],
  [
    'a revert with an editor is stamped',
    `${CHANGE}; git commit -qm w; GIT_EDITOR=true git revert --edit HEAD >../out; ${IDS}`,
    'INT-001',
  ],
]

const combining: readonly ShellRow[] = [
  [
    'merge --squash with -m carries the id of each commit',
    `git switch -qc side; ${TWO}; git switch -q main; git merge -q --squash side >../out; git commit -qm all; ${IDS}`,
    'INT-002,INT-001',
  ],
  [
    'merge --squash of commits with 2 MiB of words',
    `git switch -qc side; seq 300000 >../words; ${CHANGE}; git commit -qF ../words
     echo x >>docs/b.md; git commit -qa -F ../words --trailer 'Intent-ID: INT-002'
     git switch -q main; git merge -q --squash side >../out; git commit -qm all; ${IDS}`,
    'INT-002,INT-001',
  ],
  [
    'merge --squash with an editor as well',
    `git switch -qc side; ${TWO}; git switch -q main; git merge -q --squash side >../out
     GIT_EDITOR=true git commit -q; ${IDS}; git log -1 --format=%s`,
    'INT-002,INT-001\nSquashed commit of the following:',
  ],
  [
    'merge --squash adds what the message does not say itself',
    `git switch -qc side; ${TWO}; git switch -q main; git merge -q --squash side >../out
     git commit -qm all -m 'Intent-ID: INT-001'; ${IDS}`,
    'INT-001,INT-002',
  ],
  [
    'a squash of two intents has both in one block',
    `${TWO}; ${todo('squash')} git rebase -qi HEAD~2 >../out
     git log -1 --format='%(trailers:only)'; git log -1 --format=%s`,
    'Intent-ID: INT-002\nIntent-ID: INT-001\n\ncode',
  ],
  [
    'a squash with an editor as well',
    `${TWO}; ${todo('squash')} GIT_EDITOR=true git rebase -qi HEAD~2 >../out; ${IDS}`,
    'INT-002,INT-001',
  ],
  [
    'a fixup of another intent keeps its id',
    `${TWO}; ${todo('fixup')} git rebase -qi HEAD~2 >../out; ${IDS}`,
    'INT-001,INT-002',
  ],
  [
    'a squash of one intent has its id once',
    `${CHANGE}; git commit -qm a; ${CHANGE}; git commit -qm b; ${todo('squash')} git rebase -qi HEAD~2 >../out; ${IDS}`,
    'INT-001',
  ],
  [
    'an id in prose is not one that is carried',
    `${CHANGE}; git commit -qm a -m 'about Intent-ID: INT-003
and more'; ${CHANGE}; git commit -qm b; ${todo('squash')} git rebase -qi HEAD~2 >../out; ${IDS}`,
    'INT-001',
  ],
  [
    'an id that the registry does not have is left behind',
    `${CHANGE}; git commit -qm a; ${CHANGE}; git commit -qnm b -m 'Intent-ID: INT-999'
     ${todo('fixup')} git rebase -qi HEAD~2 >../out; ${IDS}`,
    'INT-001',
  ],
  [
    'another comment character does not hide what a fixup cites',
    `git config core.commentChar ';'; ${TWO}; ${todo('fixup')} git rebase -qi HEAD~2 >../out; ${IDS}`,
    'INT-001,INT-002',
  ],
  [
    'a squash with a conflict that was settled by hand has both',
    `echo 1 >src/a.ts; git commit -qam code; echo 2 >src/a.ts; git commit -qam between
     echo 3 >src/a.ts; echo x >>docs/b.md
     git commit -qanm docs -m 'Intent-ID: INT-002'
     GIT_SEQUENCE_EDITOR="sed -i '2d; s/^pick/squash/; 1s/^squash/pick/'" git rebase -qi HEAD~3 >../out 2>&1 || :
     git checkout -q --theirs src/a.ts; git add src docs
     GIT_EDITOR=true git rebase --continue >../out 2>&1; ${IDS}; git show HEAD:src/a.ts`,
    'INT-002,INT-001\n3',
  ],
  [
    'what a rebase only moves keeps every byte',
    `${CHANGE}; printf 'w\\n\\nIntent-ID: INT-002\\n\\nbody   \\r\\nKey:v' | git commit -qn --cleanup=verbatim -F -
     git cat-file commit HEAD | sed '1,/^$/d' >../before
     git commit -q --allow-empty -m later; ${todo('squash')} git rebase -q --force-rebase HEAD~2
     git cat-file commit HEAD~ | sed '1,/^$/d' | cmp - ../before && echo same`,
    'same',
  ],
]

describe('a commit made from another', () => {
  test.concurrent.each(rewriting)('%s', keepsItsPromise)
})

describe('a commit made of several', () => {
  test.concurrent.each(combining)('%s', keepsItsPromise)
})
