import { attribute, type Attributed } from '../attribution/attribute.ts'
import type { OwnedLine } from '../attribution/document.ts'
import type { CommitPatch, FilePatch } from '../diff/patch.ts'
import type { Hasher } from '../io/hash.ts'
import type { Head } from '../ledger/chain.ts'
import { type CommittedFile, type CommittedRecord, committedRecord } from '../ledger/committed.ts'
import { VERSION } from '../package.ts'
import { readHead } from '../workspace/record.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type CommitHead, headsOf } from './commits.ts'
import { evidenceOf, type Gathered } from './evidence.ts'
import { notesAbout } from './notes.ts'
import { patchesOf } from './patches.ts'

/**
 * The record of each of some commits, which come oldest first, from git, the ledgers and the notes alone. A commit that
 * changes nothing has none. However many they are, the git processes are as many.
 */
export async function recordsOf(
  workspace: Workspace,
  commits: readonly string[],
  hasher: Hasher,
): Promise<Map<string, CommittedRecord>> {
  const made = new Map<string, CommittedRecord>()
  if (commits.length === 0) return made
  const heads = await headsOf(workspace.git, commits)
  const head = await readHead(workspace)
  for await (const patches of patchesOf(workspace.git, commits, hasher.xxh32)) {
    const owners = await ownersIn(workspace, patches, hasher)
    patches.forEach((patch, n) => {
      const about = heads.get(patch.commit)
      if (!about || patch.files.length === 0) return
      made.set(patch.commit, recordOf({ patch, owners: owners[n] ?? [] }, { about, head, hasher }))
    })
  }
  return made
}

/** For each commit and each of its files, whom the lines are from; notes are asked where the ledger does not know. */
async function ownersIn(
  workspace: Workspace,
  patches: readonly CommitPatch[],
  hasher: Hasher,
): Promise<Attributed[][][]> {
  const evidence = await evidenceOf(workspace, new Set(patches.flatMap(it => it.files).flatMap(pathsOf)), hasher)
  const owners = inTurn(patches, evidence)
  const unclear = patches.filter((_, n) => owners[n]?.flat().some(it => it.owner === null))
  if (unclear.length === 0) return owners
  const commits = new Set(patches.map(it => it.commit))
  const paths = [...new Set(unclear.flatMap(it => it.files).flatMap(pathsOf))]
  const notes = (await notesAbout(workspace, paths)).filter(it => !commits.has(it.vcs.revision))
  return inTurn(patches, evidence.with(notes))
}

function pathsOf({ path, from }: FilePatch): string[] {
  return from === null ? [path] : [path, from]
}

// What is found of one commit is known for those after it.
function inTurn(patches: readonly CommitPatch[], evidence: Gathered): Attributed[][][] {
  return patches.map(patch => {
    const owners = attribute(patch, evidence)
    patch.files.forEach((file, n) => {
      for (const document of documentsIn(file, owners[n] ?? [])) evidence.found(file.path, document)
    })
    return owners
  })
}

/** Each hunk after a commit, with whom the lines are from that it added. */
function documentsIn({ hunks }: FilePatch, attributed: readonly Attributed[]): OwnedLine[][] {
  if (!attributed.some(it => it.owner)) return []
  const owners = new Map(attributed.map(it => [it.at, it.owner]))
  const after = hunks.map(hunk => hunk.filter(it => it.side !== 'removed'))
  return after.map(hunk =>
    hunk.map(({ hash, side, at }) => ({ hash, owner: side === 'added' ? (owners.get(at) ?? null) : null })),
  )
}

type Subject = { readonly patch: CommitPatch; readonly owners: readonly (readonly Attributed[])[] }
type Around = { readonly about: CommitHead; readonly head: Head | null; readonly hasher: Hasher }

function recordOf({ patch, owners }: Subject, { about, head, hasher }: Around): CommittedRecord {
  const files = patch.files.map((file, n) => committedFile(file, owners[n] ?? [], intentOf(about)))
  return committedRecord(files, { commit: patch.commit, timestamp: about.date, version: VERSION, head }, hasher)
}

// Of a line of which nobody knows more, the commit says what it was for.
function intentOf({ cited }: CommitHead): string | null {
  return cited.length === 1 ? (cited[0] ?? null) : null
}

function committedFile(file: FilePatch, attributed: readonly Attributed[], cited: string | null): CommittedFile {
  const owners = new Map(attributed.map(it => [it.at, it.owner]))
  const added = file.hunks.flat().filter(it => it.side === 'added')
  const lines = added.map(({ at, bytes }) => {
    const { contributor, session, intent, attribution } = owners.get(at) ?? NOBODY
    return { at, bytes, contributor, session, intent: intent ?? cited, attribution }
  })
  return { path: file.path, from: file.from, before: file.before, after: file.after, lines }
}

const NOBODY = { contributor: { type: 'unknown' }, session: null, intent: null, attribution: 'unknown' } as const
