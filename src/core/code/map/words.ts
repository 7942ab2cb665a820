/** The words of a name, a path or a sentence, as stems in lower case: `chargeCard_v2` has charg, card, v and 2. */
export function wordsOf(text: string): string[] {
  const parts = text.match(WORD) ?? []
  return parts.map(it => stemOf(it.toLowerCase()))
}

/** The words of a declaration's name, and those of the containers before it. */
export function qualifiedWords(qualified: string): { readonly own: string[]; readonly container: string[] } {
  const dot = qualified.lastIndexOf('.')
  return { own: wordsOf(qualified.slice(dot + 1)), container: wordsOf(qualified.slice(0, Math.max(dot, 0))) }
}

/** A word of a question: as it was asked, and its stem. */
export type AskedWord = { readonly word: string; readonly stem: string }

/** The words of a question, without those that say nothing of what is looked for; all, if there are no others. */
export function askedWords(question: string): AskedWord[] {
  const asked = (question.match(WORD) ?? []).map(it => it.toLowerCase()).map(word => ({ word, stem: stemOf(word) }))
  const each = asked.filter((it, n) => asked.findIndex(({ stem }) => stem === it.stem) === n)
  const meaningful = each.filter(it => !EMPTY_WORDS.has(it.stem))
  return meaningful.length > 0 ? meaningful : each
}

/** How a word of a question matches one of a text: the higher, the better; 0 for not at all. */
export function matchOf(asked: string, word: string): number {
  if (word === asked) return 3
  if (asked.length < FRAGMENT_CHARS_MIN) return 0
  if (word.startsWith(asked)) return 2
  return word.includes(asked) ? 1 : 0
}

/** The names of these grades. */
export const MATCH_NAMES = ['none', 'part', 'prefix', 'exact'] as const

// Acronyms before a word (`HTTPServer`), words with their capital, capitals alone, numbers.
const WORD = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{Lu}+|\p{N}+/gu

// Shorter words are within too many others.
const FRAGMENT_CHARS_MIN = 3

/** The plural and the endings of verbs make no other word: `charge`, `charges`, `charged` and `charging` are one. */
function stemOf(word: string): string {
  const [ending, instead] = ENDINGS.find(([it]) => word.length - it.length >= STEM_CHARS_MIN && word.endsWith(it)) ?? []
  if (ending === undefined) return withoutSilentE(word)
  const stem = word.slice(0, -ending.length) + instead
  return ending === 'ing' || ending === 'ed' ? withoutDouble(stem) : withoutSilentE(stem)
}

const ENDINGS = [
  ['ies', 'y'],
  ['sses', 'ss'],
  ['ss', 'ss'],
  ['us', 'us'],
  ['ing', ''],
  ['ed', ''],
  ['s', ''],
] as const
const STEM_CHARS_MIN = 3

// `stopping` has the stem of `stop`, and `calling` that of `call`.
function withoutDouble(stem: string): string {
  return /([bdgmnprt])\1$/.test(stem) ? stem.slice(0, -1) : stem
}

function withoutSilentE(word: string): string {
  return word.length > STEM_CHARS_MIN && word.endsWith('e') ? word.slice(0, -1) : word
}

const EMPTY_WORDS = new Set(
  wordsOf(
    'a an the is are was be of for in on at to into from by with and or where what which who how when does do did ' +
      'it its this that there logic code',
  ),
)
