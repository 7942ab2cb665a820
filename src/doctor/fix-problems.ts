import { toKotefError } from '../findings/failure.ts'
import type { Workspace } from '../worktree/workspace.ts'
import type { DoctorProblem, DoctorNote } from './doctor-problem.ts'
import { diagnose, type DoctorReport } from './diagnose.ts'
import type { ProbeOptions } from './probe-hooks.ts'
import { performRepair, type Repair } from './repair.ts'

/** What a report names, with what was done about it where it is well again. */
export type FixOutcome<T extends DoctorProblem | DoctorNote> = Omit<T, 'repair'> & { readonly fixed?: string }

export type FixReport = {
  readonly checks: readonly { readonly name: string; readonly complaints: readonly FixOutcome<DoctorProblem>[] }[]
  readonly notes: readonly FixOutcome<DoctorNote>[]
}

/** Repairs what can be repaired without asking, and looks again; what is still wrong stays in the report. */
export async function fixProblems(workspace: Workspace, options: ProbeOptions): Promise<FixReport> {
  const attempt: FixAttempt = { tried: new Map(), named: [] }
  let report = await diagnose(workspace, options)
  // One repair can show another: scripts of this version want a policy that it compiled.
  while (await repairOnce(report, attempt)) {
    attempt.named.push(...flattenReport(report))
    report = await diagnose(workspace, options)
  }
  return mergeReports(report, attempt)
}

/** A report as it is told: nobody has repaired anything. */
export function asFixReport({ checks, notes }: DoctorReport): FixReport {
  return {
    checks: checks.map(({ name, complaints }) => ({ name, complaints: complaints.map(withoutRepair) })),
    notes: notes.map(withoutRepair),
  }
}

/** A line of a report, under the name of its check; notes have none. */
type ReportLine = { readonly check: string | null; readonly line: DoctorProblem | DoctorNote }

/** What was tried, with the words of its end, and all that was named before. */
type FixAttempt = {
  readonly tried: Map<string, { readonly fixed: string } | DoctorProblem>
  readonly named: ReportLine[]
}

async function repairOnce(report: DoctorReport, { tried }: FixAttempt): Promise<boolean> {
  const repairs = new Map(
    flattenReport(report).flatMap(({ line: { repair } }) => (repair ? [[repairKey(repair), repair]] : [])),
  )
  const due = [...repairs].filter(([key]) => !tried.has(key))
  for (const [key, repair] of due) tried.set(key, await tryRepair(repair))
  return due.length > 0
}

async function tryRepair(repair: Repair): Promise<{ readonly fixed: string } | DoctorProblem> {
  return performRepair(repair).then(
    fixed => ({ fixed }),
    (thrown: unknown) => {
      const { message, hint } = toKotefError(thrown)
      return { what: message, fix: hint }
    },
  )
}

function mergeReports(report: DoctorReport, { tried, named }: FixAttempt): FixReport {
  const left = new Set(flattenReport(report).map(it => lineKey(it)))
  const gone = new Map(named.filter(it => !left.has(lineKey(it))).map(it => [lineKey(it), it]))
  const fixed = [...gone.values()].flatMap(({ check, line }) => {
    const end = line.repair && tried.get(repairKey(line.repair))
    return end && 'fixed' in end ? [{ check, line: { ...withoutRepair(line), fixed: end.fixed } }] : []
  })
  const failed = [...tried.values()].filter(it => 'what' in it)
  const checks = report.checks.map(({ name, complaints }) => ({
    name,
    complaints: [
      ...fixed.filter(it => it.check === name).map(it => it.line as FixOutcome<DoctorProblem>),
      ...complaints.map(withoutRepair),
    ],
  }))
  const notes = [...fixed.filter(it => it.check === null).map(it => it.line), ...report.notes.map(withoutRepair)]
  return { checks: failed.length > 0 ? [...checks, { name: 'fix', complaints: failed }] : checks, notes }
}

function flattenReport({ checks, notes }: DoctorReport): ReportLine[] {
  const complaints = checks.flatMap(({ name, complaints: lines }) => lines.map(line => ({ check: name, line })))
  return [...complaints, ...notes.map(line => ({ check: null, line }))]
}

function withoutRepair<T extends DoctorProblem | DoctorNote>({ what, fix }: T): FixOutcome<T> {
  return { what, fix } as FixOutcome<T>
}

function lineKey({ check, line }: ReportLine): string {
  return JSON.stringify([check, line.what])
}

function repairKey(repair: Repair): string {
  return JSON.stringify(repair)
}
