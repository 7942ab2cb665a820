import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import type { ChangedFile, CommitDiff } from '../../../../src/shells/ui/pages/commit-facts.ts'
import { CommitChanges } from '../../../../src/shells/ui/pages/commit-files.tsx'

const file: ChangedFile = {
  ...{ path: 'src/a.ts', from: null, words: [], added: 3, removed: 1, isGovernance: false, leftOut: 0 },
  hunks: [
    [
      { side: 'kept', by: null, lines: [{ number: 4, text: 'kept' }] },
      { side: 'removed', by: null, lines: [{ number: 5, text: 'gone' }] },
      {
        side: 'added',
        by: { intent: 'INT-001', author: { kind: 'ai', model: 'm' } },
        lines: [5, 6].map(number => ({ number, text: `new ${number}` })),
      },
    ],
    [
      {
        side: 'added',
        by: { intent: null, author: { kind: 'unknown', model: null } },
        lines: [{ number: 9, text: 'n' }],
      },
    ],
  ],
}
const diff: CommitDiff = {
  ...{ parents: 1, isNoted: true, isJudged: true, files: [file], filesLeftOut: 0, added: 3, removed: 1 },
  ...{ authors: [], intents: [] },
}
const html = (changed: Partial<CommitDiff> = {}) => renderToString(<CommitChanges diff={{ ...diff, ...changed }} />)
const textOf = (page: string) => page.replace(/<[^>]*>/g, '')

test('a line has its sign, its number and its text; an added one its intent and its author as well', () => {
  const rows = [...html().matchAll(/<tr>(.*?)<\/tr>/gs)].slice(1).map(it => textOf(it[1] ?? ''))
  expect(rows).toEqual(['4 kept', '5-gone', 'INT-001 agentm5+new 5', '6+new 6', '⋯', 'no intent unknown9+n'])
})

test('only an added line has a margin, in the colour of its intent', () => {
  const blocks = [...html().matchAll(/<tbody class="([^"]*)">(.*?)<\/tbody>/gs)].map(([, name = '', of = '']) => [
    name.split(' ').slice(0, 3).join(' '),
    of.includes('scope="rowgroup"'),
  ])
  expect(blocks).toEqual([
    ...[
      ['is-kept', false],
      ['is-removed', false],
      ['block is-added place', true],
      ['gap', false],
    ],
    ['block is-added tone-none', true],
  ])
})

test('governance files are folded beside others, and open where the commit has nothing else', () => {
  const own = { ...file, isGovernance: true }
  expect(html({ files: [own] })).toContain('<details class="governance" open>')
  expect(html({ files: [file, own] })).toContain('<details class="governance">')
})

test.each<[string, Partial<CommitDiff>, string]>([
  ['without changes', { files: [] }, 'The commit changes no file.'],
  ['that is a merge without changes', { parents: 2, files: [] }, 'The merge has no line of its own'],
  ['of many files', { filesLeftOut: 1_200 }, '… and 1,200 more files, which are not listed.'],
  ['of a long file', { files: [{ ...file, leftOut: 1_500 }] }, '1,500 more lines of this change are not shown.'],
  ['of governance', { files: [{ ...file, isGovernance: true }] }, '1 governance file +3 −1'],
  ['of a renamed file', { files: [{ ...file, from: 'b\u202e' }] }, 'src/a.tsrenamed from &quot;b\\u202e&quot;'],
  ['of a changed mode', { files: [{ ...file, words: ['new', 'binary'] }] }, 'new, binary'],
])('a commit %s says so', (_, changed, words) => {
  expect(textOf(html(changed))).toContain(words)
})
