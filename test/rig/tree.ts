import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** What a worktree holds: each path with the blob oid of its bytes. Made without anything of kotef's own. */
export type Tree = Map<string, string>

/** The oid that git gives to these bytes. */
export function oidOf(bytes: string | Buffer): string {
  const content = Buffer.from(bytes)
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
}

/** Everything that stands in a worktree and is of interest: not git's own, not kotef's, not what is ignored. */
export function treeOnDisk(root: string): Tree {
  return new Map(filesBelow(root).map(path => [path, oidAt(join(root, path))]))
}

const SKIPPED_FOLDERS = new Set(['.git', '.orchestration', 'node_modules'])

function filesBelow(root: string, folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(it => {
    const path = folder === '' ? it.name : `${folder}/${it.name}`
    if (!it.isDirectory()) return [path]
    return SKIPPED_FOLDERS.has(it.name) ? [] : filesBelow(root, path)
  })
}

function oidAt(path: string): string {
  return oidOf(lstatSync(path).isSymbolicLink() ? readlinkSync(path) : readFileSync(path))
}

/** The paths at which two trees differ. */
export function differingPaths(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter(path => one.get(path) !== other.get(path)).sort()
}
