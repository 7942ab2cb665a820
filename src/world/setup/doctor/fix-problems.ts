import { chmod, rm, stat } from 'node:fs/promises'
import { KotefError, toKotefError } from '../../../core/base/failure.ts'
import { openWorkspace, type Workspace } from '../../io/worktree/workspace.ts'
import type { DoctorNote, DoctorProblem } from './doctor-problem.ts'
import { diagnose, type DoctorReport } from './diagnose.ts'
import type { ProbeOptions } from './probe-hooks.ts'
import { acquireLock, releaseLock } from '../../io/files/lock.ts'
import { compilePolicy } from '../../intents/policy/compile-policy.ts'
import { restoreHuskyFolder } from '../hooks/hooks-setup.ts'
import { installSharedFiles, refreshHooks } from '../install-hooks.ts'
import { configureMergeDriver } from '../merge-driver.ts'
import { readInstalledHooks } from '../hooks/installed-hooks.ts'
import type { Repair } from './doctor-problem.ts'

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

/** Does a repair, and returns a sentence that says what was done. */
async function performRepair({ kind, at }: Repair): Promise<string> {
  for (const it of at) await REPAIRS[kind].perform(it)
  return REPAIRS[kind].done
}

type RepairAction = { readonly perform: (at: string) => Promise<unknown>; readonly done: string }

const REPAIRS: Readonly<Record<Repair['kind'], RepairAction>> = {
  hooks: { perform: async at => refreshHooks(await openWorkspace(at)), done: "kotef's lines were written again." },
  scripts: {
    perform: async at => repairScripts(await openWorkspace(at)),
    done: 'The scripts of this version were installed.',
  },
  driver: { perform: async at => configureMergeDriver(await openWorkspace(at)), done: 'It was set up.' },
  husky: {
    perform: async at => repairHusky(await openWorkspace(at)),
    done: "Husky's generated files were copied there.",
  },
  compiled: { perform: async at => compilePolicy(await openWorkspace(at)), done: 'It was compiled again.' },
  executable: { perform: async at => makeExecutable(at), done: 'It was made executable.' },
  lock: { perform: removeDeadLock, done: 'It was removed.' },
  leftovers: { perform: at => rm(at, { force: true, recursive: true }), done: 'They were removed.' },
}

// Also runs when one script is missing. Scripts of a newer version are not replaced by older ones.
async function repairScripts(workspace: Workspace): Promise<void> {
  const { found, version } = await readInstalledHooks(workspace)
  if (found !== 'newer') return installSharedFiles(workspace)
  throw new KotefError('usage', `The hooks' scripts are of kotef ${version}, which is newer than this one.`, {
    hint: `Install it: \`npm i -D kotef-watch@${version}\``,
  })
}

async function repairHusky(workspace: Workspace): Promise<void> {
  if (await restoreHuskyFolder(workspace)) return
  throw new KotefError('husky-missing', 'kotef has no copy of the files that husky generates.', {
    hint: 'Run `npx husky`',
  })
}

async function makeExecutable(path: string): Promise<void> {
  await chmod(path, (await stat(path)).mode | 0o111)
}

// By acquiring the lock: it fails, and the file stays, if another process has taken the lock since.
async function removeDeadLock(path: string): Promise<void> {
  if (await acquireLock(path)) await releaseLock(path)
}
