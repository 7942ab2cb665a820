import type { Git } from '../io/git/git.ts'
import { notedRanges } from '../ledger/note.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { readNoteRecords } from './notes.ts'
import { readHead } from '../worktree/head.ts'
import { blamePath } from './blame.ts'

/** The number of lines that commits added, by intent, author type and model. */
export type LineStats = {
  readonly commits: number
  /** Commits with a note; the authors of the others are unknown. */
  readonly noted: number
  readonly lines: number
  readonly intents: Readonly<Record<string, number>>
  readonly types: Readonly<Record<string, number>>
  readonly models: Readonly<Record<string, number>>
}

/** Counts the lines that the commits of HEAD added, since a time (milliseconds since 1970) or ever. */
export async function countLineStats(workspace: Workspace, since: number | null): Promise<LineStats> {
  const commits = await commitsSince(workspace.git, since)
  const notes = await readNoteRecords(workspace, commits)
  const [intents, types, models] = [createCounter(), createCounter(), createCounter()]
  let lines = 0
  for (const records of notes.values()) {
    for (const path of new Set(records.flatMap(it => it.files).map(it => it.path))) {
      const authors = new Map<number, ReturnType<typeof notedRanges>[number]['author']>()
      for (const { range, author } of notedRanges(records, path)) {
        for (let line = range.start_line; line <= range.end_line; line++) authors.set(line, author)
      }
      for (const { intent, contributor } of authors.values()) {
        lines++
        intents.count(intent ?? 'none')
        types.count(contributor.type)
        if (contributor.type === 'ai') models.count(contributor.model_id ?? 'unknown')
      }
    }
  }
  const counts = { intents: intents.counts, types: types.counts, models: models.counts }
  return { commits: commits.length, noted: notes.size, lines, ...counts }
}

function createCounter() {
  const counts: Record<string, number> = Object.create(null) as Record<string, number>
  return { counts, count: (name: string) => void (counts[name] = (counts[name] ?? 0) + 1) }
}

async function commitsSince(git: Git, since: number | null): Promise<string[]> {
  const args = ['rev-list', ...(since === null ? [] : [`--max-age=${Math.floor(since / 1000)}`]), 'HEAD', '--']
  return (await git.tryAsk({ args, parse: out => out.split('\n').slice(0, -1) })) ?? []
}

/** A file, the number of lines that an intent added to it, and how many of these HEAD still has. */
type SurvivingLines = { readonly path: string; readonly added: number; readonly alive: number }

/** Counts how many lines of an intent survive, by the files that its commits added them to. */
export async function countSurvivingLines(
  workspace: Workspace,
  intent: string,
  commits: readonly string[],
): Promise<SurvivingLines[]> {
  const notes = await readNoteRecords(workspace, commits)
  const added = new Map<string, number>()
  for (const records of notes.values()) {
    for (const path of new Set(records.flatMap(it => it.files).map(it => it.path))) {
      const own = notedRanges(records, path).filter(it => it.author.intent === intent)
      const lines = own.reduce((sum, { range }) => sum + range.end_line - range.start_line + 1, 0)
      if (lines > 0) added.set(path, (added.get(path) ?? 0) + lines)
    }
  }
  const head = await readHead(workspace)
  const files: SurvivingLines[] = []
  for (const [path, count] of added) {
    // A deleted file has none. Moved lines count in their new file, if the intent added lines to that file as well.
    const lines = await blamePath(workspace, { path, revision: head }).catch(() => [])
    files.push({ path, added: count, alive: lines.filter(it => it.author.intent === intent).length })
  }
  return files.sort((one, other) => other.alive - one.alive)
}
