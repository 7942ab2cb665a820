// Lines of a file, for the tests of pages.

import type { FileLine } from '../../src/shells/ui/pages/file-facts.ts'

/** What differs between the lines of a test. */
type LineWish = {
  readonly intent?: string | null
  readonly type?: 'human' | 'ai' | 'mixed' | 'unknown'
  readonly model?: string
  readonly session?: string | null
  readonly doubt?: 'person' | 'agent'
  readonly commit?: string | null
}

/** A line of a file with its author: committed, and by nobody known unless told. */
export function fileLine(line: number, wish: LineWish = {}): FileLine {
  const { intent = null, type = 'unknown', model, session = null, doubt, commit = 'c'.repeat(40) } = wish
  return {
    ...{ line, commit, by: commit === null ? null : { name: 'Ada', at: 0 }, record: null, how: 'none' },
    author: {
      contributor: { type, ...(model !== undefined && { model_id: model }) },
      ...{ session, intent, attribution: 'unknown', ...(doubt && { doubt }) },
    },
  }
}

/** Consecutive lines, and the text `line N` of each. */
export function fileLines(wishes: readonly LineWish[]) {
  return {
    lines: wishes.map((it, n) => fileLine(n + 1, it)),
    texts: wishes.map((_, n) => `line ${n + 1}`),
  }
}
