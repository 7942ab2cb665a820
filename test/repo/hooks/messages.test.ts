import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { checkShellRow, type ShellRow } from '../../rig/shell-rows.ts'

const template = fixture(async () => {
  const template = await hookedRepo()
  await template.write('.git/writer', WRITER)
  await template.run('sh', ['-c', 'echo more >>src/a.ts; git add src'])
  return template
})

const keepsItsPromise = checkShellRow(template)

const IDS = "git log -1 --format='%(trailers:key=Intent-ID,valueonly,separator=%x2C)'"
const WRITER = 'printf "written\\n\\n# x\\n; y\\n// z\\n" | cat - "$1" >m && mv m "$1"'
const EDITOR = 'GIT_EDITOR="sh .git/writer"'
const HEAD = 'git cat-file commit HEAD | sed "1,/^$/d"'

const comments: readonly ShellRow[] = [
  ['`#` is a comment', `${EDITOR} git commit -q; ${HEAD}`, 'written\n\n; y\n// z\n\nIntent-ID: INT-001'],
  [
    'core.commentChar is',
    `${EDITOR} git -c core.commentChar=';' commit -q; ${HEAD}`,
    'written\n\n# x\n// z\n\nIntent-ID: INT-001',
  ],
  [
    'core.commentChar=auto takes one that the message does not begin a line with',
    `git commit -qm first -m '# x'; ${EDITOR} git -c core.commentChar=auto commit -q --amend; ${HEAD}`,
    'written\n\n# x\n// z\nfirst\n\n# x\n\nIntent-ID: INT-001',
  ],
  [
    'the later of core.commentString and core.commentChar is',
    `${EDITOR} git -c core.commentString=// -c core.commentChar='%' commit -qv; ${HEAD}`,
    'written\n\n# x\n; y\n// z\n\nIntent-ID: INT-001',
  ],
  [
    'one that begins a line of -m is content',
    `git commit -qm '# w' -m '# x'; ${HEAD}`,
    '# w\n\n# x\n\nIntent-ID: INT-001',
  ],
]

const cleanups: readonly ShellRow[] = ['default', 'strip', 'whitespace', 'verbatim', 'scissors'].flatMap(mode => [
  [`--cleanup=${mode} and -m`, `git commit -qm w -m '# x' --cleanup=${mode}; ${IDS}`, 'INT-001'] as const,
  [`--cleanup=${mode} and an editor`, `${EDITOR} git commit -q --cleanup=${mode}; ${IDS}`, 'INT-001'] as const,
  [`--cleanup=${mode}, an editor and -v`, `${EDITOR} git commit -qv --cleanup=${mode}; ${IDS}`, 'INT-001'] as const,
  [`commit.cleanup=${mode}`, `git config commit.cleanup ${mode}; ${EDITOR} git commit -qv; ${IDS}`, 'INT-001'] as const,
])

const kept: readonly ShellRow[] = [
  [
    'bytes that are not UTF-8',
    `printf 'w\\377\\n\\nb\\200' | git -c i18n.commitEncoding=latin1 commit -qF -; ${HEAD} | od -An -c | tr -d ' \\n'`,
    String.raw`w377\n\nb200\n\nIntent-ID:INT-001\n`,
  ],
  [
    'i18n.commitEncoding',
    `printf 'gr\\374n' | git -c i18n.commitEncoding=latin1 commit -qF -
     git log -1 --encoding=UTF-8 --format=%s; ${IDS}`,
    'grün\nINT-001',
  ],
  [
    'CRLF in a message taken verbatim',
    `printf 'w\\r\\n\\r\\nSigned-off-by: A\\r\\n' | git commit -q --cleanup=verbatim -F -
     ${HEAD} | tr '\\r' R; ${IDS}`,
    'wR\nR\nSigned-off-by: AR\nIntent-ID: INT-001R\nINT-001',
  ],
  [
    'white space in a message taken verbatim',
    `printf 'w  \\n\\n\\n\\nb' | git commit -q --cleanup=verbatim -F -; ${HEAD} | tr ' ' _`,
    'w__\n\n\n\nb\n\nIntent-ID:_INT-001',
  ],
  [
    'the other trailers',
    `printf 'w\\n\\nprose\\nSigned-off-by: A\\nKey:b\\n c' | git commit -qF -
     git log -1 --format='%(trailers:only,unfold)'`,
    'Signed-off-by: A\nKey: b c\nIntent-ID: INT-001\n',
  ],
  [
    'a trailer that the config names',
    `git config trailer.t.key Ticket; git commit -qm w -m 'prose
Ticket: 1'; git log -1 --format='%(trailers:only)'`,
    'Ticket: 1\nIntent-ID: INT-001\n',
  ],
  [
    'an address at the end, and BREAKING CHANGE, are prose',
    `git commit -qm w -m 'BREAKING CHANGE: x' -m 'https://example.com'; ${HEAD}`,
    'w\n\nBREAKING CHANGE: x\n\nhttps://example.com\n\nIntent-ID: INT-001',
  ],
]

const TEMPLATE = "printf 'subject:\\n\\n# why\\n' >../tpl"
const emptied: readonly ShellRow[] = [
  ['an editor is left empty', 'GIT_EDITOR=true git commit', 'empty commit message'],
  ['an editor is left empty below -v', 'GIT_EDITOR=true git commit -v', 'empty commit message'],
  ['an editor is left empty above a cut line', 'GIT_EDITOR=true git commit --cleanup=scissors', 'empty commit message'],
  ['an editor is left with a sign-off alone', 'GIT_EDITOR=true git commit -s', 'empty commit message'],
  ['the editor is `:`', 'GIT_EDITOR=: git commit', 'empty commit message'],
  ['no editor opens and nothing is said', 'git commit --no-edit', 'empty commit message'],
  ['-m is of white space', "git commit -m ' '", 'empty commit message'],
  ['-m is of comments, which are stripped', "git -c commit.cleanup=strip commit -m '# x'", 'empty commit message'],
  ['a template is left as it was', `${TEMPLATE}; GIT_EDITOR=true git commit -t ../tpl`, 'you did not edit the message'],
  ['a template is signed off', `${TEMPLATE}; GIT_EDITOR=true git commit -st ../tpl`, 'you did not edit the message'],
  ['a template is not edited', `${TEMPLATE}; git commit -t ../tpl --no-edit`, 'you did not edit the message'],
  [
    'commit.template is left as it was',
    `${TEMPLATE}; git config commit.template ../tpl; GIT_EDITOR=true git commit -v`,
    'you did not edit the message',
  ],
]

describe('of what an editor was given or left with,', () => {
  test.concurrent.each(comments)('%s', keepsItsPromise)
})

describe('the trailer is one that git finds with', () => {
  test.concurrent.each(cleanups)('%s', keepsItsPromise)
})

describe('a message keeps', () => {
  test.concurrent.each(kept)('%s', keepsItsPromise)
})

describe('the commit is left to git to refuse when', () => {
  test.concurrent.each(emptied)('%s', async (_, commands, words) => {
    await using repo = await copyGoverned(template())
    const { code, stderr } = await repo.run('sh', ['-c', `(${commands}) >../out`])
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(`^Aborting commit.*${words}`) })
    expect(await repo.git('log', '-1', '--format=%s')).toBe('adopt kotef\n')
  })
})

test('a template that was edited is judged, and one of an earlier commit is forgotten', async () => {
  await using repo = await copyGoverned(template())
  const again = 'echo more >>src/a.ts; git add src; git commit -q'
  await repo.run('sh', ['-c', `${TEMPLATE}; ${EDITOR} git commit -qt ../tpl; ${again} -m subject:`])
  expect(await repo.git('log', '-2', '--format=%s %(trailers:key=Intent-ID,valueonly)')).toBe(
    'subject: INT-001\n\nwritten INT-001\n\n',
  )
})
