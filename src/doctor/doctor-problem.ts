import type { Finding } from '../findings/finding.ts'
import type { Repair } from './fix-problems.ts'

/** A problem that a check of the doctor found. `repair` is what `kotef doctor --fix` does about it. */
export type DoctorProblem = Pick<Finding, 'message' | 'hint'> & { readonly repair?: Repair }

/** A fact that a person should know although nothing is wrong. `hint` is null when there is nothing to do. */
export type DoctorNote = Omit<DoctorProblem, 'hint'> & { readonly hint: string | null }
