import type { Finding } from '../../../core/base/finding.ts'

/** A problem that a check of the doctor found. `repair` is what `kotef doctor --fix` does about it. */
export type DoctorProblem = Pick<Finding, 'message' | 'hint'> & { readonly repair?: Repair }

/** A fact that a person should know although nothing is wrong. `hint` is null when there is nothing to do. */
export type DoctorNote = Omit<DoctorProblem, 'hint'> & { readonly hint: string | null }

/** A repair that needs no question: it changes no file of the user, no tracked file, and starts no program. */
export type Repair = {
  readonly kind: 'hooks' | 'scripts' | 'driver' | 'husky' | 'compiled' | 'executable' | 'lock' | 'leftovers'
  /** The worktrees or the files to repair. */
  readonly at: readonly string[]
}
