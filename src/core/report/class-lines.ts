import type { Classification } from '../code/symbols/classify/classify-change.ts'
import { printable } from '../base/printable.ts'

/** The class of a changed file, and a line for each piece of evidence. */
export function classLines({ path, mutationClass, evidence }: Classification & { readonly path: string }): string[] {
  return [`${mutationClass.padEnd(16)}  ${printable(path)}`, ...evidence.map(it => `  ${printable(it)}`)]
}

/** A class as programs read it. */
export function classJson({ mutationClass, evidence }: Classification) {
  return { mutation_class: mutationClass, evidence: evidence.join('; ') }
}
