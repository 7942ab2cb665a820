import { type Diagnosis, diagnose } from '../setup/doctor.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import type { Run } from './verb.ts'

/** `kotef doctor`: whether all that kotef stands on is sound here, and the fix for what is not. */
export const run: Run = async ({ cwd }) => {
  const checks = await diagnose(await openWorkspace(cwd))
  const isWell = checks.every(it => it.complaints.length === 0)
  return { text: checks.flatMap(linesOf).join('\n'), json: { ok: isWell, checks }, exit: isWell ? 0 : 1 }
}

function linesOf({ name, complaints }: Diagnosis): string[] {
  if (complaints.length === 0) return [`ok     ${name}`]
  return complaints.flatMap(({ what, fix }) => [`wrong  ${name}: ${what}`, `       ${fix}`])
}
