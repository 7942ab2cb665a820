import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exportPages } from '../../../src/shells/ui/server/export-pages.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { runCli } from '../../rig/command-line.ts'
import { governedRepo } from '../../rig/governed-repo.ts'
import { runCliOrThrow } from '../../rig/hooked-repo.ts'
import type { Repo } from '../../rig/repo.ts'

const folderOf = (repo: Repo) => join(repo.base, 'pages')

async function exported(repo: Repo, most?: number) {
  return exportPages(await openWorkspace(repo.root), folderOf(repo), most)
}

test('each page is a file, each link leads to one of them, and nothing needs a script or another host', async () => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\n' })
  await repo.write('docs/b.md', 'b\n')
  const { pages, leftOut } = await exported(repo)
  const names = (await readdir(folderOf(repo))).filter(it => it.endsWith('.html'))
  expect([names.length, leftOut]).toEqual([pages, 0])
  for (const name of names) {
    const html = await readFile(join(folderOf(repo), name), 'utf8')
    const links = [...html.matchAll(/ href="([^"#]+)/g)].map(it => it[1] ?? '')
    const files = [...names, 'assets/client.css', 'assets/icon.svg']
    expect([name, links.filter(it => !files.includes(it))]).toEqual([name, []])
    expect(html).not.toMatch(/<script|<form|https?:|just now/)
    expect(html).toMatch(/As of \d{4}-\d\d-\d\d \d\d:\d\d/)
  }
})

test('the verb exports too, and an export takes the place of the one before', async () => {
  await using repo = await governedRepo()
  const first = await repo.kotef('ui', '--export', '../pages', '--json')
  expect(JSON.parse(first.stdout)).toMatchObject({ folder: folderOf(repo), leftOut: 0 })
  await writeFile(join(folderOf(repo), 'CNAME'), 'example.org\n')
  const before = await readdir(folderOf(repo))
  expect(await runCliOrThrow(repo, 'ui', '--export', '../pages')).toMatch(/^\d+ pages in .*pages\.$/)
  expect(await readdir(folderOf(repo))).toEqual(before)
})

test('a folder with other files is refused, and keeps them', async () => {
  await using repo = await governedRepo()
  await mkdir(folderOf(repo))
  await writeFile(join(folderOf(repo), 'index.html'), 'mine\n')
  const refused = await runCli(repo, 'ui', '--export', '../pages')
  expect([refused.exit, refused.text]).toEqual([
    2,
    expect.stringContaining('is not empty, and it is not an earlier export'),
  ])
  expect(await readFile(join(folderOf(repo), 'index.html'), 'utf8')).toBe('mine\n')
  const onFile = await runCli(repo, 'ui', '--export', '.orchestration/active_intents.yaml')
  expect([onFile.exit, onFile.text]).toEqual([2, expect.stringContaining('is not a folder')])
})

test('an export writes and removes nothing outside of its folder', async () => {
  await using repo = await governedRepo()
  await exported(repo)
  const outside = join(repo.base, 'outside.txt')
  await writeFile(outside, 'mine\n')
  const names = JSON.stringify({ files: ['../outside.txt', '/etc/hostname', 'assets/../../outside.txt', 3] })
  await writeFile(join(folderOf(repo), 'kotef-pages.json'), names)
  await symlink(outside, join(folderOf(repo), 'link'))
  await repo.run('ln', ['-sf', outside, join(folderOf(repo), 'records.html')])
  await exported(repo)
  expect(await readFile(outside, 'utf8')).toBe('mine\n')
})

test('of very many pages, those nearest to the first are written, and the others are counted', async () => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\n' })
  const { pages, leftOut } = await exported(repo, 3)
  expect([pages <= 3, leftOut > 0]).toEqual([true, true])
  const html = await readFile(join(folderOf(repo), 'index.html'), 'utf8')
  expect(html).toContain('<a class="count" aria-label=')
})
