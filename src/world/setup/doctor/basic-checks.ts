import { basename, join } from 'node:path'
import { tmpdir } from 'node:os'
import { problemLine } from '../../../core/report/finding-lines.ts'
import { printable, shellQuoted } from '../../../core/base/printable.ts'
import { NOT_PLAIN } from '../../provenance/guard-notes.ts'
import { unrepairedRefs } from '../../provenance/guard-refs.ts'
import { VERSION } from '../../io/files/package.ts'
import { NO_CLAIM } from '../../intents/sessions/guard-claims.ts'
import { claimUnreadableError, listClaimRefs } from '../../intents/sessions/claim-refs.ts'
import { askDaemon, flushDaemon, readDaemonAddress } from '../../io/daemon-client/ask-daemon.ts'
import { toKotefError } from '../../../core/base/failure.ts'
import { CATCH_UP_FLUSH_WAIT_MS_MAX } from '../../../core/base/thresholds.ts'
import { readPolicySources } from '../../intents/policy/load-policy.ts'
import { policyOf } from '../../../core/rules/policy-of-sources.ts'
import { readForbiddenPaths } from '../../../core/intents/contract/forbidden-paths.ts'
import { liveSessions, readSessions } from '../../intents/sessions/live-sessions.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import type { DoctorNote, DoctorProblem } from './doctor-problem.ts'
import { gitVersion, isVersionAtLeast } from '../git-version.ts'
import { lockHolder, lockState } from '../../io/files/lock.ts'
import { layoutOf } from '../../io/worktree/layout.ts'
import { findLeftovers } from '../../io/worktree/leftovers.ts'
import { runProgram } from '../../io/process/run.ts'
import { withoutRepositoryEnv } from '../../io/git/run-git.ts'
import { POLICY_FILES, PROJECT_POLICY_PATH } from '../../../core/base/governance-files.ts'
import { FORBIDDING_HINT } from '../../../core/rules/policy-flaw.ts'
import { sourceLinkName } from '../../../core/intents/scope/compiled-policy.ts'
import { fastPathOf } from '../../intents/policy/compile-policy.ts'
import type { ClosedFastPath } from '../../intents/policy/fast-path-intent.ts'

/** Is the running version of Node too old? */
export async function checkNode(): Promise<DoctorProblem[]> {
  const { node } = process.versions
  return isVersionAtLeast(node, [20, 19]) ? [] : [{ message: `node is ${node}`, hint: 'Install node 20.19 or newer.' }]
}

/** The first git that has `git hook run`. */
export const HOOK_RUN_GIT_VERSION = [2, 36] as const

/** Is git too old? */
export async function checkGit(workspace: Workspace): Promise<DoctorProblem[]> {
  const version = await gitVersion(workspace)
  if (isVersionAtLeast(version, HOOK_RUN_GIT_VERSION)) return []
  const hint = "Install git 2.36 or newer: with an older one the hooks can't be tested."
  return [{ message: `git is ${version}`, hint }]
}

/** Does a variable of the environment switch kotef off? */
export async function checkEnvironment(env: NodeJS.ProcessEnv): Promise<DoctorProblem[]> {
  const off = { message: 'the environment switches kotef off, so nothing is judged', hint: '`unset KOTEF`' }
  const probe = { message: 'KOTEF_PROBE is set in the environment, so every commit stops', hint: '`unset KOTEF_PROBE`' }
  return [...(env['KOTEF'] === '0' ? [off] : []), ...(env['KOTEF_PROBE'] ? [probe] : [])]
}

/** Are the registry and the policy valid? Those that no policy can be read from are thrown as an error. */
export async function checkPolicy(workspace: Workspace): Promise<DoctorProblem[]> {
  const { markdown } = await readPolicySources(workspace)
  return readForbiddenPaths(markdown ?? '').unread.map(({ line, text }) => ({
    message: `${PROJECT_POLICY_PATH}:${line} may forbid nothing: ${printable(text)}`,
    hint: FORBIDDING_HINT,
  }))
}

/** Did another program change a ref of kotef's so that it can't be put back? */
export async function checkRefs(workspace: Workspace): Promise<DoctorProblem[]> {
  const refs = Object.entries(await unrepairedRefs(workspace))
  const problems = refs.map(async ([ref, what]) => ({
    message: `${printable(ref)} ${what}, and only kotef writes it`,
    hint: await refHint(workspace, ref, what),
  }))
  return Promise.all(problems)
}

async function refHint(workspace: Workspace, ref: string, what: string): Promise<string> {
  const file = join(workspace.commonDir, ref)
  const isLocked = (await workspace.files.modifiedAt(`${file}.lock`).catch(() => null)) !== null
  if (isLocked) return `If no git command is running: \`rm ${shellQuoted(`${file}.lock`)}\``
  if (what === NOT_PLAIN) return `Remove it: \`rm -r ${shellQuoted(file)}\``
  if (what === NO_CLAIM) return claimUnreadableError(workspace, basename(ref), what).hint
  return "The watcher's next look puts it back, unless git has lost the object: `kotef flush`"
}

/** Are session files or claims damaged? */
export async function checkSessions(workspace: Workspace): Promise<DoctorProblem[]> {
  const { problems } = await readSessions(workspace)
  const files = problems.map(it => ({ message: problemLine(it), hint: `Remove it: \`rm ${shellQuoted(it.file)}\`` }))
  const damaged = (await listClaimRefs(workspace)).filter(it => it.claim === null)
  const refs = damaged.map(it => claimUnreadableError(workspace, it.intent, 'its ref does not lead to a claim'))
  return [...files, ...refs.map(({ message, hint }) => ({ message, hint }))]
}

/** Does the started daemon still run, is it of this version, and does it record what it sees? */
export async function checkDaemon(workspace: Workspace): Promise<DoctorProblem[]> {
  const address = await readDaemonAddress(workspace)
  if (!address) return []
  const answers = await askDaemon(workspace, { ask: 'status' })
  await answers?.return(undefined)
  if (!answers) return [{ message: `the daemon (pid ${address.pid}) is gone`, hint: 'Start one: `npx kotef-watch`' }]
  const restart = { hint: 'Restart it: `kotef watch --stop && kotef watch --detach`' }
  if (address.version !== VERSION)
    return [{ message: `the daemon is version ${address.version}, and this kotef is ${VERSION}`, ...restart }]
  return stuckDaemonProblems(workspace)
}

async function stuckDaemonProblems(workspace: Workspace): Promise<DoctorProblem[]> {
  const stuck = await flushDaemon(workspace, CATCH_UP_FLUSH_WAIT_MS_MAX).then(() => null, toKotefError)
  const hint = 'Remove the cause; the daemon tries again by itself. See whether it has caught up: `kotef flush`'
  return stuck ? [{ message: `the daemon does not record: ${stuck.message}`, hint }] : []
}

/** Which locks of this worktree have a dead or unknown holder? kotef takes over such a lock when it needs it. */
export async function checkLocks(workspace: Workspace): Promise<DoctorProblem[]> {
  const { own } = layoutOf(workspace)
  const names = (await workspace.files.list(own)).filter(it => it.endsWith('.lock')).sort()
  return (await Promise.all(names.map(it => checkLock(join(own, it))))).flat()
}

async function checkLock(path: string): Promise<DoctorProblem[]> {
  const state = await lockState(path)
  const wayOut = { hint: `Remove it: \`rm ${shellQuoted(path)}\``, repair: { kind: 'lock', at: [path] } } as const
  if (state === 'damaged') return [{ message: `${path} does not name its holder`, ...wayOut }]
  const [pid] = (await lockHolder(path)).split(' ')
  return state === 'dead' ? [{ message: `${path} is held by process ${pid}, which is gone`, ...wayOut }] : []
}

/** Which files in kotef's own folders are no longer needed? */
export async function leftoverNotes(workspace: Workspace): Promise<DoctorNote[]> {
  const { own, sessions } = layoutOf(workspace)
  const { halfWritten, ownWrites, ended } = await findLeftovers(workspace)
  return [
    ...leftoverNote(halfWritten, `half-written in ${own}`),
    ...leftoverNote(ownWrites, `of files that kotef wrote more than 30 days ago in ${join(own, 'own-writes')}`),
    ...leftoverNote(ended, `of sessions that ended more than 30 days ago in ${join(sessions, 'ended')}`),
  ]
}

function leftoverNote(paths: readonly string[], which: string): DoctorNote[] {
  if (paths.length === 0) return []
  const message = `${paths.length === 1 ? '1 file is' : `${paths.length} files are`} left ${which}`
  return [{ message, hint: 'Remove them: `kotef doctor --fix`', repair: { kind: 'leftovers', at: paths } }]
}

/** Why must Node judge each commit here? Empty when the fast path is open. */
export async function fastPathNotes(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<DoctorNote[]> {
  const sessions = await liveSessions(workspace)
  // The trial runs in the system's temporary folder: the doctor writes nothing into the repository.
  const sources = await readPolicySources(workspace)
  const path = await fastPathOf(workspace, { ...sources, policy: policyOf(sources), sessions, trialsIn: tmpdir() })
  const closed = 'closed' in path ? path : await closedByFileSystem(workspace, env)
  return closed ? [{ message: `no commit can take the fast path here: ${closed.closed}`, hint: closed.fix }] : []
}

async function closedByFileSystem(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<ClosedFastPath | null> {
  if (await lacksHardLinks(workspace)) {
    return { closed: "this disk can't make a hard link to a file of this worktree", fix: null }
  }
  if ((await workspace.files.modifiedAt(join(layoutOf(workspace).compiled, 'active'))) === null) return null
  if (!(await isWritableByOthers(workspace, env))) return null
  return { closed: `others can write in ${layoutOf(workspace).compiled}`, fix: 'Close it: `kotef doctor --fix`' }
}

// Compiling links each policy file, so a file older than the compiled policy has a link if the disk can make one.
async function lacksHardLinks({ files, ...workspace }: Workspace): Promise<boolean> {
  const { compiled } = layoutOf(workspace)
  const compiledAt = await files.modifiedAt(join(compiled, 'state.json'))
  const lacking = POLICY_FILES.map(async (path, n) => {
    const writtenAt = await files.modifiedAt(join(workspace.root, path))
    if (writtenAt === null || compiledAt === null || writtenAt > compiledAt) return false
    return (await files.modifiedAt(join(compiled, sourceLinkName(n)))) === null
  })
  return (await Promise.all(lacking)).some(Boolean)
}

// The hooks check the permissions by a shell function, so the doctor runs that function.
async function isWritableByOthers(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<boolean> {
  const script = 'kotef=$1 hook=doctor; . "$kotef/common.sh"; command -v modes || exit 1; private "$(modes)" || exit 9'
  const words = ['-c', script, 'sh', layoutOf(workspace).shared]
  const environment = { ...withoutRepositoryEnv(env), GIT_DIR: workspace.gitDir, KOTEF: '', KOTEF_PROBE: '' }
  return (await runProgram('sh', words, { cwd: workspace.root, env: environment })).exit === 9
}
