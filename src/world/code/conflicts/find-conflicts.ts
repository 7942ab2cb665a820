import { join } from 'node:path'
import type { GitQuery } from '../../../core/git/query.ts'
import { type AuthorshipClaim, authorshipClaims } from '../../../core/ledger/authorship-claims.ts'
import type { TracedFile, TraceRecord } from '../../../core/ledger/record.ts'
import { parseSessionUrl } from '../../../core/ledger/session-url.ts'
import { queryLedger } from '../../ledger/query-ledger.ts'
import { ownLines } from '../../../core/code/map/own-lines.ts'
import { openParser, type Parser, TEXT_CHARS_MAX } from '../meaning/parser.ts'
import {
  conflictsBetween,
  type DeclarationConflict,
  type SessionChange,
  touchedDeclarations,
} from '../../../core/code/map/conflicts.ts'
import { type LineWrite, touchesNow } from '../../../core/code/map/touched-lines.ts'
import { groupBy } from '../../../core/base/grouping.ts'
import { openWorkspace, type Workspace } from '../../io/worktree/workspace.ts'
import { type LivePlace, livePlaces } from './live-places.ts'

/** Whose conflicts are wanted: those of the sessions of an intent, or of one session; of both, all in this worktree. */
export type ConflictQuestion = {
  readonly intent?: string
  readonly session?: string
  readonly paths?: readonly string[]
}

/**
 * The declarations that live sessions of this worktree and of other intents have changed, in any worktree of the clone,
 * and not committed. Texts are parsed only where both wrote the same path.
 */
export async function findConflicts(workspace: Workspace, asked: ConflictQuestion): Promise<DeclarationConflict[]> {
  const places = await livePlaces(workspace)
  const mine = places.filter(it => it.worktree === workspace.root && isAsked(it, asked))
  const others = places.filter(it => mine.some(own => own.intent !== it.intent))
  if (others.length === 0) return []
  const written = new Map<LivePlace, readonly string[]>()
  for (const it of new Set([...mine, ...others])) written.set(it, await pathsOf(await workspaceOf(workspace, it), it))
  const pathsOfAll = (of: readonly LivePlace[]) => new Set(of.flatMap(it => written.get(it) ?? []))
  const theirs = pathsOfAll(others)
  const shared = [...pathsOfAll(mine)].filter(it => theirs.has(it) && (asked.paths?.includes(it) ?? true))
  if (shared.length === 0) return []
  using parser = openParser()
  const touched = await touchedFiles(workspace, { parser, places: [...new Set([...mine, ...others])] }, shared)
  return conflictsBetween(
    touched.filter(it => mine.some(own => own.session === it.by.session && own.worktree === it.by.worktree)),
    touched,
  )
}

function isAsked({ intent, session }: LivePlace, asked: ConflictQuestion): boolean {
  return intent === (asked.intent ?? intent) && session === (asked.session ?? session)
}

async function workspaceOf(workspace: Workspace, { worktree }: LivePlace): Promise<Workspace> {
  return worktree === workspace.root ? workspace : openWorkspace(worktree, workspace)
}

/** The paths that a session has written, as far as the newest records of it say. */
async function pathsOf(workspace: Workspace, { session }: LivePlace): Promise<string[]> {
  const { records } = await queryLedger(workspace, { wanted: { session }, limit: RECORDS_MAX })
  const paths = records.flatMap(({ files, metadata: { 'dev.kotef': own } }) =>
    own.event === 'claimed' ? [own.path] : own.event === 'write' ? files.map(it => it.path) : [],
  )
  return [...new Set(paths)].reverse().slice(0, PATHS_MAX)
}

const RECORDS_MAX = 1_000
const PATHS_MAX = 200

type Sources = { readonly parser: Parser; readonly places: readonly LivePlace[] }

async function touchedFiles(
  workspace: Workspace,
  { parser, places }: Sources,
  paths: readonly string[],
): Promise<SessionChange[]> {
  const found: SessionChange[] = []
  for (const [, of] of groupBy(places, it => it.worktree)) {
    const here = await workspaceOf(workspace, of[0]!)
    for (const path of paths) {
      const declared = await declarationsBySession(here, parser, path)
      for (const { folders: _, ...by } of of) found.push({ by, path, declarations: declared(by.session) })
    }
  }
  return found.filter(it => it.declarations.length > 0)
}

async function declarationsBySession(
  workspace: Workspace,
  parser: Parser,
  path: string,
): Promise<(session: string) => string[]> {
  const head = await workspace.git.tryAsk({
    args: ['rev-parse', '-q', '--verify', `HEAD:${path}`],
    parse: it => it.trim(),
  })
  if (head && !(await workspace.git.ask(differsFromHead(path)))) return () => []
  const { records } = await queryLedger(workspace, { wanted: { file: path }, limit: RECORDS_MAX })
  const touches = touchesNow(lineWrites(records, path), head)
  const bytes = await workspace.files.read(join(workspace.root, path), TEXT_CHARS_MAX).catch(() => null)
  if (touches.length === 0 || bytes === null) return () => []
  const { declarations } = await parser.declarationsOf(path, bytes.toString('utf8'))
  const owned = ownLines(declarations ?? [])
  return session =>
    touchedDeclarations(
      owned,
      touches.filter(it => it.session === session),
    )
}

function differsFromHead(path: string): GitQuery<boolean> {
  const args = ['--literal-pathspecs', 'diff', '--name-only', '--no-ext-diff', 'HEAD', '--', path]
  return { args, parse: out => out !== '' }
}

function lineWrites(records: readonly TraceRecord[], path: string): LineWrite[] {
  const claims = authorshipClaims(records)
  return records.flatMap(({ id, files, metadata }) => {
    if (metadata['dev.kotef'].event !== 'write') return []
    return files.filter(it => it.path === path).map(it => lineWrite(it, claims.get(id)))
  })
}

function lineWrite({ conversations, kotef }: TracedFile, claim: AuthorshipClaim | undefined): LineWrite {
  const [first] = conversations
  const ranges = conversations.flatMap(it => it.ranges)
  return {
    session: claim ? claim.session : parseSessionUrl(first?.url),
    after: kotef.after,
    added: ranges.map(it => ({ first: it.start_line, last: it.end_line })),
    removed: kotef.removed.map(it => ({ first: it.start_line, last: it.start_line + it.lines - 1 })),
  }
}
