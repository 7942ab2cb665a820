import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../rig/packed-kotef.ts'
import { sourceOf, visit } from './source.ts'

/** A row of a table in docs that names a test: what it stands for, the file, and a title in it. */
export type NamedTest = { readonly number: string; readonly path: string; readonly title: string }

/** The rows of a page that end with a file of tests and a title. One without a number goes on with the one above it. */
export function namedTests(page: string): NamedTest[] {
  let number = ''
  const text = readFileSync(join(repositoryRoot, page), 'utf8')
  return text.split('\n').flatMap(line => {
    const [, given = '', path, title] = /^\| ([^|]*?) ?\| (?:.*? ?\| )?`(test\/[^`]+)` \| `(.+)` \|$/.exec(line) ?? []
    if (path === undefined || title === undefined) return []
    number = given.trim() || number
    return [{ number, path, title }]
  })
}

/** The tests that a text names: `test/FILE`, and after it the titles in it, if any. */
export function testsNamedIn(text: string): Omit<NamedTest, 'number'>[] {
  const named = [...text.matchAll(/`(test\/[^`]+\.test\.ts)`((?:,?\s+`(?!test\/)[^`]+`)*)/g)]
  return named.flatMap(([, path = '', rest = '']) => {
    const titles = [...rest.matchAll(/`([^`]+)`/g)].map(it => it[1]?.replaceAll(/\s+/g, ' ') ?? '')
    return (titles.length > 0 ? titles : ['']).map(title => ({ path, title }))
  })
}

/** The rows whose test is not there. A row without a title stands for the whole file. */
export function missingTests<T extends Pick<NamedTest, 'path' | 'title'>>(rows: readonly T[]): T[] {
  const titles = new Map([...new Set(rows.map(it => it.path))].map(path => [path, titlesIn(path)]))
  return rows.filter(({ path, title }) => !titles.get(path)?.has(title))
}

/** Every text in a file, the titles of its tests among them, and an empty one where the file is there. */
export function titlesIn(path: string): Set<string> {
  const file = join(repositoryRoot, path)
  const found = new Set<string>()
  if (!existsSync(file)) return found
  found.add('')
  visit(sourceOf(path, readFileSync(file, 'utf8')), {
    Literal: ({ value }) => void (typeof value === 'string' && found.add(value)),
    TemplateElement: ({ value }) => void found.add(value.raw),
  })
  return found
}
