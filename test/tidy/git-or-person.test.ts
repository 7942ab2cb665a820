import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type OriginRow, ROWS } from '../../src/core/authorship/change-origin/classify.ts'
import { losses, recordedFor } from '../core/authorship/change-origin/losses.ts'

const note = readFileSync(join(import.meta.dirname, '../../docs/decisions/git-or-person.md'), 'utf8')

/** The first cells of each line of a table, from its head on. */
function tableIn(head: string, cells: number): string[] {
  const lines = note.slice(note.indexOf(head)).split('\n').slice(2)
  const end = lines.findIndex(it => !it.startsWith('|'))
  return lines.slice(0, end).map(it => it.split(' | ').slice(0, cells).join(' | '))
}

function conditionOf({ when }: OriginRow): string {
  const facts = Object.entries(when).map(([fact, wanted]) => {
    if (typeof wanted === 'boolean') return wanted ? fact : `not ${fact}`
    return `${fact} ${[wanted].flat().join(' or ')}`
  })
  return facts.join(', ') || 'always'
}

test('the decision note has every row of the table, in its order', () => {
  const rows = ROWS.map(it => `| ${it.rule} | ${conditionOf(it)} | ${it.origin}`)
  expect(tableIn('| row | when |', 3)).toEqual(rows)
})

test('the decision note has every known loss', () => {
  const rows = losses.map(it => `| ${it.situation} | ${recordedFor(it)} | ${it.rule} |`)
  expect(tableIn('| situation | we record |', 4).filter(it => !it.includes('test/repo'))).toEqual(rows)
})
