import { diagnose } from '../doctor/diagnose.ts'
import { mend, type MendedReport, untouched } from '../doctor/fix.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import type { Run } from './verb.ts'

/** `kotef doctor`: whether all that kotef stands on is sound here, and the fix for what is not. */
export const run: Run = async ({ cwd, env, options }) => {
  const workspace = await openWorkspace(cwd)
  const report = options['fix'] ? await mend(workspace, { env }) : untouched(await diagnose(workspace, { env }))
  const ok = report.checks.every(it => it.complaints.every(complaint => complaint.fixed !== undefined))
  return { text: textOf(report), json: { ok, ...report }, exit: ok ? 0 : 1 }
}

function textOf({ checks, notes }: MendedReport): string {
  const [first] = checks
  const [missing] = first?.name === 'set up' ? first.complaints : []
  if (missing) return `${missing.what}. ${missing.fix}`
  return [...checks.flatMap(checkLines), ...notes.flatMap(it => lines(it.what, 'note', it))].join('\n')
}

function checkLines({ name, complaints }: MendedReport['checks'][number]): string[] {
  if (complaints.length === 0) return [`ok     ${name}`]
  return complaints.flatMap(it => lines(`${name}: ${it.what}`, 'wrong', it))
}

type WayOut = { readonly fix: string | null; readonly fixed?: string }

function lines(what: string, kind: 'wrong' | 'note', { fix, fixed }: WayOut): string[] {
  const below = fixed ?? fix
  const [first = '', ...more] = what.split('\n')
  return [
    `${(fixed === undefined ? kind : 'fixed').padEnd(5)}  ${first}`,
    ...[...more, ...(below === null ? [] : [below])].map(it => `       ${it}`),
  ]
}
