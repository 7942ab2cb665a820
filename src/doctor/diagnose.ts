import { toKotefError } from '../findings/failure.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { checkAgents, agentNotes } from './check-agents.ts'
import type { DoctorProblem, DoctorNote } from './doctor-problem.ts'
import {
  checkDaemon,
  checkGit,
  checkLedger,
  checkNode,
  checkEnvironment,
  checkPolicy,
  HOOK_RUN_GIT_VERSION,
  checkSessions,
} from './basic-checks.ts'
import { coverageNotes } from './coverage-notes.ts'
import { fastPathNotes } from './fast-path-notes.ts'
import { checkHooks } from './check-hooks.ts'
import { leftoverNotes } from './leftover-notes.ts'
import { checkLocks } from './check-locks.ts'
import { hasInstalledScripts, readInstalledScripts, checkVersions } from './check-versions.ts'
import { openWorktrees } from './open-worktrees.ts'
import { gitVersion, isVersionAtLeast } from '../setup/git-version.ts'
import { type ProbeOptions, type WorktreeProbe, probeWorktree } from './probe-hooks.ts'

/** The result of one check. */
export type DoctorCheckResult = { readonly name: string; readonly complaints: readonly DoctorProblem[] }

/** The results of all checks, and the notes. */
export type DoctorReport = { readonly checks: readonly DoctorCheckResult[]; readonly notes: readonly DoctorNote[] }

/** Runs all checks, also after one has found a problem. It writes nothing. */
export async function diagnose(workspace: Workspace, options: ProbeOptions): Promise<DoctorReport> {
  if (!(await hasInstalledScripts(workspace)))
    return { checks: [{ name: 'set up', complaints: [NOT_SET_UP] }], notes: [] }
  const context = await gatherContext(workspace, options)
  const checks: DoctorCheckResult[] = []
  for (const { name, run } of DOCTOR_CHECKS) checks.push({ name, complaints: await run(context).catch(asProblems) })
  return { checks, notes: await gatherNotes(context) }
}

const NOT_SET_UP: DoctorProblem = { message: 'kotef is not set up in this clone', hint: 'Run `kotef init`' }

type DoctorContext = ProbeOptions & {
  readonly workspace: Workspace
  readonly probes: readonly WorktreeProbe[]
  readonly unprobed: { readonly complaints: readonly DoctorProblem[]; readonly notes: readonly DoctorNote[] }
}

async function gatherContext(workspace: Workspace, options: ProbeOptions): Promise<DoctorContext> {
  const complaints: DoctorProblem[] = []
  const probes: WorktreeProbe[] = []
  const canProve = isVersionAtLeast(await gitVersion(workspace), HOOK_RUN_GIT_VERSION)
  const clone = canProve ? await openWorktrees(workspace) : { open: [], complaints: [], notes: [] }
  for (const it of clone.open) {
    await probeWorktree(it, options).then(
      probe => probes.push(probe),
      (thrown: unknown) => complaints.push(...asProblems(thrown)),
    )
  }
  return { workspace, probes, ...options, unprobed: { ...clone, complaints: [...clone.complaints, ...complaints] } }
}

type DoctorCheck = {
  readonly name: string
  readonly run: (context: DoctorContext) => Promise<readonly DoctorProblem[]>
}

const DOCTOR_CHECKS: readonly DoctorCheck[] = [
  { name: 'node', run: checkNode },
  { name: 'git', run: ({ workspace }) => checkGit(workspace) },
  { name: 'environment', run: ({ env }) => checkEnvironment(env) },
  { name: 'policy', run: ({ workspace }) => checkPolicy(workspace) },
  { name: 'sessions', run: ({ workspace }) => checkSessions(workspace) },
  { name: 'ledger', run: ({ workspace }) => checkLedger(workspace) },
  { name: 'versions', run: runVersionCheck },
  { name: 'hooks', run: runHookCheck },
  { name: 'agents', run: ({ workspace, env }) => checkAgents(workspace, env) },
  { name: 'locks', run: ({ workspace }) => checkLocks(workspace) },
  { name: 'daemon', run: ({ workspace }) => checkDaemon(workspace) },
]

async function gatherNotes({ workspace, probes, env, unprobed }: DoctorContext): Promise<DoctorNote[]> {
  const found = [
    coverageNotes(workspace, probes),
    fastPathNotes(workspace, env),
    leftoverNotes(workspace),
    agentNotes(workspace, env),
  ]
  const notes = await Promise.all(found.map(it => it.catch(noNotes)))
  return [...unprobed.notes, ...notes.flat()]
}

// A check has named the unreadable file already.
function noNotes(thrown: unknown): DoctorNote[] {
  if (toKotefError(thrown).code === 'bug') throw thrown
  return []
}

function asProblems(thrown: unknown): DoctorProblem[] {
  const { message, hint } = toKotefError(thrown)
  return [{ message, hint }]
}

async function runVersionCheck({ workspace, probes }: DoctorContext): Promise<DoctorProblem[]> {
  return checkVersions(workspace, await readInstalledScripts(workspace), probes)
}

async function runHookCheck({ workspace, probes, unprobed, ...options }: DoctorContext): Promise<DoctorProblem[]> {
  const { damaged } = await readInstalledScripts(workspace)
  const complaints = await Promise.all(probes.map(it => checkHooks(it, damaged, options)))
  return [...unprobed.complaints, ...complaints.flat()]
}
