import type { Verb } from './verb.ts'

/** Every verb, in the order of `kotef help`. */
export const verbs: readonly Verb[] = []
