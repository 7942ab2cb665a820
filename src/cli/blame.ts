import { join } from 'node:path'
import { byteLines } from '../text/lines.ts'
import { KotefError, toKotefError } from '../findings/failure.ts'
import { escapeForTerminal, printable } from '../text/printable.ts'
import { gitIn } from '../io/git/git.ts'
import { blame, type BlamedLine } from '../provenance/blame.ts'
import { type BlameRequest, startBlame } from '../provenance/start-blame.ts'
import { annotateCommits } from '../provenance/annotate-commits.ts'
import { prefetchNotes } from '../provenance/notes.ts'
import { catchUpLedger } from '../commits/catch-up.ts'
import { openWorkspace, type Workspace } from '../worktree/workspace.ts'
import { firstArgument, listOption, textOption } from './options.ts'
import { resolveFile, repositoryPath } from './repository-path.ts'
import type { VerbCall, RunVerb } from './verb.ts'

/** `kotef blame`: for every line of a file, which intent wanted it, and who wrote it. */
export const run: RunVerb = async call => {
  const options = { file: firstArgument(call), revision: revisionOf(call), ranges: listOption(call, 'L') ?? [] }
  const { workspace, path, lines } = await blameFile(call, options)
  const json = { file: path, lines: lines.map(blamedLineJson) }
  if (call.options['json']) return { text: '', json }
  return { text: await blameText(workspace, { path, revision: options.revision }, lines), json }
}

// Git is told of it as it is, so it must not look like one of git's own options.
function revisionOf(call: VerbCall): string | null {
  const revision = textOption(call, 'rev')
  if (revision?.startsWith('-')) throw new KotefError('usage', `${printable(revision)} is no commit.`)
  return revision
}

/** Blames a file as a user names it. Git has begun with it before anything else is known. */
export async function blameFile(call: VerbCall, options: BlameRequest) {
  const file = await resolveFile(call.cwd, options.file)
  const begin = () => startBlame(gitIn(call.cwd), { ...options, file })
  const blaming = call.prefetchedBlame?.then(it => it ?? begin()) ?? begin()
  // It is waited for below, if all else goes well.
  blaming.catch(() => {})
  const workspace = await openWorkspace(call.cwd)
  const path = repositoryPath(workspace.root, file)
  if (path === '' || /^(\.\.|\.git)(\/|$)/.test(path)) {
    throw new KotefError('usage', `${printable(options.file)} is no file of this repository.`)
  }
  const upToDate = updateNotes(workspace, call)
  using prefetchedNotes = options.ranges.length === 0 ? prefetchNotes(workspace, { ...options, file }) : null
  return {
    workspace,
    path,
    lines: await blame(workspace, {
      ...options,
      file,
      path,
      pendingBlame: blaming,
      notesWritten: upToDate,
      prefetchedNotes,
    }),
  }
}

/** Has ledger and notes tell of all that is there, and says what they may lack. True when a note was written. */
export async function updateNotes(workspace: Workspace, { notify: tell }: Pick<VerbCall, 'notify'>): Promise<boolean> {
  const { isWatched, behind } = await catchUpLedger(workspace)
  if (behind !== null) tell(`The newest writes may be missing. ${behind}`)
  return annotateCommits(workspace, { isWatched }).catch((thrown: unknown) => {
    tell(`The newest commits have no notes yet. ${toKotefError(thrown).message}`)
    return false
  })
}

function blamedLineJson({ line, commit, author, how }: BlamedLine) {
  const { intent, session, contributor } = author
  return { line, commit, intent, session, contributor, how }
}

async function blameText(
  { root, git, files }: Workspace,
  { path, revision }: { path: string; revision: string | null },
  lines: readonly BlamedLine[],
): Promise<string> {
  const bytes =
    revision === null
      ? await files.read(join(root, path))
      : await git.bytes(['show', '--end-of-options', `${revision}:${path}`])
  const texts = bytes ? byteLines(bytes).map(it => Buffer.from(it).toString('utf8')) : []
  const widest = (words: readonly string[]): number => words.reduce((most, it) => Math.max(most, it.length), 0)
  const whoWidth = widest(lines.map(authorText))
  const intentWidth = widest(lines.map(it => it.author.intent ?? '-'))
  return lines
    .map(it => {
      const commit = (it.commit ?? 'uncommitted').slice(0, 11).padEnd(11)
      const head = `${commit}  ${(it.author.intent ?? '-').padEnd(intentWidth)}  ${authorText(it).padEnd(whoWidth)}`
      return escapeForTerminal(`${head}  ${String(it.line).padStart(5)})  ${texts[it.line - 1] ?? ''}`)
    })
    .join('\n')
}

function authorText({ author: { contributor } }: BlamedLine): string {
  return contributor.model_id === undefined ? contributor.type : `${contributor.type} ${contributor.model_id}`
}
