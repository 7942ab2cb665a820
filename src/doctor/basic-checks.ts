import { KotefError } from '../findings/failure.ts'
import { problemLine } from '../report/finding-lines.ts'
import { shellQuoted } from '../text/printable.ts'
import { VERSION } from '../io/files/package.ts'
import { listClaimRefs, claimUnreadableError } from '../sessions/claim-refs.ts'
import { askDaemon } from '../daemon-client/ask-daemon.ts'
import { readDaemonAddress } from '../daemon-client/daemon-address.ts'
import { readLedgerInParts } from '../ledger-store/read-in-parts.ts'
import { loadPolicy } from '../policy/load-policy.ts'
import { readSessions } from '../sessions/live-sessions.ts'
import type { Workspace } from '../worktree/workspace.ts'
import type { DoctorProblem } from './doctor-problem.ts'
import { gitVersion, isVersionAtLeast } from '../setup/git-version.ts'

/** What is wrong with the node that runs this. */
export async function checkNode(): Promise<DoctorProblem[]> {
  const { node } = process.versions
  return isVersionAtLeast(node, [20, 19]) ? [] : [{ what: `node is ${node}`, fix: 'Install node 20.19 or newer.' }]
}

/** The first git that can be told to run a hook. */
export const HOOK_RUN_GIT_VERSION = [2, 36] as const

/** What is wrong with the git that is found here. */
export async function checkGit(workspace: Workspace): Promise<DoctorProblem[]> {
  const version = await gitVersion(workspace)
  if (isVersionAtLeast(version, HOOK_RUN_GIT_VERSION)) return []
  const fix = 'Install git 2.36 or newer: with an older one the hooks can not be proved.'
  return [{ what: `git is ${version}`, fix }]
}

/** What the environment keeps from being judged. */
export async function checkEnvironment(env: NodeJS.ProcessEnv): Promise<DoctorProblem[]> {
  const off = { what: 'KOTEF=0 is set in the environment, so nothing is judged', fix: '`unset KOTEF`' }
  const probe = { what: 'KOTEF_PROBE is set in the environment, so every commit stops', fix: '`unset KOTEF_PROBE`' }
  return [...(env['KOTEF'] === '0' ? [off] : []), ...(env['KOTEF_PROBE'] ? [probe] : [])]
}

/** What is wrong with the registry and the policy; it is thrown. */
export async function checkPolicy(workspace: Workspace): Promise<DoctorProblem[]> {
  await loadPolicy(workspace)
  return []
}

/** Which session files are damaged, and which claims can't be read. */
export async function checkSessions(workspace: Workspace): Promise<DoctorProblem[]> {
  const { problems } = await readSessions(workspace)
  const files = problems.map(it => ({ what: problemLine(it), fix: `Remove it: \`rm ${shellQuoted(it.file)}\`` }))
  const damaged = (await listClaimRefs(workspace)).filter(it => it.claim === null)
  const refs = damaged.map(it => claimUnreadableError(workspace, it.intent, 'its ref leads to no claim'))
  return [...files, ...refs.map(it => ({ what: it.message, fix: it.hint }))]
}

/** Which lines of the ledger are damaged. */
export async function checkLedger(workspace: Workspace): Promise<DoctorProblem[]> {
  const complaints: DoctorProblem[] = []
  try {
    for await (const { problems } of readLedgerInParts(workspace))
      for (const it of problems)
        complaints.push({ what: problemLine(it), fix: 'See what was lost: `kotef trace verify`' })
  } catch (cause) {
    throw new KotefError('ledger-unwritable', `The ledger can't be read: ${String(cause)}`, { cause })
  }
  return complaints
}

/** Whether the daemon that was started is there, and of this version. */
export async function checkDaemon(workspace: Workspace): Promise<DoctorProblem[]> {
  const address = await readDaemonAddress(workspace)
  if (!address) return []
  const answers = await askDaemon(workspace, { ask: 'status' })
  await answers?.return(undefined)
  if (!answers) return [{ what: `the daemon (pid ${address.pid}) is gone`, fix: 'Start one: `npx kotef-watch`' }]
  if (address.version === VERSION) return []
  const what = `the daemon is of version ${address.version}, and this is ${VERSION}`
  return [{ what, fix: 'Start it anew: `kotef watch --stop && kotef watch --detach`' }]
}
