import { toKotefError } from '../findings/failure.ts'
import type { Workspace } from '../worktree/workspace.ts'
import type { DoctorProblem, DoctorNote } from './doctor-problem.ts'
import { diagnose, type DoctorReport } from './diagnose.ts'
import type { ProbeOptions } from './probe-hooks.ts'
import { performRepair, type Repair } from './repair.ts'

/** A problem or note of a report; `fixed` says how it was repaired. */
export type FixOutcome<T extends DoctorProblem | DoctorNote> = Omit<T, 'repair'> & { readonly fixed?: string }

export type FixReport = {
  readonly checks: readonly { readonly name: string; readonly complaints: readonly FixOutcome<DoctorProblem>[] }[]
  readonly notes: readonly FixOutcome<DoctorNote>[]
}

/** Repairs what can be repaired without asking, and runs all checks again. Remaining problems stay in the report. */
export async function fixProblems(workspace: Workspace, options: ProbeOptions): Promise<FixReport> {
  const attempt: FixAttempt = { tried: new Map(), named: [] }
  let report = await diagnose(workspace, options)
  // One repair can reveal the next: new scripts need a policy compiled by their own version.
  while (await repairOnce(report, attempt)) {
    attempt.named.push(...flattenReport(report))
    report = await diagnose(workspace, options)
  }
  return mergeReports(report, attempt)
}

/** A report without repairs. */
export function asFixReport({ checks, notes }: DoctorReport): FixReport {
  return {
    checks: checks.map(({ name, complaints }) => ({ name, complaints: complaints.map(withoutRepair) })),
    notes: notes.map(withoutRepair),
  }
}

/** A line of a report and the name of its check, which is null for a note. */
type ReportLine = { readonly check: string | null; readonly line: DoctorProblem | DoctorNote }

/** The repairs that were tried, with their results, and the lines of all earlier reports. */
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
      return { message, hint }
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
  const failed = [...tried.values()].filter(it => 'message' in it)
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

function withoutRepair<T extends DoctorProblem | DoctorNote>({ message, hint }: T): FixOutcome<T> {
  return { message, hint } as FixOutcome<T>
}

function lineKey({ check, line }: ReportLine): string {
  return JSON.stringify([check, line.message])
}

function repairKey(repair: Repair): string {
  return JSON.stringify(repair)
}
