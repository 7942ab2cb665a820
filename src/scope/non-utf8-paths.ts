/**
 * Patterns of git attributes for names that are not UTF-8, and for names with U+FFFD, which replaces invalid bytes when
 * git's output is decoded. No scope owns such a path. Each pattern matches a file's name, or a folder's on its path.
 */
export function nonUtf8Patterns(): string[] {
  return INVALID_SEQUENCES.flatMap(it => [`"${it}"`, `"**/${it}/**"`])
}

// The first byte of a sequence of 2, 3 and 4 bytes, a continuation byte, and any other byte.
const [L2, L3, L4] = ['[\\302-\\337]', '[\\340-\\357]', '[\\360-\\364]']
const [C, X, ASCII] = ['[\\200-\\277]', '[\\001-\\177\\300-\\377]', '[\\001-\\177]']

const INVALID_SEQUENCES: readonly string[] = [
  '*[\\300\\301\\365-\\377]*',
  // Too many continuation bytes.
  ...[`${C}*`, `*${ASCII}${C}*`, `*${L2}${C}${C}*`, `*${L3}${C}${C}${C}*`, `*${L4}${C}${C}${C}${C}*`],
  // Too few: the next sequence begins, or the name ends.
  ...['[\\302-\\364]', `[\\340-\\364]${C}`, `${L4}${C}${C}`].flatMap(it => [`*${it}`, `*${it}${X}*`]),
  // Overlong forms, surrogates, and code points above U+10FFFF.
  ...['*\\340[\\200-\\237]*', '*\\355[\\240-\\277]*', '*\\360[\\200-\\217]*', '*\\364[\\220-\\277]*'],
  '*\\357\\277\\275*',
]
