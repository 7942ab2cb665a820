import { describe, expect, test } from 'vitest'
import { isEmptyToGit, isUnchangedTemplate } from '../../../../src/core/git/trailers/cleanup.ts'
import {
  cleanupFor,
  supportsCommentString,
  messageSettings,
} from '../../../../src/core/git/trailers/message-settings.ts'

const CUT = '------------------------ >8 ------------------------\n'
const nothing = { comment: null, isString: false, cleanup: null, keys: [] }
const edited = (message: string, settings: Partial<typeof nothing> | object = {}) =>
  cleanupFor(message, { ...nothing, ...settings, edited: true })

describe('what the config says', () => {
  test('the later of core.commentChar and core.commentString counts', () => {
    const { comment, isString } = messageSettings.parse('core.commentstring\n//\0core.commentchar\n;\0')
    expect([comment, isString]).toEqual([';', true])
  })

  test('names and keys of trailers are gathered in small letters', () => {
    expect(messageSettings.parse('trailer.Tick.key\nTicket: \0trailer.fix.cmd\nx\ny\0').keys).toEqual([
      'tick',
      'ticket: ',
      'fix',
    ])
  })

  test.each([
    ['git version 2.39.5', false],
    ['git version 2.45.0.windows.1', true],
    ['git version 3.0.0', true],
  ])('%s knows comment strings: %s', (version, knows) => expect(supportsCommentString(version)).toBe(knows))
})

describe('how git will clean a message', () => {
  test.each([
    ['with an editor, comments go', edited('s\n'), { comment: '#', mode: 'strip' }],
    ['without one, they stay', cleanupFor('s\n', { ...nothing, edited: false }), { mode: 'whitespace' }],
    [
      'without one, there is no diff to cut',
      cleanupFor('s\n', { ...nothing, cleanup: 'scissors', edited: false }),
      {
        mode: 'whitespace',
      },
    ],
    ['commit.cleanup holds', edited('s\n', { cleanup: 'verbatim' }), { mode: 'verbatim' }],
    ['a value that is not ASCII is compared as bytes', edited('s\n', { comment: '※' }), { comment: '\xe2\x80\xbb' }],
    ['--cleanup=scissors is seen', edited(`s\n\n# ${CUT}# On branch\n`), { mode: 'scissors' }],
    ['-v is not taken for it', edited(`s\n\n# On branch\n# ${CUT}diff\n`), { mode: 'strip' }],
    ['an editor that is `:` is seen', cleanupFor('\n# On branch\n', { ...nothing, edited: false }), { edited: true }],
    ['-m with comments alone is no editor', cleanupFor('# x\n', { ...nothing, edited: false }), { edited: false }],
  ])('%s', (_, how, expected) => expect(how).toMatchObject(expected))

  test.each([
    ['#', 's\n# On branch\n#\n'],
    [';', '# s\n; On branch\n;\n; Changes\n'],
    ['@', `# s\n@ ${CUT}#\n`],
    ['#', 's\n'],
  ])('`auto` chose %s, and `#` counts when the commit is read', (comment, message) => {
    expect(edited(message, { comment: 'auto' })).toMatchObject({ comment, syntax: { comment: '#' } })
  })
})

describe('what git refuses', () => {
  const strip = { mode: 'strip' } as const
  const verbatim = { mode: 'verbatim' } as const

  test('a message that is only signed off is empty, unless it is taken verbatim', () => {
    expect(isEmptyToGit('\nSigned-off-by: A\n', strip)).toBe(true)
    expect(isEmptyToGit('s\n\nSigned-off-by: A\n', strip)).toBe(false)
    expect(isEmptyToGit('\n', verbatim)).toBe(false)
  })

  test('a template with nothing but a sign-off below is untouched', () => {
    expect(isUnchangedTemplate('tpl\n\nSigned-off-by: A\n', 'tpl\n', strip)).toBe(true)
    expect(isUnchangedTemplate('tpl\nmore\n', 'tpl\n', strip)).toBe(false)
    expect(isUnchangedTemplate('tpl\n', '', strip)).toBe(false)
    expect(isUnchangedTemplate('tpl\n', 'tpl\n', verbatim)).toBe(false)
  })
})
