import { fileNameFor, textOfFileName } from '../io/files/file-name.ts'
import { locateWorktree } from '../io/git/read-git-dir.ts'
import { objectOrNull, parseObject, type Payload } from '../../core/base/payload.ts'
import { recordDir } from '../io/worktree/record-dir.ts'
import type { GitDirAccess, Workspace } from '../io/worktree/workspace.ts'

// Agents' hooks load this file with every refused call: it imports no more than they need.

/** A write of an agent that was refused, and the code of the refusal. */
export type RefusedPath = { readonly code: string; readonly path: string }

/** The last refused writes of a session, and HEAD at the first; an empty `head` stands for a branch without one. */
export type SessionRefusals = {
  readonly agent: string
  readonly head: string
  readonly refused: readonly RefusedPath[]
}

type Place = GitDirAccess & Pick<Workspace, 'root'>

/** Notes refused writes of a session. */
export async function noteRefusals(
  place: Place,
  session: string,
  { agent, refused }: Omit<SessionRefusals, 'head'>,
): Promise<void> {
  const known = await refusalsOf(place, session)
  const head = known?.head ?? locateWorktree(place.root)?.head ?? ''
  const others = (known?.refused ?? []).filter(it => !refused.some(({ path }) => path === it.path))
  await refusalDir(place).put(nameOf(session), { agent, head, refused: [...others, ...refused].slice(-REFUSALS_MAX) })
}

// More would be one and the same mistake.
const REFUSALS_MAX = 5

/** The refused writes of a session; null for none. */
export function refusalsOf(access: GitDirAccess, session: string): Promise<SessionRefusals | null> {
  return refusalDir(access).get(nameOf(session))
}

/** The refused writes of all sessions, by session; a session whose name is only known as a hash has that name. */
export async function listRefusals(access: GitDirAccess) {
  const all = await refusalDir(access).list()
  return all.map(({ name, record }) => {
    const fileName = name.replace(/\.json$/, '')
    return { session: textOfFileName(fileName) ?? fileName, refusals: record }
  })
}

function refusalDir(access: GitDirAccess) {
  return recordDir<SessionRefusals>(access, { folder: ['refusals'], fileName: /\.json$/, parse: readRefusals, max: 50 })
}

function nameOf(session: string): string {
  return `${fileNameFor(session)}.json`
}

function readRefusals(text: string): SessionRefusals | null {
  const { agent, head, refused } = parseObject(text) ?? {}
  const isWhole = Array.isArray(refused) && refused.every(it => isRefusedPath(objectOrNull(it)))
  if (typeof agent !== 'string' || typeof head !== 'string' || !isWhole) return null
  return { agent, head, refused: refused as readonly RefusedPath[] }
}

function isRefusedPath(value: Payload | null): boolean {
  return typeof value?.['code'] === 'string' && typeof value['path'] === 'string'
}
