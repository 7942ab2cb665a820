// The files and all objects of a repository, to search for secrets.

import { lstat, readdir, readFile, readlink } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Repo } from '../repo.ts'

/** A text that was written or printed, and where. */
export type Written = { readonly where: string; readonly text: string }

/** Every file below a folder: its name, and its content; links by their target. */
export async function filesBelow(folder: string, name: string): Promise<Written[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const paths = entries.map(it => join(it.parentPath, it.name))
  const texts = await Promise.all(paths.map(async path => ({ where: `${name}/${relative(folder, path)}`, path })))
  const written: Written[] = []
  for (const { where, path } of texts) {
    const found = await lstat(path).catch(() => null)
    if (!found) continue
    const content = found.isSymbolicLink() ? await readlink(path) : found.isFile() ? await readFile(path, 'latin1') : ''
    written.push({ where, text: `${where}\n${content}` })
  }
  return written
}

/** Every object of a repository, reachable or not, packed or not, each decompressed; and its refs and reflogs. */
export async function objectsOf(repo: Repo, gitDir: string, name: string): Promise<Written[]> {
  const git = async (...args: string[]): Promise<Buffer> => {
    const { stdout, code, stderr } = await repo.run('sh', [
      '-c',
      'git --git-dir="$0" "$@" | base64 -w0',
      gitDir,
      ...args,
    ])
    if (code !== 0) throw new Error(stderr)
    return Buffer.from(stdout, 'base64')
  }
  const all = await git('cat-file', '--batch-all-objects', '--batch', '--unordered')
  const refs = await git('for-each-ref', '--format=%(refname) %(objectname) %(contents:subject)')
  return [...readBatch(all, name), { where: `${name} refs`, text: refs.toString('latin1') }]
}

function* readBatch(all: Buffer, name: string): Iterable<Written> {
  let at = 0
  while (at < all.length) {
    const end = all.indexOf(10, at)
    const [oid = '', type = '', size = '0'] = all.toString('latin1', at, end).split(' ')
    const from = end + 1
    yield { where: `${name} ${type} ${oid}`, text: all.toString('latin1', from, from + Number(size)) }
    at = from + Number(size) + 1
  }
}
