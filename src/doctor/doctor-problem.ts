import type { Repair } from './repair.ts'

/** What a check found wrong, and the way out; none when all is well. A repair is what `--fix` does about it. */
export type DoctorProblem = { readonly what: string; readonly fix: string; readonly repair?: Repair }

/** What is worth knowing, though nothing is wrong; not everything has a way out. */
export type DoctorNote = { readonly what: string; readonly fix: string | null; readonly repair?: Repair }
