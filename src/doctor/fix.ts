import { toKotefError } from '../report/failure.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Complaint, Note } from './complaint.ts'
import { diagnose, type Report } from './diagnose.ts'
import type { Circumstances } from './probe.ts'
import { perform, type Repair } from './repair.ts'

/** What a report names, with what was done about it where it is well again. */
export type Mended<T extends Complaint | Note> = Omit<T, 'repair'> & { readonly fixed?: string }

export type MendedReport = {
  readonly checks: readonly { readonly name: string; readonly complaints: readonly Mended<Complaint>[] }[]
  readonly notes: readonly Mended<Note>[]
}

/** Repairs what can be repaired without asking, and looks again; what is still wrong stays in the report. */
export async function mend(workspace: Workspace, around: Circumstances): Promise<MendedReport> {
  const mending: Mending = { tried: new Map(), named: [] }
  let report = await diagnose(workspace, around)
  // One repair can show another: scripts of this version want a policy that it compiled.
  while (await repairOnce(report, mending)) {
    mending.named.push(...namedIn(report))
    report = await diagnose(workspace, around)
  }
  return merged(report, mending)
}

/** A report as it is told: nobody has repaired anything. */
export function untouched({ checks, notes }: Report): MendedReport {
  return {
    checks: checks.map(({ name, complaints }) => ({ name, complaints: complaints.map(told) })),
    notes: notes.map(told),
  }
}

/** A line of a report, under the name of its check; notes have none. */
type Named = { readonly check: string | null; readonly line: Complaint | Note }

/** What was tried, with the words of its end, and all that was named before. */
type Mending = { readonly tried: Map<string, { readonly fixed: string } | Complaint>; readonly named: Named[] }

async function repairOnce(report: Report, { tried }: Mending): Promise<boolean> {
  const repairs = new Map(namedIn(report).flatMap(({ line: { repair } }) => (repair ? [[keyOf(repair), repair]] : [])))
  const due = [...repairs].filter(([key]) => !tried.has(key))
  for (const [key, repair] of due) tried.set(key, await outcomeOf(repair))
  return due.length > 0
}

async function outcomeOf(repair: Repair): Promise<{ readonly fixed: string } | Complaint> {
  return perform(repair).then(
    fixed => ({ fixed }),
    (thrown: unknown) => {
      const { message, hint } = toKotefError(thrown)
      return { what: message, fix: hint }
    },
  )
}

function merged(report: Report, { tried, named }: Mending): MendedReport {
  const left = new Set(namedIn(report).map(it => textOf(it)))
  const gone = new Map(named.filter(it => !left.has(textOf(it))).map(it => [textOf(it), it]))
  const fixed = [...gone.values()].flatMap(({ check, line }) => {
    const end = line.repair && tried.get(keyOf(line.repair))
    return end && 'fixed' in end ? [{ check, line: { ...told(line), fixed: end.fixed } }] : []
  })
  const failed = [...tried.values()].filter(it => 'what' in it)
  const checks = report.checks.map(({ name, complaints }) => ({
    name,
    complaints: [
      ...fixed.filter(it => it.check === name).map(it => it.line as Mended<Complaint>),
      ...complaints.map(told),
    ],
  }))
  const notes = [...fixed.filter(it => it.check === null).map(it => it.line), ...report.notes.map(told)]
  return { checks: failed.length > 0 ? [...checks, { name: 'fix', complaints: failed }] : checks, notes }
}

function namedIn({ checks, notes }: Report): Named[] {
  const complaints = checks.flatMap(({ name, complaints: lines }) => lines.map(line => ({ check: name, line })))
  return [...complaints, ...notes.map(line => ({ check: null, line }))]
}

function told<T extends Complaint | Note>({ what, fix }: T): Mended<T> {
  return { what, fix } as Mended<T>
}

function textOf({ check, line }: Named): string {
  return JSON.stringify([check, line.what])
}

function keyOf(repair: Repair): string {
  return JSON.stringify(repair)
}
