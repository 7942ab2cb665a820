import { join } from 'node:path'
import type { HandoverProblem } from '../../core/handover/handover-problem.ts'
import {
  CONTRACT_FILES,
  readHandoverSession,
  type SessionFiles,
  sessionPath,
} from '../../core/handover/handover-session.ts'
import { endedByChange, personsCommand } from '../../core/handover/person-gates.ts'
import { type HandoverRole, sessionOfPath } from '../../core/handover/port.ts'
import { handoverProblemLine } from '../../core/handover/problem-lines.ts'
import { STATUS_FILE } from '../../core/handover/status-file.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { newHandoverProblems } from './judge-changes.ts'
import { readHandoverFiles } from './session-folder.ts'
import { filesHere, withGates } from './task-facts.ts'

/** A rule of the contract that a write breaks: the file, and the problem as one line. */
export type BrokenByWrite = { readonly rule: HandoverProblem['rule']; readonly file: string; readonly message: string }

/** A file that has been written: `modifiedAt` in ms, null for one that is gone; `before` is null for a new one. */
export type WrittenFile = {
  readonly path: string
  readonly before: { readonly oid: string } | null
  readonly modifiedAt: number | null
}

type KnownOfWrites = {
  readonly roleAt: (path: string) => HandoverRole | null
  /** The content of a file before its write; null where nobody has it. */
  readonly bytesBefore: (path: string, oid: string) => Promise<Buffer | null>
}

/** The rules of the contract that writes broke which have happened: those of one session are judged together. */
export async function judgeWrites(
  workspace: Workspace,
  writes: readonly WrittenFile[],
  known: KnownOfWrites,
): Promise<BrokenByWrite[]> {
  const names = new Set(writes.flatMap(it => sessionOfPath(it.path)?.session ?? []))
  const broken: BrokenByWrite[] = []
  for (const name of names) {
    const own = writes.filter(it => sessionOfPath(it.path)?.session === name)
    broken.push(...(await judgeSession(workspace, { name, own }, known)))
  }
  return broken
}

type SessionWrites = { readonly name: string; readonly own: readonly WrittenFile[] }

async function judgeSession(
  workspace: Workspace,
  { name, own }: SessionWrites,
  { roleAt, bytesBefore }: KnownOfWrites,
): Promise<BrokenByWrite[]> {
  const after = await readHandoverFiles(workspace, name)
  const before = new Map(after.texts)
  for (const { path, before: old } of own) {
    const { file = '' } = sessionOfPath(path) ?? {}
    // No rule reads other files: whether they have changed is enough.
    if (!CONTRACT_FILES.includes(file)) before.set(file, old?.oid ?? 'none')
    else put(before, file, old && (await bytesBefore(path, old.oid)))
  }
  const role = own.map(it => roleAt(it.path)).find(it => it !== null)?.role ?? null
  const found = await problemsOfChange(workspace, { before: { name, texts: before }, after, role }, { isLater: true })
  const isLate = await lateWrites(workspace, name, own)
  // A new session is written file by file.
  return found.filter(it => (before.size > 0 || it.rule !== 'handover-missing') && !isLate(it)).map(asBroken)
}

function put(texts: Map<string, string>, file: string, bytes: Buffer | null): void {
  if (bytes) texts.set(file, bytes.toString('utf8'))
  else texts.delete(file)
}

// The files of a session may be recorded after the status that ended it, although they were written before it.
async function lateWrites({ root, files }: Workspace, name: string, own: readonly WrittenFile[]) {
  const status = sessionPath(name, STATUS_FILE)
  const endedAt = (await files.modifiedAt(join(root, status))) ?? 0
  const late = own
    .filter(it => it.path !== status && it.modifiedAt !== null && it.modifiedAt <= endedAt)
    .map(it => it.path)
  return ({ rule, file }: HandoverProblem): boolean => rule === 'handover-read-only' && late.includes(file)
}

/** What an agent's edit of a session's file breaks, and the questions that it answers in place of a person. */
export type JudgedSessionEdit = {
  readonly broken: readonly BrokenByWrite[]
  readonly ended: readonly string[]
  /** With which a person answers them. */
  readonly command: string
}

/**
 * Judges an edit before it is made; null for a file that no rule reads, and where `textAfter` does not know what the
 * edit makes of the text on disk.
 */
export async function judgeSessionEdit(
  workspace: Workspace,
  path: string,
  {
    role,
    textAfter,
  }: { readonly role: HandoverRole | null; readonly textAfter: (old: string | null) => string | null },
): Promise<JudgedSessionEdit | null> {
  const place = sessionOfPath(path)
  if (!place || !CONTRACT_FILES.includes(place.file)) return null
  const { session: name, file } = place
  const before = await readHandoverFiles(workspace, name)
  const old = (await workspace.files.read(join(workspace.root, path)))?.toString('utf8') ?? null
  const text = textAfter(old)
  if (text === null) return null
  const after = { name, texts: new Map([...before.texts, [file, text]]) }
  const change = { before, after, role: role?.role ?? null }
  const found = await problemsOfChange(workspace, change, { isLater: false })
  const own = found.filter(it => isForNow(it) && it.file === sessionPath(name, file))
  const statusIn = (files: SessionFiles) => readHandoverSession(files).session.status
  const ended = endedByChange(statusIn(before), statusIn(after))
  return { broken: own.map(asBroken), ended, command: personsCommand(name) }
}

// A session is written file by file: what is missing now may come with the next one.
function isForNow({ rule }: HandoverProblem): boolean {
  return rule !== 'handover-missing' && rule !== 'handover-approval' && rule !== 'handover-done'
}

type SessionChange = {
  readonly before: SessionFiles
  readonly after: SessionFiles
  readonly role: HandoverRole['role'] | null
}

async function problemsOfChange(
  workspace: Workspace,
  { before, after, role }: SessionChange,
  { isLater }: { readonly isLater: boolean },
): Promise<HandoverProblem[]> {
  const orNull = (it: SessionFiles) => (it.texts.size === 0 ? null : it)
  const here = filesHere(workspace)
  const change = { before: orNull(before), after: orNull(after), role }
  return newHandoverProblems(await withGates(change, here, { isLater, aside: here }))
}

function asBroken(problem: HandoverProblem): BrokenByWrite {
  return { rule: problem.rule, file: problem.file, message: handoverProblemLine(problem) }
}
