/**
 * The form of a path in which two names are equal that some file system takes for one file: without case, in Unicode
 * NFC, and without the characters that HFS+ ignores in a name. Git guards `.git` in the same way.
 */
export function foldedPath(path: string): string {
  const known = path.normalize('NFC')
  // Most paths are ASCII, which has none of the characters that need more than this.
  if (/^[ -~]*$/.test(known)) return known.toLowerCase()
  return known.replace(IGNORED, '').toUpperCase().toLowerCase().normalize('NFC')
}

const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

/** A glob of plain characters for git, which matches the same paths without regard to the case of ASCII letters. */
export function caselessGlob(glob: string): string {
  return glob.replace(/[a-z]/gi, it => `[${it.toLowerCase()}${it.toUpperCase()}]`)
}

/**
 * The UTF-8 sequences, for patterns of git, of the other characters that may stand for ASCII ones or for none: long s,
 * the Kelvin sign, ligatures, what HFS+ ignores.
 */
export const FOLDING_SEQUENCES: readonly string[] = [
  '\\303\\237',
  '\\304[\\260\\261]',
  '\\305[\\211\\277]',
  '\\307\\260',
  '\\315\\276',
  '\\341\\272[\\226-\\232]',
  '\\341\\277\\257',
  '\\342\\200[\\214-\\217\\252-\\256]',
  '\\342\\201[\\252-\\257]',
  '\\342\\204\\252',
  '\\357\\254[\\200-\\206]',
  '\\357\\273\\277',
]
