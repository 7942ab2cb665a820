import type { ScopeAttributes } from './attributes.ts'
import { ALWAYS_COMMITTABLE } from '../paths/governance-files.ts'
import { nonUtf8Patterns } from './non-utf8-paths.ts'

/** What the hooks' fast path goes by: for which worktree and intent, and what that may touch. */
export type FastPathFile = {
  readonly root: string
  readonly intent: string
  /** A word that no repository's own attributes can know. */
  readonly mark: string
  readonly attributes: ScopeAttributes
}

/**
 * The compiled scope of the one live intent: a file of git attributes, whose first comments the hooks' shell reads. A
 * path that the intent may touch has `in-` and the mark; the last line gives `end-` and the mark to every path, and so
 * shows that nothing is missing. Null for a worktree whose path takes more than a line.
 */
export function fastPathText({ root, intent, mark, attributes: { inside, bounds } }: FastPathFile): string | null {
  if (/[\r\n\\]/.test(root)) return null
  const head = [FILE_FORMAT, root, intent, mark].map(it => `# ${it}`)
  // Of several lines that match a path the last one holds.
  const lines = [
    ...inside.map(it => `${anchored(it)} in-${mark}`),
    ...[...bounds.map(anchored), ...nonUtf8Patterns()].map(it => `${it} -in-${mark}`),
    ...ALWAYS_COMMITTABLE.map(it => `${anchored(it)} in-${mark}`),
  ]
  return [...head, ...lines, `* end-${mark}`, ''].join('\n')
}

/** The pathspec of what is inside, for a git that is given the compiled scope as `core.attributesFile`. */
export function insidePathspec({ mark }: Pick<FastPathFile, 'mark'>): string {
  return `:(top,attr:in-${mark} end-${mark})`
}

/** What a compiled scope that was found is worth to this worktree: why it can't be used, or null when it can. */
export function fastPathFlaw(text: string, root: string): string | null {
  const [format = '', madeFor = '', , mark = '# '] = text.split('\n')
  if (format !== `# ${FILE_FORMAT}`)
    return /^(?:# )?kotef-active \d/.test(format) ? 'is of another version of kotef' : 'is not as kotef writes it'
  if (!text.trimEnd().endsWith(`\n* end-${mark.slice(2)}`)) return 'is cut off'
  return madeFor === `# ${root}` ? null : 'was made for another worktree'
}

const FILE_FORMAT = 'kotef-active 3'

function anchored(glob: string): string {
  return JSON.stringify(`/${glob}`)
}
