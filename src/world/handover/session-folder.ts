import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { KotefError } from '../../core/base/failure.ts'
import type { GitQuery } from '../../core/git/query.ts'
import { SESSIONS_FOLDER, sessionOfPath } from '../../core/handover/port.ts'
import type { HandoverChange } from '../../core/handover/check-change.ts'
import type { HandoverProblem } from '../../core/handover/handover-problem.ts'
import {
  CONTRACT_FILES,
  type HandoverSession,
  readHandoverSession,
  type SessionFiles,
  sessionPath,
} from '../../core/handover/handover-session.ts'
import { SESSION_NAME } from '../../core/handover/status-file.ts'
import { nullWhenAbsent, systemErrorCode } from '../io/files/files.ts'
import { openBlobs } from '../io/git/blobs.ts'
import { printable } from '../../core/base/printable.ts'
import { readBlobText } from '../io/worktree/head.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { filesHere, withGates } from './task-facts.ts'
import { judgeHandoverChange } from './judge-changes.ts'

/** The names of the sessions in the worktree, sorted: of their folders, whether the name is legal or not. */
export async function sessionNames({ root }: Pick<Workspace, 'root'>): Promise<string[]> {
  const entries = (await readdir(join(root, SESSIONS_FOLDER), { withFileTypes: true }).catch(nullWhenAbsent)) ?? []
  return entries
    .filter(it => it.isDirectory())
    .map(it => it.name)
    .sort()
}

/** The files of a session that rules read, as they are in the worktree. */
export async function readHandoverFiles(
  { root, files }: Pick<Workspace, 'root' | 'files'>,
  name: string,
): Promise<SessionFiles> {
  const texts = new Map<string, string>()
  for (const file of CONTRACT_FILES) {
    const bytes = await files.read(join(root, sessionPath(name, file))).catch(emptyWhenUnreadable)
    if (bytes) texts.set(file, bytes.toString('utf8'))
  }
  return { name, texts }
}

// A pipe, a folder or a huge file has no content that rules could read, and so the session has a problem.
function emptyWhenUnreadable(thrown: unknown): Buffer {
  if (NOT_A_FILE.includes(systemErrorCode(thrown) ?? '')) return Buffer.alloc(0)
  throw thrown
}

const NOT_A_FILE = ['EFBIG', 'EISDIR', 'EFTYPE', 'ENXIO', 'ELOOP', 'EACCES']

/** A session as it is in the worktree. */
export async function readSessionHere(workspace: Workspace, name: string): Promise<HandoverSession> {
  return readHandoverSession(await readHandoverFiles(workspace, name)).session
}

/** The problems of a session in the worktree: as it is, and what has changed since HEAD. */
export async function checkSessionHere(workspace: Workspace, name: string): Promise<HandoverProblem[]> {
  return judgeHandoverChange(await changeSinceHead(workspace, name))
}

async function changeSinceHead(workspace: Workspace, name: string): Promise<HandoverChange> {
  await using blobs = openBlobs(workspace.root)
  const now = await readHandoverFiles(workspace, name)
  const before = new Map<string, string>()
  const after = new Map(now.texts)
  for (const file of CONTRACT_FILES) {
    const text = await readBlobText(blobs, `HEAD:${sessionPath(name, file)}`)
    if (text !== null) before.set(file, text)
  }
  // No rule reads other files: whether they have changed is enough.
  for (const path of (await workspace.git.tryAsk(changedBelow(`${SESSIONS_FOLDER}/${name}`))) ?? []) {
    const file = sessionOfPath(path)?.file ?? ''
    if (!CONTRACT_FILES.includes(file)) after.set(file, 'changed')
  }
  const change = {
    before: before.size === 0 ? null : { name, texts: before },
    after: { name, texts: after },
    role: null,
  }
  const here = filesHere(workspace)
  return withGates(change, here, { isLater: true, aside: here })
}

/** The paths below a folder that differ from HEAD, with untracked ones. */
function changedBelow(folder: string): GitQuery<string[]> {
  return {
    args: ['--literal-pathspecs', 'status', '--porcelain', '-z', '--no-renames', '--untracked-files=all', '--', folder],
    parse: out =>
      out
        .split('\0')
        .slice(0, -1)
        .map(it => it.slice(3)),
  }
}

/**
 * The session that a command is for: the named one, else the only one in the worktree that is not over. `option` is how
 * the caller names one, such as `--session `.
 */
export async function sessionInQuestion(
  workspace: Workspace,
  name: string | null,
  option = '--session ',
): Promise<string> {
  const names = await sessionNames(workspace)
  if (name !== null) {
    if (names.includes(name)) return name
    throw new KotefError('unknown-handover', `There is no session ${printable(name)} in ${SESSIONS_FOLDER}/`)
  }
  const open: string[] = []
  for (const it of names) if (!(await isOver(workspace, it))) open.push(it)
  const [only, second] = open
  if (only !== undefined && second === undefined) return only
  const which = open.length === 0 ? `No session of ${SESSIONS_FOLDER}/ is open.` : `${open.length} sessions are open.`
  throw new KotefError('unknown-handover', which, {
    hint: second === undefined ? 'Begin one: `kotef handover new <word>`' : `Name one: \`${option}${second}\``,
  })
}

async function isOver(workspace: Workspace, name: string): Promise<boolean> {
  const { texts } = await readHandoverFiles(workspace, name)
  return !SESSION_NAME.test(name) || /"current_state"\s*:\s*"DONE"/.test(texts.get('status.json') ?? '')
}
