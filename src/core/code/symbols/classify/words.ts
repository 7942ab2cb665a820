/** Matches a text with one of these words; they are parts of a regular expression, divided by spaces. */
export function anyWordOf(words: string, flags = ''): RegExp {
  return new RegExp(`\\b(?:${words.split(' ').join('|')})\\b`, flags)
}

/** Matches one of these words alone; they are parts of a regular expression, divided by spaces. */
export function onlyWordOf(words: string): RegExp {
  return new RegExp(`^(?:${words.split(' ').join('|')})$`)
}
