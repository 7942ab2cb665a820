import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ruleOfConstraint } from '../../../../src/core/intents/contract/constraints.ts'
import { constraintLines } from '../../../../src/core/intents/contract/constraint-lines.ts'

// Markdown as teams write it, kept as it is: byte order marks, CRLF and all.
const FOLDER = join(import.meta.dirname, 'documents')

/** The constraints of a document as `line kind values`; `advice` for one that is no rule. */
function constraintsOf(document: string): string[] {
  const found = constraintLines(readFileSync(join(FOLDER, document), 'utf8'))
  return found.map(it => {
    const { kind = 'advice', ...values } = ruleOfConstraint(it) ?? {}
    return [it.line, kind, ...Object.values(values).flat()].join(' ')
  })
}

const TABLE: Readonly<Record<string, readonly string[]>> = {
  '01-plain.txt': ['5 paths src/legacy/**', '6 no-new-dependencies', '7 commands npm publish'],
  '02-bom-crlf.txt': ['3 paths infra/', '4 files-max 12'],
  '03-numbered-and-bold.txt': [
    '3 paths package-lock.json pnpm-lock.yaml',
    '4 no-new-dependencies',
    '5 commands git push --force git reset --hard',
  ],
  '04-quotes.txt': ['3 paths deploy/prod.yaml deploy/keys/*', '4 lines-max 300', '6 no-new-dependencies'],
  '05-fences.txt': [],
  '06-comments.txt': ['12 files-max 40'],
  '07-false-friends.txt': [],
  '08-conditions.txt': ['1 advice', '2 advice', '3 advice', '4 advice', '5 advice'],
  '09-ticket.txt': ['13 paths src/ledger/**', '14 advice', '19 advice', '23 advice'],
  '10-nested-and-odd.txt': [
    '2 paths generated/**',
    '7 commands git clean -xdf',
    '8 commands git clean git gc',
    '11 advice',
    '12 advice',
    '13 advice',
  ],
}

test('each document has a row', () => {
  expect(readdirSync(FOLDER).sort()).toEqual(Object.keys(TABLE))
})

test.each(Object.entries(TABLE))('%s', (document, rules) => {
  expect(constraintsOf(document)).toEqual(rules)
})
