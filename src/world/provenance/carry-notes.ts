import type { RenamedCommits } from '../commits/renumber-commits.ts'
import type { Renumbering } from '../../core/intents/renumber-yaml.ts'
import { renumberedRecord } from '../../core/ledger/commit-record.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { readNoteRecords, writeNotes } from '../ledger/notes.ts'

/** Gives commits that were made again for another id of an intent the notes of their old names, with that id. */
export async function carryNotes(workspace: Workspace, renamed: RenamedCommits, ids: Renumbering): Promise<void> {
  await writeNotes(workspace, async () => {
    const records = await readNoteRecords(workspace, [...renamed.keys()])
    const notes = [...records].map(([old, own]) => {
      const commit = renamed.get(old) ?? old
      return [commit, own.map(it => `${JSON.stringify(renumberedRecord(it, { ...ids, commit }))}\n`).join('')] as const
    })
    return new Map(notes)
  })
}
