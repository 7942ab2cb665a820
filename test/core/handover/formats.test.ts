import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readAcceptance, verificationsOf } from '../../../src/core/handover/acceptance-file.ts'
import { readApprovalHistory } from '../../../src/core/handover/approval-history.ts'
import { checkHandover } from '../../../src/core/handover/check-session.ts'
import { lackingSections, WANTED_SECTIONS } from '../../../src/core/handover/sections.ts'
import { readStatus } from '../../../src/core/handover/status-file.ts'
import { readTasks } from '../../../src/core/handover/tasks-file.ts'
import { historyLine, json, SESSION, sessionIn, task } from '../../rig/handover/session-files.ts'

const done = sessionIn('DONE').texts
const TEXTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(done),
  'approve-design-history.jsonl': historyLine('changes-requested: a') + historyLine('changes-requested: b'),
}

type Reading = { readonly problems: readonly { readonly line: number | null; readonly expected: string }[] }

const READERS: Readonly<Record<string, (text: string) => Reading>> = {
  'status.json': it => readStatus('f', it),
  'tasks.yaml': it => readTasks('f', it),
  'acceptance.json': it => readAcceptance('f', it),
  'approve-design-history.jsonl': it => readApprovalHistory('f', it),
}

// Bytes that mean something in JSON, YAML or Markdown, in the place of some of the text.
const damage = fc.record({
  at: fc.nat(4000),
  length: fc.nat(40),
  text: fc.oneof(
    fc.constantFrom('', '{', '}', '[', '"', ':', '- ', '\n', '\0', '&a ', '*a', '#', 'null', '1e999', '\uFEFF', '\\u'),
    fc.string({ maxLength: 20 }),
  ),
})

function damaged(text: string, { at, length, text: other }: { at: number; length: number; text: string }): string {
  const from = at % (text.length + 1)
  return text.slice(0, from) + other + text.slice(from + length)
}

describe.each(Object.keys(READERS))('%s', file => {
  const [read, text] = [READERS[file]!, TEXTS[file]!]
  test('is read as the contract has it', () => {
    expect(read(text).problems).toEqual([])
  })

  test('with any damage is read, or has problems, each with what was expected; nothing is thrown', () => {
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 3 }), list => {
        const { problems } = read(list.reduce(damaged, text))
        for (const it of problems) expect(it.expected).not.toBe('')
      }),
      { numRuns: 400, seed: 1 },
    )
  })

  test('of any text has problems, unless it is empty and a history', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), it => {
        expect(read(it).problems.length > 0 || it === '').toBe(true)
      }),
      { numRuns: 200, seed: 2 },
    )
  })
})

test('a whole session with any damage is checked; nothing is thrown, and each problem has its file', () => {
  const files = Object.keys(TEXTS)
  fc.assert(
    fc.property(fc.nat(files.length - 1), fc.array(damage, { minLength: 1, maxLength: 3 }), (n, list) => {
      const texts = new Map(Object.entries(TEXTS))
      texts.set(files[n]!, list.reduce(damaged, TEXTS[files[n]!]!))
      for (const it of checkHandover({ name: SESSION, texts })) expect(it.file).toContain(`.agents-work/${SESSION}/`)
    }),
    { numRuns: 300, seed: 3 },
  )
})

test('all problems of a file are found at once, with their lines', () => {
  const text = json({ ...JSON.parse(TEXTS['status.json']!), current_state: 'X', last_ci_result: 'Y', assumptions: 1 })
  expect(readStatus('f', text).problems.map(it => [it.line, it.found])).toEqual([
    [2, '"X"'],
    [4, '1'],
    [expect.any(Number), '"Y"'],
  ])
})

test('a file that is nested too deeply is damaged', () => {
  const text = '['.repeat(200_000) + ']'.repeat(200_000)
  expect(readStatus('f', text).problems).toEqual([
    expect.objectContaining({ expected: expect.stringMatching(/^JSON|^valid/) }),
  ])
})

test('tasks that wait for each other are named', () => {
  const tasks = [
    { ...task('T-001', 'not-started'), depends_on: ['T-002'] },
    { ...task('T-002', 'not-started'), depends_on: ['T-001'] },
    { ...task('T-003', 'not-started'), depends_on: ['T-001'] },
    task('T-004', 'not-started'),
  ]
  expect(readTasks('f', json({ tasks })).problems).toEqual([
    expect.objectContaining({ found: 'T-001, T-002, T-003 wait for each other' }),
  ])
})

test.each<[verify: string | string[], commands: string[], manual: string[]]>([
  ['cmd: npm test', ['npm test'], []],
  [['cmd:npm test', 'manual: look'], ['npm test'], ['manual: look']],
  [['npm test'], [], ['npm test']],
])('a criterion verified by %j', (verify, commands, manual) => {
  expect(verificationsOf({ id: 'AC-1', description: 'd', verify })).toEqual({ commands, manual })
})

test.each<[markdown: string, lacking: string[]]>([
  ['', ['Overview', 'Modules/components']],
  ['# Overview\n\na\n\n# Components\n\nb\n', []],
  ['## 1. Overview\n\na\n\n## 2. Modules and components\n\nb\n', []],
  ['## Overview\n\n### Parts\n\na\n\n## Modules\n\n- b\n', []],
  ['## Overview\n\n## Modules\n\nb\n', ['Overview']],
  ['## Overview\n\n<!-- later -->\n\n## Modules\n\nb\n', ['Overview']],
  ['```\n## Overview\n```\n\n## Modules\n\nb\n', ['Overview']],
  ['## Overviews\n\na\n\n## `Modules`\n\nb\n', ['Overview']],
  ['Overview\n--------\n\na\n\nModules\n=======\n\nb\n', []],
])('the sections of %j', (markdown, lacking) => {
  expect(lackingSections(markdown, WANTED_SECTIONS['architecture.md']).map(it => it.name)).toEqual(lacking)
})
