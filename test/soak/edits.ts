import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Random } from '../rig/random.ts'
import { oidOf } from '../rig/tree.ts'
import type { Moment } from './model.ts'

/** Where something is edited: no two texts are ever alike, so that each can be told from all others. */
export type EditContext = {
  readonly root: string
  readonly random: Random
  /** The files that stand there now. */
  readonly paths: readonly string[]
  /** A line that no text has had yet. */
  line(): string
}

/** What was done, in words, and what held only for a moment. */
export type EditResult = { readonly words: string; readonly moments?: readonly Moment[] }

type Edit = (desk: EditContext) => EditResult

/** Ways to change files by hand; each is done when the call returns. */
export const EDITS: readonly Edit[] = [rewrite, add, create, remove, rename, renameFolder, save, recreate, writeTwice]

function rewrite(desk: EditContext): EditResult {
  const path = anyExistingPath(desk)
  return { words: `rewrite ${put(desk, path)}` }
}

function add(desk: EditContext): EditResult {
  const path = anyExistingPath(desk)
  appendFileSync(join(desk.root, path), desk.line())
  return { words: `append to ${path}` }
}

function create(desk: EditContext): EditResult {
  return { words: `create ${put(desk, newPath(desk))}` }
}

function remove(desk: EditContext): EditResult {
  const path = anyExistingPath(desk)
  rmSync(join(desk.root, path))
  return { words: `remove ${path}` }
}

function rename(desk: EditContext): EditResult {
  const [from, to] = [anyExistingPath(desk), newPath(desk)]
  move(desk, from, to)
  return { words: `rename ${from} to ${to}` }
}

function renameFolder(desk: EditContext): EditResult {
  const [from, to] = [dirname(anyExistingPath(desk)), dirname(newPath(desk))]
  if (from === 'src' || existsSync(join(desk.root, to))) return create(desk)
  move(desk, from, to)
  return { words: `rename folder ${from} to ${to}` }
}

function save(desk: EditContext): EditResult {
  const path = anyExistingPath(desk)
  const temporary = put(desk, `${path}.tmp`)
  const oid = oidOf(readFileSync(join(desk.root, temporary)))
  move(desk, temporary, path)
  return { words: `save ${path} by a rename`, moments: [[temporary, oid], [temporary, null]] } // prettier-ignore
}

function recreate(desk: EditContext): EditResult {
  const path = anyExistingPath(desk)
  rmSync(join(desk.root, path))
  return { words: `recreate ${put(desk, path)}`, moments: [[path, null]] }
}

function writeTwice(desk: EditContext): EditResult {
  const path = put(desk, anyExistingPath(desk))
  const oid = oidOf(readFileSync(join(desk.root, path)))
  return { words: `rewrite twice ${put(desk, path)}`, moments: [[path, oid]] }
}

function anyExistingPath(desk: EditContext): string {
  return desk.paths.length > 0 ? desk.random.pick(desk.paths) : put(desk, newPath(desk))
}

function newPath({ random, line }: EditContext): string {
  return `src/d${random.below(8)}/${line().replaceAll(/\W/g, '')}.ts`
}

function put({ root, random, line }: EditContext, path: string): string {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), Array.from({ length: 1 + random.below(20) }, line).join(''))
  return path
}

function move({ root }: EditContext, from: string, to: string): void {
  mkdirSync(dirname(join(root, to)), { recursive: true })
  renameSync(join(root, from), join(root, to))
}
