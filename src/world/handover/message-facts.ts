import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { blobOid } from '../../core/git/blob-oid.ts'
import type { GitQuery } from '../../core/git/query.ts'
import { SESSIONS_FOLDER } from '../../core/handover/port.ts'
import { sessionPath } from '../../core/handover/handover-session.ts'
import type { ListedChange } from '../../core/handover/input-message.ts'
import { nullWhenAbsent } from '../io/files/files.ts'
import { readRegularFileSync } from '../io/files/regular-file.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { readSessionHere } from './session-folder.ts'

/** True for a path of the worktree where a file is. */
export function existsHere({ root }: Pick<Workspace, 'root'>): (path: string) => boolean {
  return path => !path.startsWith('/') && !path.split('/').includes('..') && existsSync(join(root, path))
}

/** The blob of a file of the worktree; null when there is none. */
export function blobHere({ root }: Pick<Workspace, 'root'>): (path: string) => string | null {
  return path => {
    const bytes = existsHere({ root })(path) ? readRegularFileSync(join(root, path)) : null
    return bytes && blobOid(bytes)
  }
}

/** The design specs of a session, as paths. */
export async function designSpecs({ root }: Pick<Workspace, 'root'>, session: string): Promise<string[]> {
  const folder = sessionPath(session, 'design-specs')
  const names = (await readdir(join(root, folder)).catch(nullWhenAbsent)) ?? []
  return names.sort().map(it => `${folder}/${it}`)
}

/** What git says has changed since a session began, without the sessions' own files; null when it does not know. */
export async function changedInSession(workspace: Workspace, session: string): Promise<ListedChange[] | null> {
  const { status } = await readSessionHere(workspace, session)
  const base = status?.base_commit ?? 'HEAD'
  const tracked = await workspace.git.tryAsk(changesSince(base))
  const untracked = await workspace.git.tryAsk(UNTRACKED)
  if (tracked === null) return null
  const added = (untracked ?? []).map(path => ({ path, change_type: 'added' as const }))
  return [...tracked, ...added].filter(it => !it.path.startsWith(`${SESSIONS_FOLDER}/`))
}

const UNTRACKED: GitQuery<string[]> = {
  args: ['ls-files', '--others', '--exclude-standard', '-z'],
  parse: out => out.split('\0').slice(0, -1),
}

function changesSince(commit: string): GitQuery<ListedChange[]> {
  return {
    args: ['diff', '--name-status', '-z', '--find-renames', '--no-ext-diff', '--end-of-options', commit, '--'],
    parse: parseNameStatus,
  }
}

const TYPES: Readonly<Record<string, ListedChange['change_type']>> = { A: 'added', D: 'deleted', R: 'renamed' }

function parseNameStatus(out: string): ListedChange[] {
  const fields = out.split('\0')
  const found: ListedChange[] = []
  for (let n = 0; n + 1 < fields.length;) {
    const letter = (fields[n] ?? '').charAt(0)
    const isRename = letter === 'R' || letter === 'C'
    const [path = '', to = ''] = [fields[n + 1], fields[n + 2]]
    if (letter === 'R') found.push({ path: to, old_path: path, change_type: 'renamed' })
    else found.push({ path: isRename ? to : path, change_type: TYPES[letter] ?? (isRename ? 'added' : 'modified') })
    n += isRename ? 3 : 2
  }
  return found
}
