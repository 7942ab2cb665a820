import { Hono } from 'hono'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { PageFrame } from '../pages/layout.tsx'
import { addressesIn, exportedFileName, withFileLinks } from '../pages/static-pages.ts'
import { localTime } from '../../../core/report/local-time.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'
import { assetNamed } from './assets.ts'
import { clearExport, markExport } from './export-folder.ts'
import { addPages } from './page-answers.ts'

/** What an export wrote, and how many pages are not in it because it has so many. */
export type ExportedPages = { readonly pages: number; readonly leftOut: number }

/** An export has at most so many pages: those that are the fewest links away from the first one. */
const PAGES_MAX = 2_000

/** Writes the pages of a worktree as files into a folder, in place of an earlier export. */
export async function exportPages(workspace: Workspace, folder: string, most = PAGES_MAX): Promise<ExportedPages> {
  await clearExport(workspace, folder)
  const { documents, leftOut } = await reachablePages(workspace, most)
  const fileOf = (address: string) => (documents.has(address) ? exportedFileName(address) : null)
  const files: (readonly [name: string, bytes: string | Uint8Array])[] = [...documents].map(([address, html]) => [
    exportedFileName(address),
    withFileLinks(html, fileOf),
  ])
  for (const name of ['client.css', 'icon.svg'])
    files.push([`assets/${name}`, (await assetNamed(name))?.bytes ?? new Uint8Array()])
  // Before the first of them, so that an export that was interrupted can be made again.
  await markExport(
    workspace,
    folder,
    files.map(([name]) => name),
  )
  for (const [name, bytes] of files) await writeAgain(join(folder, name), bytes)
  return { pages: documents.size, leftOut }
}

// A link of this name is replaced, and not followed. An archive is for others to read, too.
async function writeAgain(path: string, bytes: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await rm(path, { force: true })
  await writeFile(path, bytes, { flag: 'wx', mode: 0o644 })
}

type Reached = { readonly documents: ReadonlyMap<string, string>; readonly leftOut: number }

/** The documents that links lead to, beginning with the first page. */
async function reachablePages(workspace: Workspace, most: number): Promise<Reached> {
  const app = exportedSite(workspace)
  const documents = new Map<string, string>()
  const wanted = new Set(['./'])
  const leftOut = new Set<string>()
  // A set is walked in the order in which its values come, also those that come meanwhile.
  for (const address of wanted) {
    const answer = await app.request(`http://127.0.0.1/${address === './' ? '' : address}`)
    if (answer.status !== 200) continue
    const html = await answer.text()
    documents.set(address, html)
    for (const it of addressesIn(html)) if (!wanted.has(it)) (wanted.size < most ? wanted : leftOut).add(it)
  }
  return { documents, leftOut: leftOut.size }
}

function exportedSite(workspace: Workspace): Hono {
  const app = new Hono()
  const { day, time } = localTime(workspace.clock.now())
  const frame = { base: null, repository: basename(workspace.root), isLive: false, policy: POLICY }
  const asOf = `As of ${day} ${time.slice(0, 5)}`
  const frameOf = (here: string): PageFrame => ({ ...frame, here, asOf })
  addPages(app, { workspace, prefix: '', frameOf: ({ req }) => frameOf(hereOf(req.url)), maker: null })
  return app
}

function hereOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname === '/' ? './' : `${pathname.slice(1)}${search}`
}

// No script runs, and nothing is loaded but the style and the icon beside the page.
const POLICY = "default-src 'none'; style-src 'self' file:; img-src 'self' file:; base-uri 'self' file:"
