import { type CheckPass, checkStatus, type CheckStatus, passKey } from '../../core/intents/contract/check-result.ts'
import { endedCheck, noteCheckEnd } from '../lessons/failed-checks.ts'
import type { LedgerEvent } from '../../core/ledger/event.ts'
import { appendRecords } from '../ledger/append-records.ts'
import { safe } from '../../core/outgoing/safe-text.ts'
import { CHECKS_ENDED, ownPath } from '../io/worktree/layout.ts'
import { cloneSalt } from '../io/worktree/private-files.ts'
import { treeId } from '../io/worktree/tree-id.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { findPass, keepPass } from './check-passes.ts'
import type { CommandCheck } from '../../core/intents/intent.ts'
import { checkEnv, type CommandCheckResult, runCheck } from './run-check.ts'

/** The result of a check, on the tree that it ran on. `seconds` is null for a pass that was kept. */
export type TreeCheck = {
  readonly command: string
  readonly status: CheckStatus
  /** The tree id of the worktree, or of the inputs. */
  readonly tree: string
  /** The globs of the files that it depends on; null for all files. */
  readonly inputs: readonly string[] | null
  readonly exit: number | null
  readonly timedOut: boolean
  readonly seconds: number | null
  /** When a kept pass was seen, as ISO 8601; null for a check that ran. */
  readonly keptSince: string | null
  readonly why: string
}

type CheckRun = {
  /** The intent whose checks they are. */
  readonly intent: string
  readonly env: NodeJS.ProcessEnv
  /** A pass kept since then is as good as a run, in milliseconds since 1970; Infinity when each check shall run. */
  readonly passesSince: number
  /** Called before a check runs. */
  readonly running: (command: string) => void
  /** Takes what a check prints, as it comes. */
  readonly printed?: (text: string) => void
}

/**
 * Runs checks one after another on the worktree as it stands. A check during which the tree moved says nothing. Only a
 * pass is kept, for the same tree, command, environment and machine: also after a commit of that tree.
 */
export async function* runChecks(
  workspace: Workspace,
  checks: readonly CommandCheck[],
  run: CheckRun,
): AsyncGenerator<TreeCheck, void> {
  const salt = await cloneSalt(workspace)
  for (const check of checks) {
    const tree = await treeId(workspace, run.env, check.inputs)
    const pass = await findPass(workspace, check.cmd, keyOf(check, tree, { ...run, salt }))
    yield await (pass && pass.at >= run.passesSince
      ? keptCheck(workspace, check, { ...run, tree, pass })
      : newCheck(workspace, check, { ...run, tree, salt }))
  }
}

type KeptCheck = CheckRun & { readonly tree: string; readonly pass: CheckPass }

async function keptCheck(
  workspace: Workspace,
  check: CommandCheck,
  { intent, tree, pass, env }: KeptCheck,
): Promise<TreeCheck> {
  const { cmd: command, inputs = null } = check
  await recordCheck(workspace, { intent, command, exit: 0, timed_out: false, status: 'passed', kept: true })
  const passed = await endedCheck(workspace, { command, isPublished: true, intent, output: null })
  await noteCheckEnd(workspace, passed, env)
  const ended = { exit: 0, timedOut: false, seconds: null, why: 'passed' }
  return { command, status: 'passed', tree, inputs, keptSince: new Date(pass.at).toISOString(), ...ended }
}

async function newCheck(
  workspace: Workspace,
  check: CommandCheck,
  run: CheckRun & { readonly tree: string; readonly salt: string },
): Promise<TreeCheck> {
  const { intent, env, running } = run
  running(check.cmd)
  const { found, tail } = await checkOnTree(workspace, check, run)
  const { exit, timedOut, status } = found
  const output = status === 'passed' ? null : tail
  const known = await endedCheck(workspace, { command: check.cmd, isPublished: true, intent, output })
  const ended = { intent, command: check.cmd, exit, timed_out: timedOut, status }
  await recordCheck(workspace, { ...ended, ...(known.failure && { signature: known.failure.signature }) })
  const pass = { key: keyOf(check, found.tree, run), at: workspace.clock.now() }
  if (status === 'passed') await keepPass(workspace, check.cmd, pass)
  // A check that could not start, or whose files changed meanwhile, says nothing about them.
  if (status === 'passed' || status === 'failed') await noteCheckEnd(workspace, known, env)
  return found
}

type PassTerms = Pick<CheckRun, 'env'> & { readonly salt: string }

function keyOf(check: CommandCheck, tree: string, { env, salt }: PassTerms): string {
  const machine = `${process.platform} ${process.arch} ${process.version}`
  return passKey({ command: check.cmd, cwd: check.cwd ?? '.', tree, env: checkEnv(env, check), machine, salt })
}

/**
 * Runs a check on the files as they stand, and keeps nothing of it. `tree` is their id, where it is known; `tail` the
 * end of what the check printed, and `how` how it ended, in words that others may read.
 */
export async function checkOnTree(
  workspace: Pick<Workspace, 'root' | 'gitDir' | 'commonDir' | 'clock'>,
  check: CommandCheck,
  { env, printed, ...known }: Pick<CheckRun, 'env' | 'printed'> & { readonly tree?: string },
): Promise<{ readonly found: TreeCheck } & Pick<CommandCheckResult, 'tail' | 'how'>> {
  const { cmd: command, inputs } = check
  const tree = known.tree ?? (await treeId(workspace, env, inputs))
  const from = workspace.clock.ticks()
  const { exit, timedOut, why, tail, how } = await runCheck(workspace, check, { env, ...(printed && { printed }) })
  const seconds = (workspace.clock.ticks() - from) / 1_000
  const hasTreeMoved = (await treeId(workspace, env, inputs)) !== tree
  const status = checkStatus({ exit, timedOut, hasTreeMoved })
  const reason = hasTreeMoved ? MOVED : why
  const ended = { exit, timedOut, seconds, keptSince: null, why: reason }
  return { found: { command, status, tree, inputs: inputs ?? null, ...ended }, tail, how: hasTreeMoved ? MOVED : how }
}

const MOVED = safe`the files changed while it ran: run it again`

type CheckRunEvent = Extract<LedgerEvent, { event: 'check-run' }>

// The runs of the agents that work on the intent read it there.
async function recordCheck(workspace: Workspace, ended: Omit<CheckRunEvent, 'event'>): Promise<void> {
  await appendRecords(workspace, [{ event: { event: 'check-run', ...ended } }])
  await workspace.files.put(ownPath(workspace, CHECKS_ENDED), '').catch(() => {})
}
