import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyOf, hookedRepo } from '../../rig/hooked.ts'
import type { Repo } from '../../rig/repo.ts'

let template: Repo
beforeAll(async () => {
  template = await hookedRepo()
})
afterAll(() => template[Symbol.asyncDispose]())

const IDS = "git log -1 --format='%(trailers:key=Intent-ID,valueonly,separator=%x2C)'"
const CHANGE = 'echo more >>src/a.ts; git add src'
const EDITOR = 'GIT_EDITOR="sh -c \'printf \\"written\\\\n\\\\nbody\\\\n\\" | cat - \\$0 >m && mv m \\$0\'"'

type Row = readonly [promise: string, commands: string, printed: string]

const forms: readonly Row[] = [
  ['-m is stamped', `${CHANGE}; git commit -qm work; ${IDS}`, 'INT-001'],
  ['-F is stamped', `${CHANGE}; printf 'work\\n\\nbody' | git commit -qF -; ${IDS}`, 'INT-001'],
  ['what an editor wrote is stamped, above the comments', `${CHANGE}; ${EDITOR} git commit -q; ${IDS}`, 'INT-001'],
  ['with -v the trailer is above the diff', `${CHANGE}; ${EDITOR} git commit -qv; ${IDS}`, 'INT-001'],
  [
    'another comment character',
    `${CHANGE}; git config core.commentChar ';'; ${EDITOR} git commit -q; ${IDS}`,
    'INT-001',
  ],
  [
    'an empty message is left to git',
    `${CHANGE}; GIT_EDITOR=true git commit 2>&1 | tail -1`,
    'Aborting commit due to empty commit message.',
  ],
  ['-a is judged by the index that it makes', `echo more >>src/a.ts; git commit -qam work; ${IDS}`, 'INT-001'],
  [
    '--only leaves aside what is staged besides',
    `echo x >lib/x.ts; git add lib; echo y >>src/a.ts; git commit -qm w --only src/a.ts; ${IDS}`,
    'INT-001',
  ],
  [
    '-i takes both',
    `echo y >>src/b.ts; git add src; echo y >>src/a.ts; git commit -qm w -i src/a.ts; ${IDS}`,
    'INT-001',
  ],
  [
    '-s keeps one block',
    `${CHANGE}; git commit -qsm w; git log -1 --format=%b`,
    'Signed-off-by: Cora Committer <cora@example.com>\nIntent-ID: INT-001\n',
  ],
  ['--allow-empty is stamped', `git commit -qm w --allow-empty; ${IDS}`, 'INT-001'],
  ['nothing staged is left to git', `git commit -qm w >../out; echo $?`, '1'],
  ['--fixup is stamped', `${CHANGE}; git commit -qm w; ${CHANGE}; git commit -q --fixup HEAD; ${IDS}`, 'INT-001'],
  [
    '--squash is stamped',
    `${CHANGE}; git commit -qm w; ${CHANGE}; git commit -q --squash HEAD -m more; ${IDS}`,
    'INT-001',
  ],
  [
    'a line that begins with # is content of -m',
    `${CHANGE}; git commit -qm '# w' -m '# x'; git log -1 --format=%B | sed -n 1,5p`,
    '# w\n\n# x\n\nIntent-ID: INT-001',
  ],
  [
    '--cleanup=verbatim without a final newline',
    `${CHANGE}; printf w | git commit -q --cleanup=verbatim -F -; ${IDS}`,
    'INT-001',
  ],
  [
    '--template is judged when it was edited',
    `${CHANGE}; echo tpl >../tpl; ${EDITOR} git commit -qt ../tpl; ${IDS}`,
    'INT-001',
  ],
  [
    'a body of many paragraphs',
    `${CHANGE}; git commit -qm w -m one -m 'two: x y' -m 'https://example.com'; ${IDS}`,
    'INT-001',
  ],
  [
    'the trailer of another intent stays alone',
    `echo x >>docs/b.md; git commit -qam w -m 'Intent-ID: INT-002'; ${IDS}`,
    'INT-002',
  ],
  [
    'several intents, each path owned by one',
    `echo x >>docs/b.md; ${CHANGE}; git commit -qam w -m 'Intent-ID: INT-001
intent-id: INT-002'; ${IDS}`,
    'INT-001,INT-002',
  ],
  ['partial staging: only the index counts', `echo x >>lib/x.ts; ${CHANGE}; git commit -qm w; ${IDS}`, 'INT-001'],
  ['add -N is not in the commit', `echo x >lib/n; git add -N lib/n; ${CHANGE}; git commit -qm w; ${IDS}`, 'INT-001'],
  ['--no-verify is stamped and not judged', `echo x >>lib/x.ts; git commit -qanm w; ${IDS}`, 'INT-001'],
  [
    'a message that is not UTF-8 keeps its bytes',
    `${CHANGE}
        printf 'w\\377\\n' | git -c i18n.commitEncoding=latin1 commit -qF -
        git cat-file commit HEAD | grep -c "$(printf 'w\\377')"`,
    '1',
  ],
]

const rewriting: readonly Row[] = [
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
    'a clean cherry-pick keeps its id',
    `git switch -qc side
        echo x >>docs/b.md
        git commit -qam d -m 'Intent-ID: INT-002'
        git switch -q main
        ${CHANGE}
        git commit -qm w
        git cherry-pick side >../out
        ${IDS}`,
    'INT-002',
  ],
  ['a clean revert is stamped', `${CHANGE}; git commit -qm w; git revert --no-edit HEAD >../out; ${IDS}`, 'INT-001'],
  [
    'a revert with an editor is stamped',
    `${CHANGE}; git commit -qm w; GIT_EDITOR=true git revert --edit HEAD >../out; ${IDS}`,
    'INT-001',
  ],
  [
    'a clean merge needs no trailer',
    `git switch -qc side
        ${CHANGE}
        git commit -qm w
        git switch -q main
        echo y >>src/b.ts
        git commit -qam v
        git merge -q --no-ff -m merge side
        ${IDS}
        git log -1 --format=%s`,
    '\nmerge',
  ],
  [
    'a merge with a conflict goes through',
    `git switch -qc side
        echo 1 >src/a.ts
        git commit -qam w
        git switch -q main
        echo 2 >src/a.ts
        git commit -qam v
        git merge -q side >../out
        echo 3 >src/a.ts
        git commit -qam merge
        git log -1 --format=%s`,
    'merge',
  ],
  [
    'a rebase keeps each id',
    `git switch -qc side
        echo x >>docs/b.md
        git commit -qam d -m 'Intent-ID: INT-002'
        git switch -q main
        ${CHANGE}
        git commit -qm w
        git rebase -q main side
        ${IDS}`,
    'INT-002',
  ],
  [
    'a rebase never adds an id',
    `git switch -qc side HEAD~1
        echo x >>docs/b.md
        git -c core.hooksPath=/dev/null commit -qam d
        git rebase -q main
        ${IDS}`,
    '',
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
    'merge --squash is a commit like any other',
    `git switch -qc side
        ${CHANGE}
        git commit -qm w
        git switch -q main
        git merge -q --squash side >../out
        git commit -qm all
        ${IDS}`,
    'INT-001',
  ],
]

describe('a commit that is fine', () => {
  test.concurrent.each(forms)('%s', keepsItsPromise)
})

describe('a commit made from another', () => {
  test.concurrent.each(rewriting)('%s', keepsItsPromise)
})

async function keepsItsPromise(_: string, commands: string, printed: string) {
  await using repo = await copyOf(template)
  const { stdout, stderr } = await repo.run('sh', ['-c', commands])
  expect(stdout.replace(/\n$/, '')).toBe(printed)
  expect(stderr).not.toContain('kotef')
}
