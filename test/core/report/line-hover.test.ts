import { expect, test } from 'vitest'
import { blockLenses, fileLens } from '../../../src/core/report/author-lens.ts'
import { type AuthoredLine, lineHover, unsavedHover } from '../../../src/core/report/line-hover.ts'

const AGENT = { type: 'ai', model_id: 'maker/robot' } as const
const BY = { name: 'Ada', at: Date.UTC(2026, 0, 2, 12) }

function lineOf(line: number, more: Partial<AuthoredLine['author']> = {}, commit: string | null = 'c'.repeat(40)) {
  const author = { contributor: AGENT, session: 's-1', intent: 'INT-001', attribution: 'claimed', ...more } as const
  return { line, commit, by: commit === null ? null : BY, author, how: 'note' } as const
}

test('a hover names intent, author, session, commit and source', () => {
  expect(lineHover(lineOf(1), { name: 'pay', form: 'plaintext' }).split('\n')).toEqual([
    'Intent: INT-001, pay',
    'Author: ai maker/robot (claimed)',
    'Session: s-1',
    'Commit: cccccccccc by Ada, 2026-01-02',
    'Known by: the note on the commit',
  ])
})

test('what is not known has no row (look B8)', () => {
  const unknown = { contributor: { type: 'unknown' }, session: null, intent: null, attribution: 'unknown' } as const
  const text = lineHover({ ...lineOf(1, unknown, null), how: 'none' }, { name: null, form: 'plaintext' })
  expect(text.split('\n')).toEqual(['Intent: none', 'Author: unknown', 'Commit: none yet'])
})

test('in Markdown each text is escaped, and each row keeps its line', () => {
  const text = lineHover(lineOf(1, { session: '<b>`x`' }), { name: '[a](b)', form: 'markdown' })
  expect(text).toContain(String.raw`**Intent** INT-001, \[a\](b)`)
  expect(text).toContain(`  \n**Session** ${String.raw`\<b\>\`x\``}  \n`)
  expect(unsavedHover('markdown')).toMatch(/^\*\*Not saved\*\* /)
})

test('the lens of a file has the most frequent intent and author first', () => {
  const person = { contributor: { type: 'human' }, intent: 'INT-002' } as const
  const lines = [lineOf(1, person), lineOf(2), lineOf(3)]
  expect(fileLens(lines, id => (id === 'INT-001' ? 'pay $(x)' : null))).toEqual({
    line: 1,
    title: String.raw`INT-001 pay \$(x), INT-002 · robot 67%, human 33%`,
  })
  expect(fileLens([], () => null)).toBeNull()
})

test('a guess has a question mark, and what is too much is counted', () => {
  const unknown = { contributor: { type: 'unknown' }, intent: null } as const
  expect(fileLens([lineOf(1, unknown)], () => null)?.title).toBe('no intent · Ada? 100%')
  const many = Array.from({ length: 5 }, (_, n) => lineOf(n + 1, { intent: `INT-${n}`, doubt: 'person' }))
  expect(fileLens(many, () => null)?.title).toBe('INT-0, INT-1, INT-2, INT-3 and 1 more · robot? 100%')
})

test('each run of lines with the same author has one lens', () => {
  const person = { contributor: { type: 'human' } } as const
  const lines = [lineOf(1), lineOf(2), lineOf(3, person), lineOf(4), lineOf(5, {}, null)]
  expect(blockLenses(lines).map(it => [it.line, it.title])).toEqual([
    [1, 'INT-001 · robot · cccccccccc'],
    [3, 'INT-001 · human · cccccccccc'],
    [4, 'INT-001 · robot · cccccccccc'],
    [5, 'INT-001 · robot · uncommitted'],
  ])
})
