import { KotefError } from '../report/failure.ts'
import { problemLine } from '../report/lines.ts'
import { quoted } from '../report/printable.ts'
import { VERSION } from '../package.ts'
import { allClaims, unreadable } from '../workspace/claim-refs.ts'
import { askDaemon, readAddress } from '../workspace/daemon-address.ts'
import { readings } from '../workspace/ledger.ts'
import { loadPolicy } from '../workspace/policy.ts'
import { readSessions } from '../workspace/sessions.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Complaint } from './complaint.ts'
import { gitVersion, isAtLeast } from '../setup/git-version.ts'

/** What is wrong with the node that runs this. */
export async function nodeIsNewEnough(): Promise<Complaint[]> {
  const { node } = process.versions
  return isAtLeast(node, [20, 19]) ? [] : [{ what: `node is ${node}`, fix: 'Install node 20.19 or newer.' }]
}

/** The first git that can be told to run a hook. */
export const PROVES_HOOKS = [2, 36] as const

/** What is wrong with the git that is found here. */
export async function gitIsNewEnough(workspace: Workspace): Promise<Complaint[]> {
  const version = await gitVersion(workspace)
  if (isAtLeast(version, PROVES_HOOKS)) return []
  const fix = 'Install git 2.36 or newer: with an older one the hooks can not be proved.'
  return [{ what: `git is ${version}`, fix }]
}

/** What the environment keeps from being judged. */
export async function nothingSwitchesOff(env: NodeJS.ProcessEnv): Promise<Complaint[]> {
  const off = { what: 'KOTEF=0 is set in the environment, so nothing is judged', fix: '`unset KOTEF`' }
  const probe = { what: 'KOTEF_PROBE is set in the environment, so every commit stops', fix: '`unset KOTEF_PROBE`' }
  return [...(env['KOTEF'] === '0' ? [off] : []), ...(env['KOTEF_PROBE'] ? [probe] : [])]
}

/** What is wrong with the registry and the policy; it is thrown. */
export async function policyIsSound(workspace: Workspace): Promise<Complaint[]> {
  await loadPolicy(workspace)
  return []
}

/** Which session files are damaged, and which claims can't be read. */
export async function sessionsAreSound(workspace: Workspace): Promise<Complaint[]> {
  const { problems } = await readSessions(workspace)
  const files = problems.map(it => ({ what: problemLine(it), fix: `Remove it: \`rm ${quoted(it.file)}\`` }))
  const damaged = (await allClaims(workspace)).filter(it => it.claim === null)
  const refs = damaged.map(it => unreadable(workspace, it.intent, 'its ref leads to no claim'))
  return [...files, ...refs.map(it => ({ what: it.message, fix: it.hint }))]
}

/** Which lines of the ledger are damaged. */
export async function ledgerIsSound(workspace: Workspace): Promise<Complaint[]> {
  const complaints: Complaint[] = []
  try {
    for await (const { problems } of readings(workspace))
      for (const it of problems)
        complaints.push({ what: problemLine(it), fix: 'See what was lost: `kotef trace verify`' })
  } catch (cause) {
    throw new KotefError('ledger-unwritable', `The ledger can't be read: ${String(cause)}`, { cause })
  }
  return complaints
}

/** Whether the daemon that was started is there, and of this version. */
export async function daemonIsSound(workspace: Workspace): Promise<Complaint[]> {
  const address = await readAddress(workspace)
  if (!address) return []
  const answers = await askDaemon(workspace, { ask: 'status' })
  await answers?.return(undefined)
  if (!answers) return [{ what: `the daemon (process ${address.pid}) is gone`, fix: 'Start one: `npx kotef-watch`' }]
  if (address.version === VERSION) return []
  const what = `the daemon is of version ${address.version}, and this is ${VERSION}`
  return [{ what, fix: 'Start it anew: `kotef watch --stop && kotef watch --detach`' }]
}
