import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../rig/packed-kotef.ts'
import { filesBelow } from './source.ts'

const folders = ['src', 'docs', 'test'].flatMap(it => filesBelow(repositoryRoot, it, '.md'))
const pages = ['README.md', 'CHANGELOG.md', ...folders]
const proseOf = (page: string) => readFileSync(join(repositoryRoot, page), 'utf8').replaceAll(/```[^]*?```/g, '')

/** The anchors of a page's headings, as GitHub and npm make them. */
function anchorsOf(page: string): Set<string> {
  const headings = [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(it => it[1] ?? '')
  return new Set(
    headings.map(it =>
      it
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

test('each link of a document leads to a file, and to a heading that is there', () => {
  const links = pages.flatMap(page =>
    [...proseOf(page).matchAll(/(?<!`)\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(([link, path = '', anchor]) => {
      const target = path === '' ? page : normalize(join(dirname(page), path))
      return { page, link, target, anchor }
    }),
  )
  expect(links.length).toBeGreaterThan(150)
  const broken = links.filter(({ target, anchor }) => {
    if (!existsSync(join(repositoryRoot, target))) return true
    return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor)
  })
  expect(broken.map(it => `${it.page}: ${it.link}`)).toEqual([])
})

test('the index of docs has each page, once', () => {
  const index = proseOf('docs/README.md')
  const linked = [...index.matchAll(/\]\(([\w-]+\.md)\)/g)].map(it => it[1] ?? '')
  const own = pages.flatMap(it => /^docs\/((?!README)[\w-]+\.md)$/.exec(it)?.[1] ?? [])
  expect(linked.sort()).toEqual(own.sort())
})
