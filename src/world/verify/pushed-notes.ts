import { noteChangeDamage } from '../../core/ledger/note-lines.ts'
import { noteText, notesOfTip } from '../provenance/notes-tree.ts'
import type { CommitFinding } from '../../core/report/verification.ts'
import { plural } from '../../core/base/printable.ts'
import type { ScratchWorkspace } from './scratch-workspace.ts'

type NotesUpdate = { readonly old: string | null; readonly next: string }

/** The findings about pushed notes: a record that is gone, and a line that kotef did not write about its commit. */
export async function pushedNotesFindings(
  { git, blobs }: Pick<ScratchWorkspace, 'git' | 'blobs'>,
  { old, next }: NotesUpdate,
): Promise<CommitFinding[]> {
  const after = await git.ask(notesOfTip(next))
  const before: typeof after = old === null ? new Map() : await git.ask(notesOfTip(old))
  const [lost, foreign]: [string[], string[]] = [[], []]
  for (const commit of new Set([...before.keys(), ...after.keys()])) {
    if (before.get(commit)?.blob === after.get(commit)?.blob) continue
    const texts = [await noteText(blobs, before.get(commit)), await noteText(blobs, after.get(commit))] as const
    const damage = noteChangeDamage(commit, ...texts)
    if (damage.lost > 0) lost.push(commit)
    if (damage.foreign > 0) foreign.push(commit)
  }
  return [...lostFinding(lost), ...foreignFinding(foreign)]
}

function lostFinding(commits: readonly string[]): CommitFinding[] {
  const message = `refs/notes/kotef would lose records of ${namesOf(commits)}, and it may only be added to`
  const hint = 'Get them back, and push again: `kotef sync`'
  return commits.length === 0 ? [] : [{ rule: 'notes-rewound', ...WHOLE_REF, message, hint }]
}

function foreignFinding(commits: readonly string[]): CommitFinding[] {
  const message = `refs/notes/kotef has lines that kotef did not write, on ${namesOf(commits)}`
  const hint = 'See who wrote them: `git log -p refs/notes/kotef`. Remove one: `git notes --ref=kotef remove <commit>`'
  return commits.length === 0 ? [] : [{ rule: 'note-edited', ...WHOLE_REF, message, hint }]
}

const WHOLE_REF = { level: 'block', path: null, commit: null, subject: null } as const

function namesOf(commits: readonly string[]): string {
  const [first = ''] = commits
  return commits.length === 1
    ? first.slice(0, 10)
    : `${first.slice(0, 10)} and ${plural(commits.length - 1, 'more commit')}`
}
