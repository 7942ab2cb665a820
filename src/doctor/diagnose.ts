import { toKotefError } from '../report/failure.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { agentComplaints, agentNotes } from './agents.ts'
import type { Complaint, Note } from './complaint.ts'
import {
  daemonIsSound,
  gitIsNewEnough,
  ledgerIsSound,
  nodeIsNewEnough,
  nothingSwitchesOff,
  policyIsSound,
  PROVES_HOOKS,
  sessionsAreSound,
} from './checks.ts'
import { coverageNotes } from './coverage.ts'
import { fastPathNotes } from './fast-path.ts'
import { hookComplaints } from './hooks.ts'
import { leftoverNotes } from './leftovers.ts'
import { diagnoseLocks } from './locks.ts'
import { isInstalled, readInstalled, versionComplaints } from './versions.ts'
import { openClone } from './worktrees.ts'
import { gitVersion, isAtLeast } from '../setup/git-version.ts'
import { type Circumstances, type Examination, examine } from './probe.ts'

/** What one check came to. */
export type Diagnosis = { readonly name: string; readonly complaints: readonly Complaint[] }

/** What is wrong, check by check, and what is worth knowing beside it. */
export type Report = { readonly checks: readonly Diagnosis[]; readonly notes: readonly Note[] }

/** Runs every check, whatever the others find. It writes nothing. */
export async function diagnose(workspace: Workspace, around: Circumstances): Promise<Report> {
  if (!(await isInstalled(workspace))) return { checks: [{ name: 'set up', complaints: [NOT_SET_UP] }], notes: [] }
  const patient = await patientOf(workspace, around)
  const checks: Diagnosis[] = []
  for (const { name, run } of CHECKS) checks.push({ name, complaints: await run(patient).catch(asComplaint) })
  return { checks, notes: await notesOf(patient) }
}

const NOT_SET_UP: Complaint = { what: 'kotef is not set up in this clone', fix: 'Run `kotef init`' }

type Patient = Circumstances & {
  readonly workspace: Workspace
  readonly exams: readonly Examination[]
  readonly unseen: { readonly complaints: readonly Complaint[]; readonly notes: readonly Note[] }
}

async function patientOf(workspace: Workspace, around: Circumstances): Promise<Patient> {
  const complaints: Complaint[] = []
  const exams: Examination[] = []
  const canProve = isAtLeast(await gitVersion(workspace), PROVES_HOOKS)
  const clone = canProve ? await openClone(workspace) : { open: [], complaints: [], notes: [] }
  for (const it of clone.open) {
    await examine(it, around).then(
      exam => exams.push(exam),
      (thrown: unknown) => complaints.push(...asComplaint(thrown)),
    )
  }
  return { workspace, exams, ...around, unseen: { ...clone, complaints: [...clone.complaints, ...complaints] } }
}

type Check = { readonly name: string; readonly run: (patient: Patient) => Promise<readonly Complaint[]> }

const CHECKS: readonly Check[] = [
  { name: 'node', run: nodeIsNewEnough },
  { name: 'git', run: ({ workspace }) => gitIsNewEnough(workspace) },
  { name: 'environment', run: ({ env }) => nothingSwitchesOff(env) },
  { name: 'policy', run: ({ workspace }) => policyIsSound(workspace) },
  { name: 'sessions', run: ({ workspace }) => sessionsAreSound(workspace) },
  { name: 'ledger', run: ({ workspace }) => ledgerIsSound(workspace) },
  { name: 'versions', run: versionsAgree },
  { name: 'hooks', run: hooksRun },
  { name: 'agents', run: ({ workspace, env }) => agentComplaints(workspace, env) },
  { name: 'locks', run: ({ workspace }) => diagnoseLocks(workspace) },
  { name: 'daemon', run: ({ workspace }) => daemonIsSound(workspace) },
]

async function notesOf({ workspace, exams, env, unseen }: Patient): Promise<Note[]> {
  const found = [
    coverageNotes(workspace, exams),
    fastPathNotes(workspace, env),
    leftoverNotes(workspace),
    agentNotes(workspace, env),
  ]
  const notes = await Promise.all(found.map(it => it.catch(nothingMore)))
  return [...unseen.notes, ...notes.flat()]
}

// What can't be read is named by a check already.
function nothingMore(thrown: unknown): Note[] {
  if (toKotefError(thrown).code === 'bug') throw thrown
  return []
}

function asComplaint(thrown: unknown): Complaint[] {
  const { message, hint } = toKotefError(thrown)
  return [{ what: message, fix: hint }]
}

async function versionsAgree({ workspace, exams }: Patient): Promise<Complaint[]> {
  return versionComplaints(workspace, await readInstalled(workspace), exams)
}

async function hooksRun({ workspace, exams, unseen, ...around }: Patient): Promise<Complaint[]> {
  const { damaged } = await readInstalled(workspace)
  const complaints = await Promise.all(exams.map(it => hookComplaints(it, damaged, around)))
  return [...unseen.complaints, ...complaints.flat()]
}
