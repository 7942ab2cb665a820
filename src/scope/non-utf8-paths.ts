/**
 * Patterns of git attributes for names that are no UTF-8, or that have U+FFFD in them, which stands for the same once
 * git's answer is read as text: nobody owns such a path. Each takes in a name of a file, or of a folder on the way.
 */
export function nonUtf8Patterns(): string[] {
  return INVALID_SEQUENCES.flatMap(it => [`"${it}"`, `"**/${it}/**"`])
}

// What begins a sequence of 2, 3 and 4 bytes, what continues one, and what does not.
const [L2, L3, L4] = ['[\\302-\\337]', '[\\340-\\357]', '[\\360-\\364]']
const [C, X, ASCII] = ['[\\200-\\277]', '[\\001-\\177\\300-\\377]', '[\\001-\\177]']

const INVALID_SEQUENCES: readonly string[] = [
  '*[\\300\\301\\365-\\377]*',
  // More to continue than was begun.
  ...[`${C}*`, `*${ASCII}${C}*`, `*${L2}${C}${C}*`, `*${L3}${C}${C}${C}*`, `*${L4}${C}${C}${C}${C}*`],
  // Less: the next one begins, or the name ends.
  ...['[\\302-\\364]', `[\\340-\\364]${C}`, `${L4}${C}${C}`].flatMap(it => [`*${it}`, `*${it}${X}*`]),
  // Longer than it must be, half of a pair, and beyond the last.
  ...['*\\340[\\200-\\237]*', '*\\355[\\240-\\277]*', '*\\360[\\200-\\217]*', '*\\364[\\220-\\277]*'],
  '*\\357\\277\\275*',
]
