import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isConstraint, ruleOfConstraint } from '../../../../src/core/intents/contract/constraints.ts'
import { statementsOf } from '../../../../src/core/intents/contract/statements.ts'

test('a statement has its line, its section, its task and its code', () => {
  const markdown = '# Title\n\nWords\nmore words\n\n## Done\n\n- [ ] `npm test` passes\n- [x] old\n'
  expect(statementsOf(markdown)).toEqual([
    { text: 'Words', line: 3, section: 'Title', task: null, code: [] },
    { text: 'more words', line: 4, section: 'Title', task: null, code: [] },
    { text: '`npm test` passes', line: 8, section: 'Done', task: 'open', code: ['npm test'] },
    { text: 'old', line: 9, section: 'Done', task: 'done', code: [] },
  ])
})

const piece = fc.constantFrom(
  ...[
    '- ',
    '1. ',
    '> ',
    '**',
    '`',
    '```\n',
    '\n',
    '\r\n',
    '    ',
    '<!--',
    '-->',
    '# ',
    '[ ] ',
    '\uFEFF',
    '|',
    '\u0000',
  ],
  ...[
    'DO NOT ',
    'Never ',
    'touch ',
    'src/**',
    'mind',
    'words ',
    '\\',
    '[a](b)',
    '&amp;',
    '*'.repeat(70),
    '>'.repeat(90),
  ],
)

test('no document makes it throw, and a rule is never invented', () => {
  const documents = fc.array(piece, { maxLength: 60 }).map(it => it.join(''))
  fc.assert(
    fc.property(documents, markdown => {
      for (const it of statementsOf(markdown)) {
        expect(it.line).toBeGreaterThan(0)
        if (isConstraint(it.text) && ruleOfConstraint(it)) expect(markdown).toMatch(/DO NOT|Never/)
      }
    }),
    { numRuns: 1_000 },
  )
})

test.each([
  ['quotes within quotes', '>'.repeat(50_000)],
  ['lists within lists', Array.from({ length: 50 }, (_, n) => `${'  '.repeat(n)}- a`).join('\n')],
  ['open brackets', '['.repeat(20_000)],
  ['backticks', '`'.repeat(20_000)],
  ['stars', '*a '.repeat(10_000)],
])('%s do not hold it up', (_, markdown) => {
  expect(statementsOf(markdown).every(it => it.line > 0)).toBe(true)
})
