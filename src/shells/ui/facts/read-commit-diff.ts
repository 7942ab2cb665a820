import { intentName } from '../../../core/authorship/line-intent.ts'
import { emptyTree, type PathChange, treeChanges } from '../../../core/git/changes.ts'
import type { FilePatch } from '../../../core/git/diff/patch.ts'
import { commitAndParents } from '../../../core/git/revisions.ts'
import { judgePath } from '../../../core/intents/scope/judge-path.ts'
import { readNoteRecords } from '../../../world/ledger/notes.ts'
import { readPatches } from '../../../world/provenance/commit-queries.ts'
import { type ReviewLine, reviewLines } from '../../../world/views/count-lines.ts'
import type { ReviewedRange } from '../../../world/views/review-range.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'
import type { ChangedFile, CommitDiff, DiffAuthor } from '../pages/commit-facts.ts'
import { authorShares, changedFile, intentShares } from '../pages/commit-view.ts'

/** A page has at most so many files of a commit, and so many lines of them, and of one of them. */
export const DIFF_LIMITS = { files: 300, lines: 1_000, linesOfFile: 200 } as const

/** What a commit changes, and who wrote its lines as far as the notes say, as `kotef report` counts them. */
export async function readCommitDiff(workspace: Workspace, commit: string, judged: ReviewedRange): Promise<CommitDiff> {
  const { git } = workspace
  const [, ...parents] = await git.ask(commitAndParents(commit))
  const entries = entriesByPath(await git.ask(treeChanges(parents[0] ?? (await git.ask(emptyTree)), commit)))
  const isJudged = judged.commits.some(it => it.oid === commit)
  const lines = await authoredLines(workspace, judged)
  const known = { entries, isJudged, lines, isGovernance: governanceTest(judged) }
  const files: ChangedFile[] = []
  const totals = { files: 0, added: 0, removed: 0 }
  const shown = shownFiles(known)
  // No line is compared with another one, so no hash is needed.
  for await (const patches of readPatches(git, [commit], () => 0))
    for (const patch of patches.flatMap(it => it.files)) {
      const file = shown(patch)
      totals.files++
      totals.added += file.added
      totals.removed += file.removed
      if (files.length < DIFF_LIMITS.files) files.push(file)
    }
  const counts = isJudged ? lines.counts : []
  return {
    parents: parents.length,
    isNoted: (await readNoteRecords(workspace, [commit])).has(commit),
    ...{ isJudged, files, filesLeftOut: totals.files - files.length, added: totals.added, removed: totals.removed },
    authors: authorShares(counts),
    intents: intentShares(counts),
  }
}

type KnownOfCommit = {
  readonly entries: ReadonlyMap<string, PathChange>
  readonly isJudged: boolean
  readonly lines: AuthoredLines
  readonly isGovernance: (path: string) => boolean
}

/** Makes the files that are shown, one after the other: governance files take no room from those of the work. */
function shownFiles({ entries, isJudged, lines, isGovernance }: KnownOfCommit): (patch: FilePatch) => ChangedFile {
  const room = { work: DIFF_LIMITS.lines, governance: DIFF_LIMITS.lines }
  return patch => {
    const { path, from } = patch
    const isOwn = isGovernance(path)
    const kind = isOwn ? 'governance' : 'work'
    const authors = lines.ofPath.get(path)
    const file = changedFile(patch, {
      entries: {
        before: entries.get(from ?? path)?.before ?? null,
        after: entries.get(path)?.after ?? null,
      },
      isGovernance: isOwn,
      authorOf: line => (isJudged ? (authors?.get(line) ?? UNKNOWN) : null),
      room: Math.min(DIFF_LIMITS.linesOfFile, room[kind]),
    })
    for (const it of file.hunks.flat()) room[kind] -= it.lines.length
    return file
  }
}

const UNKNOWN: DiffAuthor = { intent: null, author: { kind: 'unknown', model: null } }

function entriesByPath(changes: readonly PathChange[]): Map<string, PathChange> {
  return new Map(changes.map(it => [it.path, it]))
}

function governanceTest({ facts: { policy } }: ReviewedRange): (path: string) => boolean {
  const judge = policy && judgePath(policy)
  return path => path.startsWith('.orchestration/') || judge?.([], path).kind === 'governance'
}

type AuthoredLines = {
  readonly ofPath: ReadonlyMap<string, ReadonlyMap<number, DiffAuthor>>
  readonly counts: readonly (DiffAuthor & { readonly lines: number })[]
}

/** The authors of all lines that the judged commits add; equal ones are one object, because there are few of them. */
async function authoredLines(workspace: Workspace, { commits, owns }: ReviewedRange): Promise<AuthoredLines> {
  const counts = new Map<string, DiffAuthor & { lines: number }>()
  const ofPath = new Map<string, Map<number, DiffAuthor>>()
  // A report counts no line of a governance commit, which has authors all the same.
  const counted = commits.map(it => ({ ...it, governance: null }))
  for await (const added of reviewLines(workspace, { commits: counted, owns })) {
    const found = diffAuthor(added)
    const key = JSON.stringify(found)
    const author = counts.get(key) ?? { ...found, lines: 0 }
    author.lines++
    counts.set(key, author)
    const lines = ofPath.get(added.path) ?? new Map<number, DiffAuthor>()
    lines.set(added.line, author)
    ofPath.set(added.path, lines)
  }
  return { ofPath, counts: [...counts.values()] }
}

function diffAuthor({ intent, either, contributor, isDoubtful, isOwn }: ReviewLine): DiffAuthor {
  const { type, model_id: model } = contributor
  return {
    intent: intentName({ intent, either }),
    author: { kind: isOwn ? 'kotef' : type, model: model ?? null, isDoubtful },
  }
}
