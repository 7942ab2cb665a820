import { join } from 'node:path'
import { withLock } from '../io/files/lock.ts'
import { openBlobs } from '../io/git/blobs.ts'
import { noteChangeDamage, ownRecordLines } from '../../core/ledger/note-lines.ts'
import { plural } from '../../core/base/printable.ts'
import { layoutOf } from '../io/worktree/layout.ts'
import type { RefDamage } from '../intents/sessions/guard-claims.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { importNotes, NOTES_REF, notesTip } from '../ledger/notes.ts'
import { changedNotes, type NotesChange } from './notes-tree.ts'

type NotesLook = { readonly known: string | null; readonly damage: RefDamage | null }

/**
 * Compares the notes with the tip that was known, and puts back the records that are gone: kotef, a sync and a fetch
 * only add records. `known` is null before the first look.
 */
export async function guardNotes(workspace: Workspace, known: string | null): Promise<NotesLook> {
  const now = await refContent(workspace)
  if (now === known) return { known, damage: null }
  // What kotef itself writes for new commits only adds notes: that needs no lock.
  if (known !== null && now !== null && OID.test(now)) {
    const changes = await workspace.git.tryAsk(changedNotes(known, now))
    if (changes?.every(it => it.commit !== null && it.before === null)) return { known: now, damage: null }
  }
  const lock = join(layoutOf(workspace).shared, 'notes.lock')
  return withLock(lock, () => compareAndRepair(workspace, known))
}

/** What is wrong with a reference in whose place git finds no file that it can read. */
export const NOT_PLAIN = 'is not a plain reference'

const OID = /^[0-9a-f]{40,64}$/

/** The loose reference: its text, null for none, or empty for what is not a file. */
async function refContent({ files, commonDir }: Workspace): Promise<string | null> {
  const bytes = await files.read(join(commonDir, NOTES_REF)).catch(() => Buffer.from(''))
  return bytes === null ? null : bytes.toString('latin1').trim()
}

async function compareAndRepair(workspace: Workspace, known: string | null): Promise<NotesLook> {
  const text = await refContent(workspace)
  // Git would wait at a pipe, and follow a link.
  const isPlain = text === null || OID.test(text)
  const tip = isPlain ? await workspace.git.ask(notesTip) : null
  if (known === null) return { known: tip, damage: null }
  if (isPlain && tip === known) return { known, damage: null }
  const report = (what: string, isRepaired: boolean): RefDamage => {
    return { ref: NOTES_REF, before: known, intent: null, what, repair: isRepaired ? 'put-back' : null }
  }
  if (!isPlain) {
    const isRepaired = /^ref:/.test(text) && (await moveBack(workspace, known, null))
    return { known, damage: report(NOT_PLAIN, isRepaired) }
  }
  if (tip === null) return { known, damage: report('was removed', await moveBack(workspace, known, ZERO)) }
  const changes = await workspace.git.tryAsk(changedNotes(known, tip))
  if (changes === null || changes.some(it => it.commit === null))
    return { known, damage: report('does not point to notes', await moveBack(workspace, known, tip)) }
  const lost = await lostNotes(workspace, changes)
  if (lost.size === 0) return { known: tip, damage: null }
  const isRepaired = await importNotes(workspace, lost, { tip, merged: known })
  const next = isRepaired ? await workspace.git.ask(notesTip) : known
  return { known: next, damage: report(`lost records of ${plural(lost.size, 'commit')}`, isRepaired) }
}

const ZERO = '0'.repeat(40)

async function moveBack({ git }: Workspace, to: string, from: string | null): Promise<boolean> {
  const old = from === ZERO ? '0'.repeat(to.length) : from
  const args = ['update-ref', '--no-deref', '--create-reflog', NOTES_REF, to, ...(old === null ? [] : [old])]
  return (await git.tryAsk({ args, parse: () => true })) === true
}

/** The notes that lack records, by their paths, as they should be: all records of both, and no other line. */
async function lostNotes(workspace: Workspace, changes: readonly NotesChange[]): Promise<Map<string, string>> {
  const lost = new Map<string, string>()
  await using blobs = openBlobs(workspace.root)
  const textOf = async (blob: string | null): Promise<string> =>
    blob === null ? '' : ((await blobs.read(blob))?.toString('utf8') ?? '')
  for (const { commit, path, before, after } of changes) {
    if (commit === null || before === null) continue
    const old = await textOf(before)
    const next = await textOf(after)
    const damage = noteChangeDamage(commit, old, next)
    if (damage.lost + damage.foreign === 0) continue
    const lines = new Set([...ownRecordLines(commit, old), ...ownRecordLines(commit, next)])
    lost.set(
      path,
      [...lines]
        .sort()
        .map(it => `${it}\n`)
        .join(''),
    )
  }
  return lost
}
