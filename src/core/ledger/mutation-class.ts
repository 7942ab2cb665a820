/** The classes of a change, from the most to the least that is known of it. */
export const MUTATION_CLASSES = ['INTENT_EVOLUTION', 'AST_REFACTOR', 'FORMAT', 'UNKNOWN'] as const

/**
 * What a change of a text is: layout alone; the same behaviour by construction; anything else; or unknown, where a text
 * can't be read.
 */
export type MutationClass = (typeof MUTATION_CLASSES)[number]

/** The class of a file's change in a record, and what it follows from. */
export type ChangeClass = { readonly mutation_class: MutationClass; readonly evidence: string }

/** A class and its pieces of evidence as a record has them. */
export function changeClass(mutation_class: MutationClass, evidence: readonly string[]): ChangeClass {
  const text = evidence.join('; ')
  if (text.length <= EVIDENCE_CHARS_MAX) return { mutation_class, evidence: text }
  // Half of a surrogate pair is not valid text.
  const start = text.slice(0, EVIDENCE_CHARS_MAX - 1).replace(/[\uD800-\uDBFF]$/, '')
  return { mutation_class, evidence: `${start}…` }
}

// A record is read by people, and kept with each commit.
const EVIDENCE_CHARS_MAX = 500

/** The class that a value of a record says; null where there is none, or one that this version does not know. */
export function changeClassIn({
  mutation_class,
  evidence,
}: Partial<Record<keyof ChangeClass, unknown>>): ChangeClass | null {
  const known = MUTATION_CLASSES.find(it => it === mutation_class)
  return known ? { mutation_class: known, evidence: typeof evidence === 'string' ? evidence : '' } : null
}

/**
 * Of two classes of one change the one that counts, in whichever order they come: a class that is known, and of two
 * known ones the more careful one.
 */
export function strongerClass(one: ChangeClass, other: ChangeClass): ChangeClass {
  const ranks = [one, other].map(it => MUTATION_CLASSES.indexOf(it.mutation_class))
  if (ranks[0] !== ranks[1]) return (ranks[0] ?? 0) < (ranks[1] ?? 0) ? one : other
  return one.evidence <= other.evidence ? one : other
}
