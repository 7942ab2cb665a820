import { changesBetweenTrees, emptyTree } from '../git/changes.ts'
import { commitLog } from '../git/log.ts'
import { findIntent } from '../intents/intent.ts'
import { fileNameFor } from '../io/files/file-name.ts'
import { joinedWrites, type RefusedWrites, refusedWritesLesson } from '../lessons/automatic.ts'
import { isWork } from '../lessons/tree-snapshot.ts'
import { globList } from '../paths/globs.ts'
import { loadRegistry } from '../policy/load-policy.ts'
import { findEndedSession, findSession } from '../sessions/session-store.ts'
import { objectOrNull } from '../text/payload.ts'
import { readHead } from '../worktree/head.ts'
import { recordDir } from '../worktree/record-dir.ts'
import type { GitDirAccess, Workspace } from '../worktree/workspace.ts'
import { recordSeen } from './record-seen.ts'
import { keepRefusals, refusalsOf, type SessionRefusals, takeRefusals } from './refusals.ts'

/**
 * Makes lessons of a session's refused writes when commits for its intent have been made since: what was refused, and
 * in which files the work was done. It never throws.
 */
export async function learnFromCommits(workspace: Workspace, session: string): Promise<void> {
  await recordSeen(workspace, async () => {
    const [refusals, head] = [await refusalsOf(workspace, session), await readHead(workspace)]
    if (refusals === null || head === null || head === refusals.head) return []
    const intent = await intentOf(workspace, session)
    const changed = intent === null ? [] : await committedFor(workspace, intent, { since: refusals.head, head })
    if (intent !== null && changed.length > 0) return lessonsOf(workspace, { refusals, session, intent, changed })
    // The commits until here are not of this work, and need not be read again.
    await keepRefusals(workspace, session, { ...refusals, head })
    return []
  })
}

/** The same when the definition of done of a session's run is met; `written` are the files written meanwhile. */
export async function learnFromDone(workspace: Workspace, session: string, written: readonly string[]): Promise<void> {
  await recordSeen(workspace, async () => {
    const [refusals, intent] = [await refusalsOf(workspace, session), await intentOf(workspace, session)]
    if (refusals === null || intent === null) return []
    // Others may have written as well.
    const { owned_scope } = findIntent((await loadRegistry(workspace)).intents, intent)
    const isOwned = globList(owned_scope)
    const changed = written.filter(it => isOwned(it)?.kind === 'in')
    return lessonsOf(workspace, { refusals, session, intent, changed })
  })
}

async function intentOf(workspace: Workspace, session: string): Promise<string | null> {
  const found = (await findSession(workspace, session)) ?? (await findEndedSession(workspace, session))
  return found?.intent ?? null
}

type Since = { readonly since: string; readonly head: string }

async function committedFor({ git }: Workspace, intent: string, { since, head }: Since): Promise<string[]> {
  const range = since === '' ? head : `${since}..${head}`
  const commits = (await git.tryAsk(commitLog({ range, intent }))) ?? []
  if (!commits.some(it => it.intents.includes(intent))) return []
  const changes = await git.tryAsk(changesBetweenTrees(since || (await git.ask(emptyTree)), head))
  return (changes ?? []).map(it => it.path).filter(isWork)
}

type SucceededWork = {
  readonly refusals: SessionRefusals
  readonly session: string
  readonly intent: string
  readonly changed: readonly string[]
}

async function lessonsOf(workspace: Workspace, { refusals, session, intent, changed }: SucceededWork) {
  if (!(await takeRefusals(workspace, session))) return []
  const known = await learnedWrites(workspace).get(nameOf(session))
  const writes = refusalsByRule(refusals).map(it => joinedWrites(known ?? [], { ...it, intent, changed }))
  await learnedWrites(workspace).put(nameOf(session), [...writes, ...(known ?? [])].slice(0, LEARNED_MAX))
  const by = `${refusals.agent}/${session.slice(0, SESSION_CHARS)}`
  return writes.map(it => refusedWritesLesson(it, by))
}

function refusalsByRule({ refused }: SessionRefusals): Pick<RefusedWrites, 'code' | 'paths'>[] {
  const codes = [...new Set(refused.map(it => it.code))]
  return codes.map(code => ({ code, paths: refused.filter(it => it.code === code).map(it => it.path) }))
}

const SESSION_CHARS = 8
const LEARNED_MAX = 10

// The writes of which a session has learned already: more of the kind change its lesson.
function learnedWrites(access: GitDirAccess) {
  const options = { folder: ['refused-writes'], fileName: /\.json$/, parse: readWrites, max: 50 }
  return recordDir<readonly RefusedWrites[]>(access, options)
}

function nameOf(session: string): string {
  return `${fileNameFor(session)}.json`
}

function readWrites(text: string): readonly RefusedWrites[] | null {
  const all: unknown = JSON.parse(text)
  return Array.isArray(all) && all.every(isRefusedWrites) ? all : null
}

function isRefusedWrites(value: unknown): value is RefusedWrites {
  const { code, intent, paths, changed } = objectOrNull(value) ?? {}
  const isWhole = [paths, changed].every(it => Array.isArray(it) && it.every(path => typeof path === 'string'))
  return typeof code === 'string' && typeof intent === 'string' && isWhole
}
