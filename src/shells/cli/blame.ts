import { intentName } from '../../core/authorship/line-intent.ts'
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { KotefError } from '../../core/base/failure.ts'
import { escapeForTerminal, printable } from '../../core/base/printable.ts'
import { blame } from '../../world/provenance/blame.ts'
import { type BlameRequest, startBlame } from '../../world/io/git/start-blame.ts'
import { blamedTexts } from '../../world/provenance/blamed-texts.ts'
import type { BlamedLine } from '../../world/provenance/blamed-line.ts'
import { openWorkspace, type Workspace } from '../../world/io/worktree/workspace.ts'
import { firstArgument, listOption, type RunVerb, textOption, type VerbCall } from './verb.ts'
import { gitIn } from '../../world/io/git/git.ts'
import { lacksFirstNotes, prefetchNotes } from '../../world/ledger/notes.ts'
import { localTime } from '../../core/report/local-time.ts'
import { updateNotes } from '../../world/provenance/annotate-commits.ts'
import { repositoryPath, resolveFile } from './repository-path.ts'

/** `kotef blame`: the commit, the intent and the author of each line of a file. */
export const run: RunVerb = async call => {
  const options = { ...linesAsked(call), revision: revisionOf(call) }
  const { workspace, path, lines } = await blameFile(call, options)
  const json = { file: path, lines: lines.map(blamedLineJson) }
  if (call.options['json']) return { text: '', json }
  const text = await blameText(workspace, { path, revision: options.revision }, lines)
  return { text, json, forReading: 'blame' }
}

/** The file and the ranges of its lines: those of -L, or the one line of `file:line`. */
function linesAsked(call: VerbCall): Pick<BlameRequest, 'file' | 'ranges'> {
  const ranges = listOption(call, 'L') ?? []
  const given = firstArgument(call)
  const [, file, line] = /^(.+):(\d+)$/.exec(given) ?? []
  const isLine = file !== undefined && ranges.length === 0 && !existsSync(resolve(call.cwd, given))
  const wrong = ranges.find(it => !GIT_RANGE.test(it))
  if (wrong === undefined) return isLine ? { file, ranges: [`${line},${line}`] } : { file: given, ranges }
  const forms = '10,20, or 10,+5, or 10, or :name-of-a-function'
  throw new KotefError('usage', `-L takes lines such as ${forms}, not ${printable(wrong)}.`)
}

// What git documents for -L; it answers anything else with its usage text.
const GIT_RANGE = /^(\d+|\/.*|:.+)?(,([+-]?\d+|\/.*)?)?$/

// The revision is passed to git unchanged, so it must not look like an option.
function revisionOf(call: VerbCall): string | null {
  const revision = textOption(call, 'rev')
  if (revision?.startsWith('-')) throw new KotefError('usage', `${printable(revision)} is not a commit.`)
  return revision
}

function blamedLineJson({ line, commit, by, author, either, how, mutation_class }: BlamedLine) {
  const { intent, session, contributor, doubt } = author
  const git = by && { author: by.name, date: new Date(by.at).toISOString() }
  return {
    line,
    commit,
    intent,
    ...(either && { either }),
    session,
    contributor,
    ...(doubt && { doubt }),
    how,
    git,
    ...(mutation_class && { mutation_class }),
  }
}

async function blameText(
  workspace: Workspace,
  file: { path: string; revision: string | null },
  lines: readonly BlamedLine[],
): Promise<string> {
  const texts = await blamedTexts(workspace, file)
  const cells = lines.map(blameCells)
  const widths = [0, 1, 2, 3].map(n => cells.reduce((most, it) => Math.max(most, (it[n] ?? '').length), 0))
  const digits = String(lines.at(-1)?.line ?? 0).length
  return lines
    .map(({ line }, n) => {
      const head = (cells[n] ?? []).map((it, at) => it.padEnd(widths[at] ?? 0)).join('  ')
      return escapeForTerminal(`${head}  ${String(line).padStart(digits)}) ${texts[line - 1] ?? ''}`)
    })
    .join('\n')
}

function blameCells({ commit, by, author, either }: BlamedLine): string[] {
  const day = by === null ? '' : localTime(by.at).day
  return [
    commit?.slice(0, 10) ?? 'uncommitted',
    intentName({ intent: author.intent, either }) ?? '-',
    whoWrote(author, by),
    day,
  ]
}

// Where no record names the author, git's author is the best guess. A question mark says that it may be somebody else.
function whoWrote(
  { contributor: { type, model_id: model }, doubt }: BlamedLine['author'],
  by: BlamedLine['by'],
): string {
  const guess = type === 'unknown' && by !== null ? `${by.name}?` : type
  const who = model === undefined ? guess : `${type} ${model.slice(model.lastIndexOf('/') + 1)}`
  const mark = doubt ? '?' : ''
  const room = WHO_CHARS_MAX - mark.length
  return (who.length > room ? `${who.slice(0, room - 1)}…` : who) + mark
}

// With these columns, most code still fits into a terminal of 100 columns.
const WHO_CHARS_MAX = 18

/**
 * Blames a file as a user names it. `git blame` takes longest, so it is started first, or by `shells/boot/prefetch.ts`
 * before this module was loaded.
 */
export async function blameFile(call: VerbCall, options: BlameRequest) {
  const file = await resolveFile(call.cwd, options.file)
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    const hint = 'Name a file in it. `kotef stats` and `kotef log` answer for a whole repository.'
    throw new KotefError('usage', `${printable(options.file)} is a folder.`, { hint })
  }
  const start = () => startBlame(gitIn(call.cwd), { ...options, file })
  const pendingBlame = call.prefetched.blame?.then(it => it ?? start()) ?? start()
  // `blame` awaits it. If a step before that throws, a second failure must not end the process as unhandled.
  pendingBlame.catch(() => {})
  const workspace = await openWorkspace(call.cwd)
  const path = repositoryPath(workspace.root, file)
  if (path === '' || /^(\.\.|\.git)(\/|$)/.test(path)) {
    throw new KotefError('usage', `${printable(options.file)} is not a file of this repository.`)
  }
  const notesWritten = newestNotes(workspace, call)
  using prefetchedNotes = options.ranges.length === 0 ? prefetchNotes(workspace, { ...options, file }) : null
  const lines = await blame(workspace, { ...options, file, path, pendingBlame, notesWritten, prefetchedNotes })
  return { workspace, path, lines }
}

async function newestNotes(workspace: Workspace, call: VerbCall): Promise<boolean> {
  const areFetched = (await lacksFirstNotes(workspace)) && (await fetchNotes(workspace, call))
  return (await updateNotes(workspace, call)) || areFetched
}

// Loaded once in the life of a clone.
async function fetchNotes(workspace: Workspace, call: VerbCall): Promise<boolean> {
  const { fetchFirstNotes } = await import('../../world/provenance/first-notes.ts')
  return fetchFirstNotes(workspace, call)
}
