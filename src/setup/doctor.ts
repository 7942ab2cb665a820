import type { Complaint } from './complaint.ts'
import { askDaemon, readAddress } from '../workspace/daemon-address.ts'
import { diagnoseHooks } from './doctor-hooks.ts'
import { diagnoseLocks } from './doctor-locks.ts'
import { loadLedger } from '../workspace/ledger.ts'
import { loadPolicy } from '../workspace/policy.ts'
import { readSessions } from '../workspace/sessions.ts'
import { KotefError, toKotefError } from '../report/failure.ts'
import { problemLine } from '../report/lines.ts'
import { VERSION } from '../version.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** One thing that must be right for kotef to work here. */
export type Check = { readonly name: string; readonly run: (workspace: Workspace) => Promise<readonly Complaint[]> }

export type Diagnosis = { readonly name: string; readonly complaints: readonly Complaint[] }

/** Runs every check, whatever the others find. */
export async function diagnose(workspace: Workspace): Promise<Diagnosis[]> {
  const diagnoses: Diagnosis[] = []
  for (const { name, run } of CHECKS) diagnoses.push({ name, complaints: await run(workspace).catch(asComplaint) })
  return diagnoses
}

const CHECKS: readonly Check[] = [
  { name: 'node', run: nodeIsNewEnough },
  { name: 'git', run: gitIsNewEnough },
  { name: 'policy', run: policyIsSound },
  { name: 'sessions', run: sessionsAreSound },
  { name: 'ledger', run: ledgerIsSound },
  { name: 'hooks', run: diagnoseHooks },
  { name: 'locks', run: diagnoseLocks },
  { name: 'daemon', run: daemonIsSound },
]

function asComplaint(thrown: unknown): Complaint[] {
  const { message, hint } = toKotefError(thrown)
  return [{ what: message, fix: hint }]
}

async function nodeIsNewEnough(): Promise<Complaint[]> {
  const { node } = process.versions
  return isAtLeast(node, [20, 19]) ? [] : [{ what: `node is ${node}`, fix: 'Install node 20.19 or newer.' }]
}

async function gitIsNewEnough({ git }: Workspace): Promise<Complaint[]> {
  const version = await git.ask({ args: ['version'], parse: out => /\d[\d.]*/.exec(out)?.[0] ?? '0' })
  if (isAtLeast(version, [2, 36])) return []
  return [
    { what: `git is ${version}`, fix: 'Install git 2.36 or newer: with an older one the hooks can not be proved.' },
  ]
}

function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [first = 0, second = 0] = version.split('.').map(Number)
  return first > major || (first === major && second >= minor)
}

async function policyIsSound(workspace: Workspace): Promise<Complaint[]> {
  await loadPolicy(workspace)
  return []
}

async function sessionsAreSound(workspace: Workspace): Promise<Complaint[]> {
  const { problems } = await readSessions(workspace)
  return problems.map(it => ({ what: problemLine(it), fix: `Remove it: \`rm ${it.file}\`` }))
}

async function ledgerIsSound(workspace: Workspace): Promise<Complaint[]> {
  const { problems } = await loadLedger(workspace).catch((cause: unknown) => {
    throw new KotefError('ledger-unwritable', `The ledger can't be read: ${String(cause)}`, { cause })
  })
  return problems.map(it => ({ what: problemLine(it), fix: 'See what was lost with `kotef trace verify`' }))
}

async function daemonIsSound(workspace: Workspace): Promise<Complaint[]> {
  const address = await readAddress(workspace)
  if (!address) return []
  const answers = await askDaemon(workspace, { ask: 'status' })
  await answers?.return(undefined)
  if (!answers) return [{ what: `the daemon (process ${address.pid}) is gone`, fix: 'Start one: `npx kotef-watch`' }]
  if (address.version === VERSION) return []
  const what = `the daemon is of version ${address.version}, and this is ${VERSION}`
  return [{ what, fix: 'Start it anew: `kotef watch --stop && kotef watch --detach`' }]
}
