/** What an intent has of a file: a declaration, or the file where none of its declarations is known. */
export type MapEntry = {
  readonly intent: string
  readonly path: string
  /** The kind of the declaration, or `file`. */
  readonly kind: string
  /** The declaration's name after those of its containers; empty for a file. */
  readonly name: string
  /** The hash of the declaration's own lines, or of the file's. */
  readonly hash: string
  /** Abbreviated commits of the intent that made these lines, oldest first. */
  readonly commits: readonly string[]
}

/** The canonical order: by intent, path, name, kind and hash. Nothing in it depends on where a declaration stands. */
export function compareEntries(one: MapEntry, other: MapEntry): number {
  return (
    compareIntents(one.intent, other.intent) ||
    compareTexts(one.path, other.path) ||
    compareTexts(one.name, other.name) ||
    compareTexts(one.kind, other.kind) ||
    compareTexts(one.hash, other.hash)
  )
}

/** Compares ids of intents: by prefix, then by number. */
export function compareIntents(one: string, other: string): number {
  const [, prefix = one, number = '0'] = /^(.*?)-(\d+)$/.exec(one) ?? []
  const [, otherPrefix = other, otherNumber = '0'] = /^(.*?)-(\d+)$/.exec(other) ?? []
  return compareTexts(prefix, otherPrefix) || Number(number) - Number(otherNumber) || compareTexts(one, other)
}

/** Compares texts by their code units, on every machine alike. */
export function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
