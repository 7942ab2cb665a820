import { sessionOfPath, whyNotWritten } from '../../../core/handover/port.ts'
import type { RecordDraft } from '../../../core/ledger/record.ts'
import { judgeWrites } from '../../handover/judge-writes.ts'
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
  const { changes, drafts, authors } = written
  const writes = changes
    .flatMap(({ from, to }) => (from ? [from, to] : [to]))
    .map(({ path, before, file }) => ({ path, before, modifiedAt: file?.modifiedAt ?? null }))
  const broken = await judgeWrites(context.workspace, writes, {
    roleAt: authors.roleAt,
    bytesBefore: async (path, oid) => (await bytesBefore(context, { path, oid }, null))?.bytes ?? null,
  })
  const sessionOf = (path: string) => sessionOfPath(path)?.session
  const ofContract = broken.map(({ rule, file, message }): RecordDraft => {
    const isOfSession = (path: string): boolean => sessionOf(path) === sessionOf(file)
    const own = writes.filter(it => isOfSession(it.path)).map(it => it.path)
    const draft = drafts.find(it => it.files.some(({ path }) => own.includes(path)))
    const at = draft ? { record: draft.id } : {}
    return { event: { event: 'violation', rule, path: file, intent: null, message, ...at } }
  })
  return [...ofContract, ...drafts.flatMap(it => roleViolations(it, authors))]
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
