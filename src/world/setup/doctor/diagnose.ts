import { existsSync } from 'node:fs'
import { toKotefError } from '../../../core/base/failure.ts'
import { openWorkspace, type Workspace } from '../../io/worktree/workspace.ts'
import { agentNotes, checkAgents } from './check-agents.ts'
import type { DoctorNote, DoctorProblem } from './doctor-problem.ts'
import {
  checkDaemon,
  checkEnvironment,
  checkGit,
  checkLocks,
  checkNode,
  checkPolicy,
  checkRefs,
  checkSessions,
  fastPathNotes,
  HOOK_RUN_GIT_VERSION,
  leftoverNotes,
} from './basic-checks.ts'
import { checkLedger, ledgerNotes } from './check-ledger.ts'
import { coverageNotes } from './coverage-notes.ts'
import { checkHooks } from './check-hooks.ts'
import { checkVersions, hasInstalledScripts, readInstalledScripts } from './check-versions.ts'
import { gitVersion, isVersionAtLeast } from '../git-version.ts'
import { type ProbeOptions, probeWorktree, type WorktreeProbe } from './probe-hooks.ts'
import { worktreeList } from '../../../core/git/worktrees.ts'

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
  { name: 'refs', run: ({ workspace }) => checkRefs(workspace) },
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
    ledgerNotes(workspace),
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

/** The worktrees of a clone that can be opened, and what is known of the others. */
type OpenedWorktrees = {
  readonly open: readonly Workspace[]
  readonly complaints: readonly DoctorProblem[]
  readonly notes: readonly DoctorNote[]
}

/** Opens all worktrees of the clone, this one first. A missing worktree is a note, not an error. */
async function openWorktrees(workspace: Workspace): Promise<OpenedWorktrees> {
  const [open, complaints, notes]: [Workspace[], DoctorProblem[], DoctorNote[]] = [[workspace], [], []]
  for (const { path, isBare, prunable } of await workspace.git.ask(worktreeList)) {
    if (isBare || path === workspace.root) continue
    if (path === workspace.commonDir) notes.push(...unknownMainNote(workspace))
    else if (prunable !== null || !existsSync(path)) notes.push(missingWorktreeNote(path, prunable))
    else
      await openWorkspace(path).then(
        it => open.push(it),
        (thrown: unknown) => complaints.push(unopenedWorktreeProblem(path, thrown)),
      )
  }
  return { open, complaints, notes }
}

// Git lists the git directory in place of a main worktree whose git directory lies elsewhere (--separate-git-dir).
function unknownMainNote({ gitDir, commonDir }: Workspace): DoctorNote[] {
  if (gitDir === commonDir) return []
  const message = `git does not know where the main worktree of ${commonDir} is, so its hooks are not tested`
  return [{ message, hint: 'Run `kotef doctor` there' }]
}

function missingWorktreeNote(path: string, prunable: string | null): DoctorNote {
  const hint = prunable === null ? null : 'Remove it from git: `git worktree prune`'
  return { message: `the worktree ${path} does not exist, so its hooks are not tested`, hint }
}

function unopenedWorktreeProblem(path: string, thrown: unknown): DoctorProblem {
  const { message, hint } = toKotefError(thrown)
  return { message: `the worktree ${path} can't be opened: ${message}`, hint }
}
