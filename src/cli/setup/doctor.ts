import { diagnose } from '../../doctor/diagnose.ts'
import { asFixReport, fixProblems, type FixReport } from '../../doctor/fix-problems.ts'
import { openWorkspace } from '../../worktree/workspace.ts'
import type { RunVerb } from '../verb.ts'

/** `kotef doctor`: checks that kotef works in this clone, and names or applies the fix for each problem. */
export const run: RunVerb = async ({ cwd, env, options }) => {
  const workspace = await openWorkspace(cwd)
  const report = options['fix']
    ? await fixProblems(workspace, { env })
    : asFixReport(await diagnose(workspace, { env }))
  const ok = report.checks.every(it => it.complaints.every(complaint => complaint.fixed !== undefined))
  return { text: doctorText(report), json: { ok, ...doctorJson(report) }, exit: ok ? 0 : 1 }
}

// The JSON document has its own names for message and hint, which are public.
function doctorJson({ checks, notes }: FixReport) {
  const asJson = <T extends Remedy & { readonly message: string }>({ message, hint, ...more }: T) => ({
    what: message,
    fix: hint,
    ...more,
  })
  return {
    checks: checks.map(({ name, complaints }) => ({ name, complaints: complaints.map(asJson) })),
    notes: notes.map(asJson),
  }
}

function doctorText({ checks, notes }: FixReport): string {
  const [first] = checks
  const [missing] = first?.name === 'set up' ? first.complaints : []
  if (missing) return `${missing.message}. ${missing.hint}`
  return [...checks.flatMap(checkLines), ...notes.flatMap(it => complaintLines(it.message, 'note', it))].join('\n')
}

function checkLines({ name, complaints }: FixReport['checks'][number]): string[] {
  if (complaints.length === 0) return [`ok     ${name}`]
  return complaints.flatMap(it => complaintLines(`${name}: ${it.message}`, 'wrong', it))
}

type Remedy = { readonly hint: string | null; readonly fixed?: string }

function complaintLines(message: string, kind: 'wrong' | 'note', { hint, fixed }: Remedy): string[] {
  const below = fixed ?? hint
  const [first = '', ...more] = message.split('\n')
  return [
    `${(fixed === undefined ? kind : 'fixed').padEnd(5)}  ${first}`,
    ...[...more, ...(below === null ? [] : [below])].map(it => `       ${it}`),
  ]
}
