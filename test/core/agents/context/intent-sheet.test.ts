import { expect, test } from 'vitest'
import { intentSheet } from '../../../../src/core/agents/context/intent-sheet.ts'
import { contextFacts } from '../../../rig/context-facts.ts'

const partOf = (name: string, facts = contextFacts({})) => intentSheet(facts).parts.find(it => it.name === name)
const entriesOf = (name: string, facts = contextFacts({})) => {
  const part = partOf(name, facts)
  return part && 'entries' in part ? part.entries : []
}

test('a criterion is closed by a person, or by a command', () => {
  expect(entriesOf('acceptance_criteria')).toEqual([
    { text: 'A person was paid', about: { closed_by: 'person' } },
    { text: 'npm test', about: { closed_by: 'command' } },
  ])
})

test('a constraint of the project has the file that it is from', () => {
  const facts = contextFacts({}, { projectConstraints: ['Never run `npm publish`'] })
  expect(entriesOf('constraints', facts).map(({ text, about }) => [text, about['by']])).toEqual([
    ['DO NOT round', undefined],
    ['Never run `npm publish`', '.sdd/KOTEF.md'],
  ])
})

test('each forbidden path has the file that forbids it', () => {
  expect(entriesOf('forbidden').map(({ text, about }) => [text, about['by']])).toEqual([
    ['secrets/**', '.sdd/KOTEF.md'],
    ['*.pem', '.intentignore'],
    ['.husky/**', 'governance'],
  ])
})

test.each([
  ['a', 'a', { state: 'a', changed_since_record: 'no' }],
  ['a', 'b', { state: 'a', changed_since_record: 'yes' }],
  [null, 'b', { state: 'absent', changed_since_record: 'yes' }],
  [null, null, { state: 'absent', changed_since_record: 'no' }],
])('a file that is %j now, and was recorded as %j: %j', (state, recorded, about) => {
  const facts = contextFacts({}, { files: [{ path: 'src/a', state, recorded }] })
  expect(entriesOf('files', facts)).toEqual([{ text: 'src/a', about }])
})

test('an entry of the history names twelve paths, counts the others, and has what is known of its commit', () => {
  const paths = Array.from({ length: 14 }, (_, n) => `p${n}`)
  const work = {
    at: '2026-01-01T00:00:00Z',
    by: 'human',
    session: null,
    commit: { oid: 'c', subject: 's' },
    paths,
    classes: ['INTENT_EVOLUTION', 'FORMAT'] as const,
  }
  const [entry] = entriesOf('recent_history', contextFacts({}, { history: [work] }))
  expect(entry?.text).toMatch(/^p0, .*, p11, … and 2 more$/)
  expect(entry?.about).toEqual({
    at: '2026-01-01T00:00:00Z',
    by: 'human',
    commit: 'c',
    subject: 's',
    mutation_class: 'INTENT_EVOLUTION FORMAT',
  })
})

test('what can not be seen is spelled out in every part', () => {
  const facts = contextFacts({ name: '\u202e', constraints: ['\u200b'] }, { lessons: ['\u202e'] })
  expect(partOf('name', facts)).toMatchObject({ text: '\\u202e' })
  expect(entriesOf('constraints', facts)).toMatchObject([{ text: '\\u200b' }])
  expect(entriesOf('lessons', facts)).toMatchObject([{ text: '\\u202e' }])
})

test('the declarations of the map are listed, and there is no element without them', () => {
  const declared = {
    intent: 'INT-001',
    path: 'src/pay/a.ts',
    kind: 'function',
    name: 'refund',
    hash: 'xxh64:01',
    commits: [],
  }
  const { parts } = intentSheet(contextFacts({}, { declarations: [declared] }))
  expect(parts.find(it => it.name === 'declarations')).toMatchObject({
    entries: [{ text: 'refund', about: { path: 'src/pay/a.ts', kind: 'function', hash: 'xxh64:01' } }],
  })
  expect(intentSheet(contextFacts({})).parts.map(it => it.name)).not.toContain('declarations')
})
