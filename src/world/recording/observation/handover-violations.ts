import { join } from 'node:path'
import { sessionOfPath, whyNotWritten } from '../../../core/handover/agents.ts'
import type { HandoverProblem } from '../../../core/handover/handover-problem.ts'
import { CONTRACT_FILES, sessionPath } from '../../../core/handover/handover-session.ts'
import { STATUS_FILE } from '../../../core/handover/status-file.ts'
import { filesHere, withGates } from '../../handover/task-facts.ts'
import { newHandoverProblems } from '../../handover/judge-changes.ts'
import { readHandoverFiles } from '../../handover/session-folder.ts'
import type { RecordDraft } from '../../../core/ledger/record.ts'
import { handoverProblemLine } from '../../../core/report/handover-lines.ts'
import type { AuthorLookup } from './authors.ts'
import { bytesBefore } from './bytes-before.ts'
import type { RecorderContext } from './recorder-context.ts'
import type { Change } from './write-records.ts'

/** A write's record that its violations can name, before it is appended. */
export type NamedDraft = Required<Pick<RecordDraft, 'id' | 'files'>>

type Written = {
  readonly changes: readonly Change[]
  readonly drafts: readonly NamedDraft[]
  readonly authors: Pick<AuthorLookup, 'roleAt'>
}

/** An event for each rule of the handover contract that writes of sessions broke. */
export async function handoverViolations(context: RecorderContext, written: Written): Promise<RecordDraft[]> {
  const writes = written.changes.flatMap(({ from, to }) => (from ? [from, to] : [to]))
  const names = new Set(writes.flatMap(it => sessionOfPath(it.path)?.session ?? []))
  const drafts: RecordDraft[] = []
  for (const name of names) drafts.push(...(await violationsOf(context, { name, writes, ...written })))
  return [...drafts, ...written.drafts.flatMap(it => roleViolations(it, written.authors))]
}

// What a role may not write, its agent may not write by a command either.
function roleViolations({ id, files }: NamedDraft, authors: Pick<AuthorLookup, 'roleAt'>): RecordDraft[] {
  return files.flatMap(({ path, kotef: { from } }): RecordDraft[] => {
    const role = authors.roleAt(path)
    return (from === undefined ? [path] : [from, path]).flatMap((it): RecordDraft[] => {
      const why = role && whyNotWritten(it, role)
      if (!why) return []
      const message = `${it} is not for this session: ${why}`
      return [{ event: { event: 'violation', rule: 'handover-role', path: it, intent: null, message, record: id } }]
    })
  })
}

type SessionWrites = Omit<Written, 'changes'> & {
  readonly name: string
  readonly writes: readonly Change['to'][]
}

async function violationsOf(context: RecorderContext, written: SessionWrites): Promise<RecordDraft[]> {
  const { name, writes, drafts, authors } = written
  const after = await readHandoverFiles(context.workspace, name)
  const before = new Map(after.texts)
  const own = writes.filter(it => sessionOfPath(it.path)?.session === name)
  for (const write of own) await setBefore(context, before, write)
  const draft = drafts.find(it => it.files.some(({ path }) => own.some(write => write.path === path)))
  const changed = {
    before: before.size === 0 ? null : { name, texts: before },
    after: after.texts.size === 0 ? null : after,
    role: own.map(it => authors.roleAt(it.path)).find(it => it !== null)?.role ?? null,
  }
  const here = filesHere(context.workspace)
  const change = await withGates(changed, here, { isLater: true, aside: here })
  const problems = newHandoverProblems(change)
  // A new session is written file by file.
  const isLate = await lateWrites(context, name, own)
  const reported = problems.filter(it => (change.before || it.rule !== 'handover-missing') && !isLate(it))
  return reported.map(it => {
    const message = handoverProblemLine(it)
    const at = draft ? { record: draft.id } : {}
    return { event: { event: 'violation', rule: it.rule, path: it.file, intent: null, message, ...at } }
  })
}

// The files of a session may be recorded after the status that ended it, although they were written before it.
async function lateWrites({ workspace }: RecorderContext, name: string, own: readonly Change['to'][]) {
  const status = sessionPath(name, STATUS_FILE)
  const endedAt = (await workspace.files.modifiedAt(join(workspace.root, status))) ?? 0
  const late = own.filter(it => it.path !== status && it.file && it.file.modifiedAt <= endedAt).map(it => it.path)
  return ({ rule, file }: HandoverProblem): boolean => rule === 'handover-read-only' && late.includes(file)
}

async function setBefore(context: RecorderContext, texts: Map<string, string>, write: Change['to']): Promise<void> {
  const { file = '' } = sessionOfPath(write.path) ?? {}
  if (!CONTRACT_FILES.includes(file)) return void texts.set(file, write.before?.oid ?? 'none')
  const found = write.before && (await bytesBefore(context, { path: write.path, oid: write.before.oid }, null))
  if (found) texts.set(file, found.bytes.toString('utf8'))
  else texts.delete(file)
}
