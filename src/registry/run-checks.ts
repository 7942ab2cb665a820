import { type CheckPass, checkStatus, type CheckStatus, passKey } from '../contract/check-result.ts'
import type { LedgerEvent } from '../ledger/event.ts'
import { appendRecords } from '../ledger-store/append-records.ts'
import { errorSignature } from '../runs/error-signature.ts'
import { CHECKS_ENDED, ownPath } from '../worktree/layout.ts'
import { treeId } from '../worktree/tree-id.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { findPass, keepPass } from './check-passes.ts'
import { checkEnv, type CommandCheck, runCheck } from './run-check.ts'

/** The result of a check, on the tree that it ran on. `seconds` is null for a pass that was kept. */
export type TreeCheck = {
  readonly command: string
  readonly status: CheckStatus
  readonly tree: string
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
  /** False when each check shall run, whatever is known of it. */
  readonly usePasses: boolean
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
  let tree = checks.length === 0 ? '' : await treeId(workspace, run.env)
  for (const check of checks) {
    const result = await boundResult(workspace, check, { ...run, tree })
    yield result.found
    tree = result.tree
  }
}

async function boundResult(workspace: Workspace, check: CommandCheck, run: CheckRun & { readonly tree: string }) {
  const { intent, env, tree, usePasses, running, printed } = run
  const machine = `${process.platform} ${process.arch} ${process.version}`
  const key = passKey({ command: check.cmd, tree, env: checkEnv(env), machine })
  const pass = usePasses ? await findPass(workspace, check.cmd, key) : null
  if (pass) {
    const known = { exit: 0, timed_out: false, status: 'passed', kept: true } as const
    await recordCheck(workspace, { intent, command: check.cmd, ...known })
    return { found: keptResult(check, tree, pass), tree }
  }
  running(check.cmd)
  const from = workspace.clock.ticks()
  const { exit, timedOut, why, tail } = await runCheck(workspace, check, { env, ...(printed && { printed }) })
  const seconds = (workspace.clock.ticks() - from) / 1_000
  const after = await treeId(workspace, env)
  const status = checkStatus({ exit, timedOut, hasTreeMoved: after !== tree })
  const signature = status === 'passed' ? {} : { signature: errorSignature(check.cmd, tail) }
  await recordCheck(workspace, { intent, command: check.cmd, exit, timed_out: timedOut, status, ...signature })
  if (status === 'passed') await keepPass(workspace, check.cmd, { key, at: workspace.clock.now() })
  const told = status === 'stale' ? 'the files changed while it ran: run it again' : why
  const found = { command: check.cmd, status, tree, exit, timedOut, seconds, keptSince: null, why: told }
  return { found, tree: after }
}

type CheckRunEvent = Extract<LedgerEvent, { event: 'check-run' }>

// The runs of the agents that work on the intent read it there.
async function recordCheck(workspace: Workspace, ended: Omit<CheckRunEvent, 'event'>): Promise<void> {
  await appendRecords(workspace, [{ event: { event: 'check-run', ...ended } }])
  await workspace.files.put(ownPath(workspace, CHECKS_ENDED), '').catch(() => {})
}

function keptResult({ cmd }: CommandCheck, tree: string, { at }: CheckPass): TreeCheck {
  const keptSince = new Date(at).toISOString()
  const ended = { exit: 0, timedOut: false, seconds: null, keptSince, why: 'passed' }
  return { command: cmd, status: 'passed', tree, ...ended }
}
