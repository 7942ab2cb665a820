import { expect, test } from 'vitest'
import { fitToBudget } from '../../../../src/core/agents/context/budget.ts'
import { listPart, renderSheet, type Sheet, valuePart } from '../../../../src/core/agents/context/sheet.ts'

const LIMIT = 16_384
const asXml = (sheet: Sheet) => renderSheet(sheet, 'xml')
const texts = (count: number, length = 100) => Array.from({ length: count }, (_, n) => `${n} `.padEnd(length, 'x'))
const sheet = (
  counts: { history?: number; files?: number; lessons?: number },
  scope: readonly string[] = ['a'],
): Sheet => ({
  name: 'sheet',
  parts: [
    valuePart('note', 'n'.repeat(200)),
    listPart('owned_scope', 'glob', scope),
    listPart('files', 'file', texts(counts.files ?? 0)),
    listPart('recent_history', 'work', texts(counts.history ?? 0)),
    listPart('lessons', 'lesson', texts(counts.lessons ?? 0)),
  ],
})
const countOf = ({ parts }: Sheet, name: string) => {
  const part = parts.find(it => it.name === name)
  return part && 'entries' in part ? part.entries.length : null
}
const cutsOf = ({ parts }: Sheet) => {
  const part = parts.find(it => it.name === 'cuts')
  return part && 'entries' in part ? part.entries.map(it => it.text) : null
}
const sizeOf = (it: Sheet) => Buffer.byteLength(asXml(it))

test('a sheet that fits is left as it is', () => {
  const whole = sheet({ history: 10 })
  expect(fitToBudget(whole, asXml)).toBe(whole)
})

test('the history is cut first, no more than is needed, and the cuts say how much', () => {
  const cut = fitToBudget(sheet({ history: 200, files: 20, lessons: 20 }), asXml)
  const kept = countOf(cut, 'recent_history') ?? 0
  expect([countOf(cut, 'files'), countOf(cut, 'lessons')]).toEqual([20, 20])
  expect(cutsOf(cut)).toEqual([`${200 - kept} older entries of recent_history left out, for want of room`])
  expect(sizeOf(cut)).toBeLessThanOrEqual(LIMIT)
  expect(sizeOf(cut)).toBeGreaterThan(LIMIT - 200)
})

test('then the files go, and then the lessons', () => {
  const noHistory = fitToBudget(sheet({ history: 10, files: 200, lessons: 20 }), asXml)
  expect([countOf(noHistory, 'recent_history'), countOf(noHistory, 'lessons')]).toEqual([0, 20])
  const noFiles = fitToBudget(sheet({ history: 10, files: 10, lessons: 200 }), asXml)
  expect([countOf(noFiles, 'recent_history'), countOf(noFiles, 'files')]).toEqual([0, 0])
  expect(countOf(noFiles, 'lessons')).toBeGreaterThan(100)
})

test('at last texts are shortened, but for kotef’s own, and the cuts say so', () => {
  const cut = fitToBudget(sheet({}, texts(50, 5_000)), asXml)
  expect(countOf(cut, 'owned_scope')).toBe(50)
  expect(cut.parts[0]).toEqual(sheet({}).parts[0])
  expect(cutsOf(cut)).toEqual(['Texts that end in … may be shortened; they are whole in the registry'])
})

test('a character of two units is not cut in half', () => {
  const cut = fitToBudget(sheet({}, ['x'.repeat(20_000), '\u{1f600}'.repeat(20_000)]), asXml)
  expect(asXml(cut)).toContain('\u{1f600}…')
  expect(asXml(cut)).not.toMatch(/[\ud800-\udbff]…/)
})

test('whatever the counts are, the result fits', () => {
  for (const history of [0, 1, 300])
    for (const files of [0, 300])
      for (const lessons of [0, 300])
        for (const scope of [[], texts(1, 30_000), texts(2_000)])
          expect(sizeOf(fitToBudget(sheet({ history, files, lessons }, scope), asXml))).toBeLessThanOrEqual(LIMIT)
})
