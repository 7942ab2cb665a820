import { findIntent, intentOfTicket } from '../../core/intents/intent.ts'
import { commitLog, type LoggedCommit } from '../../core/git/log.ts'
import { commitsCiting } from '../../world/provenance/intent-context.ts'
import { countLineStats, countSurvivingLines, type LineStats } from '../../world/provenance/line-stats.ts'
import { plural, escapeForTerminal, printable } from '../../core/base/printable.ts'
import { loadRegistry } from '../../world/intents/policy/load-policy.ts'
import { intentsWithLiveStatus } from '../../world/intents/sessions/intents-in-work.ts'
import { readHead } from '../../world/io/worktree/head.ts'
import { openWorkspace } from '../../world/io/worktree/workspace.ts'
import { manyNotice, updateNotes } from '../../world/provenance/annotate-commits.ts'
import { intentLines } from '../../core/report/intent-lines.ts'
import { countClasses } from '../../core/ledger/noted-classes.ts'
import { readNoteRecords } from '../../world/ledger/notes.ts'
import { isPolicyFile } from '../../core/base/governance-files.ts'
import { historyProgress } from './history-progress.ts'
import { rangeOption } from './range-option.ts'
import { firstArgument, parseWholeNumber, type RunVerb, textOption } from './verb.ts'
import { sinceOption } from './since-option.ts'

/** `kotef show`: one intent, its commits and files, and how many of its lines HEAD still has. */
export const showIntentWork: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const intents = await intentsWithLiveStatus(workspace, (await loadRegistry(workspace)).intents)
  const intent = intentOfTicket(intents, firstArgument(call)) ?? findIntent(intents, firstArgument(call))
  await updateNotes(workspace, call)
  const commits = await commitsCiting(workspace, intent.id, null)
  const oids = commits.map(it => it.commit)
  const files = await countSurvivingLines(workspace, intent.id, {
    commits: oids,
    progress: historyProgress(call, workspace.clock),
  })
  const classes = countClasses((await readNoteRecords(workspace, oids)).values(), it => !isPolicyFile(it))
  const sum = (kind: 'alive' | 'added'): number => files.reduce((all, it) => all + it[kind], 0)
  const text = [
    ...intentLines(intent),
    plural(commits.length, 'commit'),
    ...commits.map(it => `  ${it.commit.slice(0, 10)}  ${it.date.slice(0, 10)}  ${it.subject}`),
    ...classRows(classes),
    `${sum('alive')} of ${sum('added')} added lines are still in HEAD`,
    ...files.map(it => `  ${String(it.alive).padStart(7)} ${addedThere(it.added)}  ${printable(it.path)}`),
  ]
  return { text: text.map(escapeForTerminal).join('\n'), json: { intent, commits, files, classes }, forReading: 'list' }
}

/** `kotef stats`: how many lines were added, by intent, kind of author, model and person. */
export const stats: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const since = await sinceOption(workspace.git, call)
  await updateNotes(workspace, call)
  const range = await rangeOption(workspace.git, call)
  const progress = historyProgress(call, workspace.clock)
  const tally = await countLineStats(workspace, { range, since }, { onMany: manyNotice(call.notify), progress })
  const { commits, recorded, governance, lines, intents, types, models, people } = tally
  // As on the page Stats.
  const uncounted = [
    ...(commits > recorded ? [`${commits - recorded} from before kotef was set up`] : []),
    ...(governance > 0 ? [`${governance} of governance`] : []),
  ]
  const without = uncounted.length > 0 ? `; not counted: ${uncounted.join(', ')}` : ''
  const text = [
    `${plural(lines, 'line')} added by ${plural(recorded, 'commit')}${without}`,
    ...shareTable('intent', intents, lines),
    ...shareTable('author', types, lines),
    ...shareTable('model', models, lines),
    ...shareTable('person', people, lines),
    ...classRows(tally.classes),
  ]
  return { text: text.join('\n'), json: tally, forReading: 'list' }
}

// The classes count changed files, of which each may have many lines.
function classRows(classes: LineStats['classes']): string[] {
  return Object.entries(classes).map(([name, count]) => `  ${'class'.padEnd(7)} ${name.padEnd(28)} ${filesText(count)}`)
}

function filesText(count: number): string {
  return `${String(count).padStart(9)}  ${count === 1 ? 'file' : 'files'}`
}

function shareTable(label: string, counts: Readonly<Record<string, number>>, all: number): string[] {
  const rows = Object.entries(counts).sort(([, one], [, other]) => other - one)
  return rows.map(([name, count]) => {
    const share = `${((count / all) * 100).toFixed(1)} %`
    return `  ${label.padEnd(7)} ${printable(name).padEnd(28)} ${String(count).padStart(9)}  ${share.padStart(7)}`
  })
}

/** `kotef log`: commits with their intents, newest first. */
export const log: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const intent = textOption(call, 'intent')
  const limit = parseWholeNumber(call.options['limit'], '--limit')
  if ((await readHead(workspace)) === null) return { text: 'There are no commits yet.', json: { commits: [] } }
  const range = await rangeOption(workspace.git, call)
  // One commit more than the limit shows that there are more. With an intent there is no limit for git: its search also
  // finds commits that only mention the intent.
  const found = await workspace.git.ask(commitLog({ range, limit: intent === null ? limit + 1 : null, intent }))
  const all = intent === null ? found : found.filter(it => it.intents.includes(intent))
  const commits = all.slice(0, limit)
  const truncated = all.length > limit
  const width = Math.min(INTENT_WIDTH_MAX, Math.max(INTENT_WIDTH, ...commits.map(it => whyText(it).length)))
  const lines = [
    ...commits.map(it => commitLine(it, width)),
    ...(truncated ? ['… and older commits; see more with --limit'] : []),
  ]
  const where = range === null ? '' : ` in ${printable(range)}`
  const nothing = intent === null ? `There is no commit${where}.` : `No commit${where} cites ${intent}`
  return { text: lines.join('\n') || nothing, json: { commits, truncated }, forReading: 'list' }
}

const INTENT_WIDTH = 12
const INTENT_WIDTH_MAX = 30

function commitLine(logged: LoggedCommit, width: number): string {
  const { commit, date, subject } = logged
  return `${commit.slice(0, 10)}  ${date.slice(0, 10)}  ${whyText(logged).padEnd(width)}  ${subject}`
}

function whyText({ intents, governance }: LoggedCommit): string {
  return intents.length > 0 ? intents.join(' ') : governance === null ? '-' : 'governance'
}

// Lines that a later commit moved to a file were added to another one.
function addedThere(added: number): string {
  return added === 0 ? 'moved here' : `of ${String(added).padStart(7)}`
}
