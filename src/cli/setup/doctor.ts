import { diagnose } from '../../doctor/diagnose.ts'
import { fixProblems, type FixReport, asFixReport } from '../../doctor/fix-problems.ts'
import { openWorkspace } from '../../worktree/workspace.ts'
import type { RunVerb } from '../verb.ts'

/** `kotef doctor`: checks that kotef works in this clone, and names or applies the fix for each problem. */
export const run: RunVerb = async ({ cwd, env, options }) => {
  const workspace = await openWorkspace(cwd)
  const report = options['fix']
    ? await fixProblems(workspace, { env })
    : asFixReport(await diagnose(workspace, { env }))
  const ok = report.checks.every(it => it.complaints.every(complaint => complaint.fixed !== undefined))
  return { text: doctorText(report), json: { ok, ...report }, exit: ok ? 0 : 1 }
}

function doctorText({ checks, notes }: FixReport): string {
  const [first] = checks
  const [missing] = first?.name === 'set up' ? first.complaints : []
  if (missing) return `${missing.what}. ${missing.fix}`
  return [...checks.flatMap(checkLines), ...notes.flatMap(it => complaintLines(it.what, 'note', it))].join('\n')
}

function checkLines({ name, complaints }: FixReport['checks'][number]): string[] {
  if (complaints.length === 0) return [`ok     ${name}`]
  return complaints.flatMap(it => complaintLines(`${name}: ${it.what}`, 'wrong', it))
}

type Remedy = { readonly fix: string | null; readonly fixed?: string }

function complaintLines(what: string, kind: 'wrong' | 'note', { fix, fixed }: Remedy): string[] {
  const below = fixed ?? fix
  const [first = '', ...more] = what.split('\n')
  return [
    `${(fixed === undefined ? kind : 'fixed').padEnd(5)}  ${first}`,
    ...[...more, ...(below === null ? [] : [below])].map(it => `       ${it}`),
  ]
}
