import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { runCommands, judgeNewHistory } from '../../rig/judged-repo.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { checkShellRow, type ShellRow } from '../../rig/shell-rows.ts'

const template = fixture(hookedRepo)

const keepsItsPromise = checkShellRow(template)

const IDS = "git log -1 --format='%(trailers:key=Intent-ID,valueonly,separator=%x2C)'"
const CHANGE = 'echo more >>src/a.ts; git add src'
const WRITER = `sh -c 'printf "written\\n\\nbody\\n" | cat - "$0" >m && mv m "$0"'`
const EDITOR = `GIT_EDITOR=${quoted(WRITER)}`

const forms: readonly ShellRow[] = [
  ['-m is stamped', `${CHANGE}; git commit -qm work; ${IDS}`, 'INT-001'],
  ['-F is stamped', `${CHANGE}; printf 'work\\n\\nbody' | git commit -qF -; ${IDS}`, 'INT-001'],
  ['what an editor wrote is stamped, above the comments', `${CHANGE}; ${EDITOR} git commit -q; ${IDS}`, 'INT-001'],
  ['-e with -m is stamped once', `${CHANGE}; ${EDITOR} git commit -qem w; ${IDS}`, 'INT-001'],
  ['with -v the trailer is above the diff', `${CHANGE}; ${EDITOR} git commit -qv; ${IDS}`, 'INT-001'],
  ['with commit.verbose as well', `${CHANGE}; git config commit.verbose 2; ${EDITOR} git commit -q; ${IDS}`, 'INT-001'],
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
    '-p is judged by what was picked',
    `echo x >>lib/x.ts; echo y >>src/a.ts; printf 'n\\ny\\n' | git commit -qpm w >../out; ${IDS}; git diff --name-only`,
    'INT-001\nlib/x.ts',
  ],
  [
    '-s keeps one block',
    `${CHANGE}; git commit -qsm w; git log -1 --format=%b`,
    'Signed-off-by: Cora Committer <cora@example.com>\nIntent-ID: INT-001\n',
  ],
  ['--allow-empty is stamped', `git commit -qm w --allow-empty; ${IDS}`, 'INT-001'],
  [
    '--allow-empty-message goes through as it is',
    `git commit -q --allow-empty --allow-empty-message -m ''; git log -1 --format='%P [%B]' | cut -c 41-`,
    ' []',
  ],
  ['nothing staged is left to git', `git commit -qm w >../out || echo $?`, '1'],
  [
    'an unmerged index is left to git',
    `git switch -qc side; echo 1 >src/a.ts; git commit -qam w; git switch -q main; echo 2 >src/a.ts; git commit -qam v
     git merge -q side >../out 2>&1 || git commit -qm w 2>&1 | grep fatal`,
    'fatal: Exiting because of an unresolved conflict.',
  ],
  ['--fixup is stamped', `${CHANGE}; git commit -qm w; ${CHANGE}; git commit -q --fixup HEAD; ${IDS}`, 'INT-001'],
  [
    '--squash is stamped',
    `${CHANGE}; git commit -qm w; ${CHANGE}; git commit -q --squash HEAD -m more; ${IDS}`,
    'INT-001',
  ],
  [
    'the trailer of another intent stays alone',
    `echo x >>docs/b.md; git commit -qam w -m 'Intent-ID: INT-002'; ${IDS}`,
    'INT-002',
  ],
  [
    '--trailer names another intent',
    `echo x >>docs/b.md; git commit -qam w --trailer Intent-ID=INT-002; ${IDS}`,
    'INT-002',
  ],
  [
    'several intents, each path owned by one',
    `echo x >>docs/b.md; ${CHANGE}; git commit -qam w -m 'Intent-ID: INT-001
intent-id: INT-002'; ${IDS}`,
    'INT-001,INT-002',
  ],
  ['partial staging: only the index counts', `echo x >>lib/x.ts; ${CHANGE}; git commit -qm w; ${IDS}`, 'INT-001'],
  [
    'a file that is staged in part stays as it is',
    `${CHANGE}; echo later >>src/a.ts; git commit -qm w; ${IDS}; git diff -U0 | tail -1`,
    'INT-001\n+later',
  ],
  ['add -N is not in the commit', `echo x >lib/n; git add -N lib/n; ${CHANGE}; git commit -qm w; ${IDS}`, 'INT-001'],
  ['--no-verify is stamped and not judged', `echo x >>lib/x.ts; git commit -qanm w; ${IDS}`, 'INT-001'],
  [
    '--dry-run runs no hook',
    `echo x >>lib/x.ts; git commit -qam w --dry-run >../out; git log -1 --format=%s`,
    'adopt kotef',
  ],
  [
    'a stash, a note and a tag run no hook',
    `echo x >>lib/x.ts; git stash -q && git notes add -m n && git tag -am t t && git stash list | wc -l | tr -d ' '`,
    '1',
  ],
]

const places: readonly ShellRow[] = [
  ['from a folder below', `cd src; echo more >>a.ts; git commit -qam w; ${IDS}`, 'INT-001'],
  ['by an alias', `${CHANGE}; git config alias.ci 'commit -qm'; git ci w; ${IDS}`, 'INT-001'],
  [
    "by an alias of the shell's",
    `${CHANGE}; git config alias.ci '!cd src && git commit -qm'; git ci w; ${IDS}`,
    'INT-001',
  ],
  [
    'with --git-dir and --work-tree',
    `${CHANGE}; cd ..; git --git-dir=repo/.git --work-tree=repo commit -qm w; cd repo; ${IDS}`,
    'INT-001',
  ],
  ['with -C', `${CHANGE}; at=$PWD; cd /; git -C "$at" commit -qm w; cd "$at"; ${IDS}`, 'INT-001'],
  ['by core.editor', `${CHANGE}; unset GIT_EDITOR; git -c core.editor=${quoted(WRITER)} commit -q; ${IDS}`, 'INT-001'],
  ['by VISUAL', `${CHANGE}; unset GIT_EDITOR; TERM=xterm VISUAL=${quoted(WRITER)} git commit -q; ${IDS}`, 'INT-001'],
  [
    'by an editor in a path with spaces',
    `${CHANGE}; printf '#!/bin/sh\\nexec %s "$1"\\n' ${quoted(WRITER)} >'../an editor'; chmod +x '../an editor'
     GIT_EDITOR='"../an editor"' git commit -q; ${IDS}`,
    'INT-001',
  ],
  [
    'by an editor that does nothing',
    `${CHANGE}; git commit -qm w; GIT_EDITOR=: git commit -q --amend; ${IDS}`,
    'INT-001',
  ],
  [
    'by an editor that does nothing, with another comment character',
    `${CHANGE}; git config core.commentChar ';'; git commit -qm w; GIT_EDITOR=: git commit -q --amend; ${IDS}`,
    'INT-001',
  ],
]

const refused: readonly ShellRow[] = [
  ['--trailer with an unknown intent', `${CHANGE}; git commit -qm w --trailer Intent-ID=INT-999`, 'cites INT-999'],
  ['--amend -m with an unknown intent', `git commit -q --amend -m w -m 'Intent-ID: INT-999'`, 'cites INT-999'],
  ['-a with a file outside', 'echo x >>lib/x.ts; git commit -qam w', 'lib/x.ts is outside'],
  [
    '--only with a file outside',
    `${CHANGE}; echo x >>lib/x.ts; git commit -qm w --only lib/x.ts`,
    'lib/x.ts is outside',
  ],
  ['-i with a file outside', `${CHANGE}; echo x >>lib/x.ts; git commit -qm w -i lib/x.ts`, 'lib/x.ts is outside'],
  [
    '-C of a commit for another intent',
    `echo x >>docs/b.md; git commit -qam w -m 'Intent-ID: INT-002'; ${CHANGE}; git commit -qC HEAD`,
    'src/a.ts is outside intent INT-002',
  ],
  ['from a folder below', 'cd lib; echo x >>x.ts; git commit -qam w', 'lib/x.ts is outside'],
  [
    '--git-dir and --work-tree',
    'echo x >>lib/x.ts; git add lib; cd ..; git --git-dir=repo/.git --work-tree=repo commit -qm w',
    'lib/x.ts is outside',
  ],
  ['a root commit', 'git checkout -q --orphan anew; git commit -qm w', 'adds the registry needs the trailer'],
]

describe('a commit that is fine', () => {
  test.concurrent.each(forms)('%s', keepsItsPromise)
})

describe('a commit made', () => {
  test.concurrent.each(places)('%s is stamped', keepsItsPromise)
})

describe('a commit that is not', () => {
  test.concurrent.each(refused)('%s is stopped', async (_, commands, reason) => {
    await using repo = await copyGoverned(template())
    const { stderr } = await repo.run('sh', ['-c', commands])
    expect(stderr).toContain('kotef: commit stopped')
    expect(stderr).toContain(reason)
  })
})

test('a commit without any message names no intent, which is found afterwards', async () => {
  await using repo = await copyGoverned(template())
  await judgeNewHistory(repo)
  await repo.run('sh', ['-ec', `${CHANGE}; git commit -q --allow-empty-message -m ''`])
  expect(await repo.git('log', '-1', '--format=[%B]')).toBe('[]\n')
  expect(await judgeNewHistory(repo)).toEqual(['intent-named - in '])
})

describe('a signature is of the message as it was stamped', () => {
  // A key of this very test, which git is told to trust.
  const KEY = `ssh-keygen -q -t ed25519 -N '' -C '' -f ../key
    printf 'cora@example.com namespaces="git" %s\\n' "$(cat ../key.pub)" >../signers
    git config gpg.format ssh; git config user.signingKey ../key.pub
    git config gpg.ssh.allowedSignersFile ../signers`

  test.each([
    ['-m', `${CHANGE}; git commit -S -qm w`],
    ['an editor', `${CHANGE}; ${EDITOR} git commit -S -q`],
    [
      'commit.gpgSign and an amendment',
      `${CHANGE}; git commit -qm w; git -c commit.gpgSign=true commit -q --amend -m w`,
    ],
  ])('with %s', async (_, commands) => {
    await using repo = await copyGoverned(template())
    expect(await runCommands(repo, `${KEY}; ${commands}`)).toMatchObject({ code: 0, stderr: '' })
    expect(await repo.git('log', '-1', '--format=%G? %GS %(trailers:only)')).toBe(
      'G cora@example.com Intent-ID: INT-001\n\n',
    )
    expect(await repo.run('git', ['verify-commit', 'HEAD'])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Good "git" signature for cora@example.com'),
    })
    const other = 'git cat-file commit HEAD | sed s/INT-001/INT-002/ | git hash-object -t commit -w --stdin'
    expect((await repo.play(`git verify-commit $(${other})`)).stderr).toContain('Signature verification failed')
  })
})

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
