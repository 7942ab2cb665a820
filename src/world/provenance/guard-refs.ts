import type { RecordDraft } from '../../core/ledger/record.ts'
import { LARGE_FILE_BYTES_MAX } from '../io/files/regular-file.ts'
import { guardClaims, type KnownClaims, type RefDamage } from '../intents/sessions/guard-claims.ts'
import { parseObject } from '../../core/base/payload.ts'
import { layoutOf, ownPath } from '../io/worktree/layout.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { guardNotes } from './guard-notes.ts'

/** What a look at kotef's refs found, which the next one of this worktree's daemon compares them with. */
export type KnownRefs = {
  readonly notes: string | null
  readonly claims: KnownClaims
  /** What could not be repaired, by the ref: recorded once. */
  readonly reported: Readonly<Record<string, string>>
}

/** What is known after a look, and a violation for each change that another program made, once. */
type OwnRefsLook = { readonly known: KnownRefs; readonly violations: readonly RecordDraft[] }

/**
 * Finds what other programs changed in the references that kotef keeps, and puts it back. `before` is what the last
 * look found; null for the first one of a daemon, which loads it from a file: other programs may remove that later.
 * Null in a repository without kotef. Nothing is found at the first look of all.
 */
export async function guardOwnRefs(workspace: Workspace, before: KnownRefs | null): Promise<OwnRefsLook | null> {
  const isSetUp = (await workspace.files.modifiedAt(layoutOf(workspace).shared)) !== null
  if (!isSetUp) return null
  const text = await readKnownText(workspace)
  const known = before ?? readKnownRefs(text)
  const claims = await guardClaims(workspace, known.claims)
  const notes = await guardNotes(workspace, known.notes)
  const damages = [...claims.damages, ...(notes.damage ? [notes.damage] : [])]
  const broken = damages.filter(it => it.repair === null)
  const reported = Object.fromEntries(broken.map(it => [it.ref, it.what]))
  const next: KnownRefs = { notes: notes.known, claims: claims.known, reported }
  const nextText = JSON.stringify(next)
  if (nextText !== text) await workspace.files.put(knownPath(workspace), nextText)
  const fresh = damages.filter(it => it.repair !== null || known.reported[it.ref] !== it.what)
  return { known: next, violations: fresh.map(violationOf) }
}

/** True while there is the file from which the next daemon loads what is known. */
export async function areKnownRefsSaved(workspace: Workspace): Promise<boolean> {
  return (await workspace.files.modifiedAt(knownPath(workspace)).catch(() => null)) !== null
}

/** The refs that another program changed, and that could not be put back: what is wrong, by the ref. */
export async function unrepairedRefs(workspace: Workspace): Promise<Readonly<Record<string, string>>> {
  return readKnownRefs(await readKnownText(workspace)).reported
}

async function readKnownText(workspace: Workspace): Promise<string> {
  const bytes = await workspace.files.read(knownPath(workspace), LARGE_FILE_BYTES_MAX).catch(() => null)
  return bytes?.toString('utf8') ?? ''
}

function knownPath(workspace: Workspace): string {
  return ownPath(workspace, 'refs-known.json')
}

function readKnownRefs(text: string): KnownRefs {
  const { notes, claims, reported } = parseObject(text) ?? {}
  return { notes: isOid(notes) ? notes : null, claims: textsIn(claims, isOid), reported: textsIn(reported, isText) }
}

const isText = (value: unknown): value is string => typeof value === 'string'
// An oid becomes an argument of git, so it must not be an option.
const isOid = (value: unknown): value is string => isText(value) && /^[0-9a-f]{40,64}$/.test(value)

function textsIn(value: unknown, isValid: (it: unknown) => it is string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(Object(value)).filter((it): it is [string, string] => isValid(it[1])))
}

function violationOf({ ref, before, intent, what, repair }: RefDamage): RecordDraft {
  const was = before === null ? '' : ` (it was ${before.slice(0, OID_SHOWN)})`
  const done = repair === null ? 'kotef can not put it back' : `kotef has ${REPAIRS[repair]}`
  const message = `${ref} ${what}${was}. Only kotef writes it: ${done}.`
  return { event: { event: 'violation', rule: 'kotef-refs', path: null, intent, message } }
}

const REPAIRS = { 'put-back': 'put it back', removed: 'removed it' } as const
const OID_SHOWN = 10
