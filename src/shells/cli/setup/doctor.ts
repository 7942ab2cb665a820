import { diagnose } from '../../../world/setup/doctor/diagnose.ts'
import { asFixReport, fixProblems, type FixReport } from '../../../world/setup/doctor/fix-problems.ts'
import { restoreLedger } from '../../../world/ledger/locate-ledger.ts'
import { openWorkspace } from '../../../world/io/worktree/workspace.ts'
import type { RunVerb } from '../verb.ts'

/** `kotef doctor`: checks that kotef works in this clone, and names or applies the fix for each problem. */
export const run: RunVerb = async ({ cwd, env, options }) => {
  const workspace = await openWorkspace(cwd)
  await restoreLedger(workspace)
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
  if (complaints.length === 0) return [`ok     ${name.padEnd(12)} ${PROVED[name] ?? ''}`.trimEnd()]
  return complaints.flatMap(it => complaintLines(`${name}: ${it.message}`, 'wrong', it))
}

/** What a check without complaints has shown. */
const PROVED: Readonly<Record<string, string>> = {
  node: 'this Node can run kotef',
  git: 'this git can run and test the hooks',
  environment: 'no variable switches kotef off',
  policy: 'registry, config and project policy can be read',
  sessions: 'all sessions and claims can be read',
  ledger: 'every record is there, and can be read',
  versions: 'the installed scripts are whole, and of this version',
  hooks: 'git ran each of them, in every worktree of this clone',
  agents: 'the configured agents find kotef',
  locks: 'none was left behind',
  daemon: 'it answers, or none is running',
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
