import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../rig/packed-kotef.ts'
import { sourceOf, visit } from './source.ts'

type Row = { readonly number: string; readonly path: string; readonly title: string }

const rows = rowsOf(readFileSync(join(repositoryRoot, 'docs/handshake.md'), 'utf8'))

const upTo = (last: number, digits: number, prefix: string) =>
  Array.from({ length: last }, (_, n) => prefix + String(n + 1).padStart(digits, '0'))

const NUMBERS = [
  ...upTo(15, 3, 'FR-'),
  ...upTo(8, 3, 'SC-'),
  ...[3, 3, 3, 2, 3].flatMap((scenarios, story) => upTo(scenarios, 1, `US${story + 1}.`)),
  ...upTo(5, 1, 'Edge '),
]

test('docs/handshake.md names a test for every requirement, measure, scenario and edge', () => {
  expect(new Set(rows.map(it => it.number))).toEqual(new Set(NUMBERS))
})

test('each test that docs/handshake.md names is there', () => {
  const titles = new Map([...new Set(rows.map(it => it.path))].map(path => [path, titlesIn(path)]))
  expect(rows.filter(({ path, title }) => !titles.get(path)?.has(title))).toEqual([])
})

test('the title of a test bears the number that it stands for', () => {
  const numbered = rows.filter(it => !it.number.startsWith('Edge'))
  expect(numbered.filter(({ number, title }) => !title.split(/[:,] ?/).includes(number))).toEqual([])
})

// A row without a number goes on with the one above it.
function rowsOf(text: string): Row[] {
  let number = ''
  return text.split('\n').flatMap(line => {
    const [, given = '', path, title] = /^\| ([^|]*?) ?\| .*?\| `(test\/[^`]+)` \| `(.+)` \|$/.exec(line) ?? []
    if (path === undefined || title === undefined) return []
    number = given.trim() || number
    return [{ number, path, title }]
  })
}

function titlesIn(path: string): Set<string> {
  const file = join(repositoryRoot, path)
  const found = new Set<string>()
  if (!existsSync(file)) return found
  visit(sourceOf(path, readFileSync(file, 'utf8')), {
    Literal: ({ value }) => void (typeof value === 'string' && found.add(value)),
  })
  return found
}
