import { readClaim } from '../../core/intents/claim.ts'
import { NOTES_REF } from '../ledger/notes.ts'
import type { CommitFinding } from '../../core/report/verification.ts'
import { printable } from '../../core/base/printable.ts'
import type { ScratchWorkspace } from './scratch-workspace.ts'

type NewValue = { readonly name: string; readonly old: string | null; readonly next: string | null }

/** The findings of pushed references that stand for something else than they should. */
export async function pushedRefFindings(
  { git, blobs }: Pick<ScratchWorkspace, 'git' | 'blobs'>,
  { name, old, next }: NewValue,
): Promise<CommitFinding[]> {
  if (next === null) return []
  if (name.startsWith('refs/replace/')) return [refused(name, 'would show every reader another object')]
  const isClaim = name.startsWith('refs/kotef/claims/')
  if (isClaim && readClaim((await blobs.read(next))?.toString('utf8') ?? '') === null)
    return [refused(name, 'is not a claim of an intent')]
  // What it has later was compared with what it had before.
  if (name !== NOTES_REF || old !== null) return []
  const names = await git.tryAsk({ args: ['ls-tree', '-r', '-z', '--name-only', '--full-tree', next], parse: namesIn })
  return names?.every(it => NOTE_PATH.test(it)) ? [] : [refused(name, 'would begin with a tree that has no notes')]
}

const NOTE_PATH = /^(?:[0-9a-f]{2}\/)*[0-9a-f]{2,64}$/

function namesIn(out: string): string[] {
  return out.split('\0').filter(it => it !== '')
}

function refused(name: string, why: string): CommitFinding {
  return {
    rule: 'ref-refused',
    level: 'block',
    path: null,
    message: `${printable(name)} ${why}`,
    hint: 'Push without it: `kotef explain ref-refused`',
    commit: null,
    subject: null,
  }
}
