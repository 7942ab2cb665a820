import { ISSUES_PATH, OWN_EXCLUDES, RUNS_FOLDER } from '../../core/base/governance-files.ts'
import { join } from 'node:path'
import { fileNameFor } from '../io/files/file-name.ts'
import { announceOwnWrite } from '../io/worktree/own-writes.ts'
import type { WorkspaceWithoutGit } from '../ledger/locate-ledger.ts'
import type { AgentRun } from '../../core/runs/agent-run.ts'
import { normalisedTail } from '../../core/runs/error-signature.ts'
import { errorLine, madePublic, type PublicField } from '../../core/outgoing/public-fields.ts'
import { published, type SafeText } from '../../core/outgoing/safe-text.ts'
import { readConfig } from '../../core/intents/config.ts'
import { layoutOf } from '../io/worktree/layout.ts'
import { privateCalls } from './private-calls.ts'
import { runReport } from '../../core/runs/run-report.ts'
import { isStopped, type RunEnd } from '../../core/runs/run-state.ts'
import { snitchEntry } from '../../core/runs/snitch.ts'

/**
 * Writes the report of a run that has ended into `.sdd/runs`, and an entry into `.sdd/issues.md` when it was stopped.
 * Returns the report's path, relative to the worktree.
 */
export async function reportRun(workspace: WorkspaceWithoutGit, run: AgentRun, end: RunEnd): Promise<string> {
  const name = `${new Date(end.at).toISOString().replace(/[:.]/g, '-')}_${fileNameFor(run.terms.session)}.md`
  const report = `${RUNS_FOLDER}/${name}`
  const shown = await publicLines(workspace, run.terms.session)
  await keepOutOfCommits(workspace)
  await putOwn(workspace, report, reportText(run, end.at, shown))
  if (isStopped(end)) await appendEntry(workspace, snitchEntry(run, { end, report, shown }))
  return report
}

type PublicLine = readonly [name: string, value: SafeText]

/** What the config makes public of a session's last calls. */
async function publicLines(workspace: WorkspaceWithoutGit, session: string): Promise<PublicLine[]> {
  const fields = await publicFields(workspace)
  if (fields.length === 0) return []
  const calls = await privateCalls(workspace, session)
  const failed = calls.findLast(it => it.isFailure)
  const line = madePublic(calls.at(-1)?.input ?? '', 'command-lines', fields)
  const error = madePublic(errorLine(normalisedTail(failed?.output ?? '')), 'error-lines', fields)
  return [...(line ? [['Last command line', line] as const] : []), ...(error ? [['Last error', error] as const] : [])]
}

// A config that can't be read makes nothing public.
async function publicFields(workspace: WorkspaceWithoutGit): Promise<readonly PublicField[]> {
  const text = await workspace.files.read(layoutOf(workspace).config).catch(() => null)
  const { config, problems } = readConfig(text?.toString('utf8') ?? null)
  return problems.length === 0 ? config.public : []
}

/** The report of a run as Markdown; `now` is the end of one that goes on, in milliseconds since 1970. */
export function reportText({ terms, state, tree }: AgentRun, now: number, shown: readonly PublicLine[] = []): string {
  const endedAt = state.end?.at ?? now
  return runReport(state, {
    profile: terms.profile,
    goal: null,
    startedAt: state.startedAt ?? endedAt,
    endedAt,
    about: [['Intent', published(terms.intent)], ['Session', published(terms.session)], ...shown],
    files: Object.keys(tree.paths),
  })
}

async function appendEntry(workspace: WorkspaceWithoutGit, entry: string): Promise<void> {
  const before = await workspace.files.read(join(workspace.root, ISSUES_PATH))
  const text = before === null ? `# Runs that were stopped\n\n${entry}` : `${before.toString('utf8')}\n${entry}`
  await putOwn(workspace, ISSUES_PATH, text)
}

/** Writes a file of kotef's own: the daemon may see it before it knows that git ignores it. */
export async function putOwn(workspace: WorkspaceWithoutGit, path: string, text: string): Promise<void> {
  await announceOwnWrite(workspace, Buffer.from(text))
  await workspace.files.put(join(workspace.root, path), text)
}

// Who wants them in commits says so in `.sdd/.gitignore`: `!/runs/` and `!/issues.md` win over this file.
async function keepOutOfCommits({ files, commonDir }: WorkspaceWithoutGit): Promise<void> {
  const path = join(commonDir, 'info/exclude')
  const text = (await files.read(path).catch(() => null))?.toString('utf8') ?? ''
  const known = text.split('\n')
  const missing = OWN_EXCLUDES.filter(it => !known.includes(it))
  if (missing.length === 0) return
  const begin = text === '' || text.endsWith('\n') ? '' : '\n'
  await files.append(path, Buffer.from(`${begin}${missing.join('\n')}\n`))
}
