import { endsInTrailersOf, isCombined, trailersAnywhere } from './combined.ts'
import { trailersOf, valuesOf } from './read.ts'

/** The intents that a message cites where that counts, and those that it names where no program finds a trailer. */
export type Citation = { readonly cited: readonly string[]; readonly misplaced: readonly string[] }

/**
 * What a message cites. Who squashes at a button puts whole messages one below the other, and `Co-authored-by:` below
 * them all; so each of their blocks counts. In any other message only the last paragraphs do, as for git.
 */
export function citationIn(message: string): Citation {
  const block = valuesOf(trailersOf(message), KEY)
  const counts = block.length > 0 || isCombined(message) || endsInTrailersOf(message, KEY)
  const anywhere = valuesOf(trailersAnywhere(message), KEY).filter(it => it !== '')
  if (counts) return { cited: [...new Set([...block, ...anywhere])], misplaced: [] }
  const named = [...message.matchAll(LINE)].map(([, value = '']) => value.trim())
  return { cited: [], misplaced: [...new Set(named)] }
}

const KEY = 'Intent-ID'
const LINE = /^[ \t]*Intent-ID[ \t]*:(.*)$/gim
