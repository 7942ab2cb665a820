import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ENFORCED_RULES } from '../../src/core/intents/enforcement.ts'
import { failureCodes } from '../../src/core/base/failure.ts'
import { repositoryRoot } from '../rig/packed-kotef.ts'

const PAGES = join(repositoryRoot, 'docs/explain')
const SOURCES = join(repositoryRoot, 'src')

test.each(readdirSync(PAGES))('the page of %s is headed by its code, and ends in a way out', page => {
  const text = readFileSync(join(PAGES, page), 'utf8')
  expect(text.split('\n')[0]).toBe(`# ${page.replace(/\.md$/, '')}`)
  expect(text).toMatch(/Way out: \S/)
})

test('the page of the config lists the rules whose level a team may set', () => {
  const [line = ''] = readFileSync(join(PAGES, 'config-invalid.md'), 'utf8').match(/^`rules` takes .*$/m) ?? []
  expect([...line.matchAll(/`([a-z-]+)`/g)].map(it => it[1])).toEqual(['rules', ...ENFORCED_RULES])
})

test('every way to fail has a page', () => {
  expect(pagesMissing(failureCodes)).toEqual([])
})

test('every rule that a source names has a page', () => {
  const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(it => it.endsWith('.ts'))
  const rules = sources.flatMap(it => found(it, /\b(?:rule: |finding\()'([a-z-]+)'/g))
  expect(rules.length).toBeGreaterThan(5)
  expect(pagesMissing(rules)).toEqual([])
})

test('every rule by which a run ends or is warned has a page', () => {
  const named = found('core/runs/decide.ts', /\bname: '([a-z-]+)'/g)
  const constants = ['decide', 'definition-of-done'].flatMap(it =>
    found(`core/runs/${it}.ts`, /^const [A-Z_]+ = '([a-z-]+)'/gm),
  )
  const budgets = found('core/runs/decide.ts', /\bbudget\(safe`([a-z]+)`/g).map(it => `budget-of-${it}`)
  for (const it of [named, constants, budgets]) expect(it.length).toBeGreaterThan(1)
  expect(pagesMissing([...named, ...constants, ...budgets])).toEqual([])
})

function found(path: string, pattern: RegExp): string[] {
  return [...readFileSync(join(SOURCES, path), 'utf8').matchAll(pattern)].map(it => it[1] ?? '')
}

function pagesMissing(codes: readonly string[]): string[] {
  const pages = new Set(readdirSync(PAGES))
  return codes.filter(it => !pages.has(`${it}.md`))
}
