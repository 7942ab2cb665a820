import { endsInTrailers, isCombined, trailersInAnyParagraph } from './combined-messages.ts'
import { parseTrailers, trailerValues } from './parse-trailers.ts'

/** The intents that a message cites in trailers, and those that it names where no program finds a trailer. */
export type Citation = { readonly cited: readonly string[]; readonly misplaced: readonly string[] }

/**
 * The intents that a message cites. A forge that squashes commits writes their whole messages one below the other, and
 * `Co-authored-by:` at the end, so each of their trailer blocks counts. In any other message only the last paragraph
 * counts, as for git.
 */
export function citationIn(message: string): Citation {
  const block = trailerValues(parseTrailers(message), INTENT_KEY)
  const counts = block.length > 0 || isCombined(message) || endsInTrailers(message, INTENT_KEY)
  const anywhere = trailerValues(trailersInAnyParagraph(message), INTENT_KEY).filter(it => it !== '')
  if (counts) return { cited: [...new Set([...block, ...anywhere])], misplaced: [] }
  const misplaced = [...message.matchAll(CITATION_LINE)].map(([, value = '']) => value.trim())
  return { cited: [], misplaced: [...new Set(misplaced)] }
}

const INTENT_KEY = 'Intent-ID'
const CITATION_LINE = /^[ \t]*Intent-ID[ \t]*:(.*)$/gim
