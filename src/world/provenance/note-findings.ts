import type { Commit } from '../../core/git/trailers/commits.ts'
import type { CommitPatch } from '../../core/git/diff/patch.ts'
import type { Blobs } from '../io/git/blobs.ts'
import { loadHasher } from '../io/files/hasher.ts'
import type { Finding } from '../../core/base/finding.ts'
import { judgeNote, untracedLines } from '../../core/rules/judge-note.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { type Note, readNotes } from '../ledger/notes.ts'
import { readPatches } from './commit-queries.ts'
import { generatedLines } from './generated-lines.ts'

/** The findings about the notes of some commits; with `requireTrace`, also each line without a known author. */
export async function noteFindings(
  workspace: Workspace & { readonly blobs: Blobs },
  commits: readonly Commit[],
  { requireTrace }: { readonly requireTrace: boolean },
): Promise<(Finding & { readonly commit: string })[]> {
  const hasher = await loadHasher()
  const oids = commits.map(it => it.oid)
  const notes = await readNotes(workspace, oids)
  const findings: (Finding & { readonly commit: string })[] = []
  for (const [commit, note] of notes) {
    const texts = await readNotedTexts(workspace.blobs, commit, note)
    for (const each of judgeNote({ commit, ...note, texts }, hasher).map(it => ({ ...it, commit }))) findings.push(each)
  }
  if (!requireTrace) return findings
  for await (const patches of readPatches(workspace.git, oids, hasher.xxh32)) {
    for (const patch of patches) {
      const written = await withoutGenerated(patch, workspace.blobs)
      for (const each of untracedFindings(written, notes.get(patch.commit)?.records ?? [])) findings.push(each)
    }
  }
  return findings
}

async function withoutGenerated(patch: CommitPatch, blobs: Blobs): Promise<CommitPatch> {
  const files = patch.files.map(async file => {
    const lines = await generatedLines(blobs, patch.commit, file.path)
    const hunks = file.hunks.map(hunk => hunk.filter(it => it.side !== 'added' || !lines.has(it.at)))
    return { ...file, hunks }
  })
  return { ...patch, files: await Promise.all(files) }
}

async function readNotedTexts(blobs: Blobs, commit: string, { records }: Note): Promise<Map<string, Buffer>> {
  const texts = new Map<string, Buffer>()
  for (const { path } of records.flatMap(it => it.files)) {
    const bytes = /\n/.test(path) ? null : await blobs.read(`${commit}:${path}`)
    if (bytes) texts.set(path, bytes)
  }
  return texts
}

function untracedFindings(
  { commit, files }: CommitPatch,
  records: Note['records'],
): (Finding & { readonly commit: string })[] {
  return files.flatMap(({ path, hunks }) => {
    const added = hunks.flat().filter(it => it.side === 'added')
    const lines = added.map(it => it.at)
    return untracedLines(records, path, lines).map(it => ({ ...it, commit }))
  })
}
