import type { ScopeAttributes } from './attributes.ts'
import { ALWAYS_COMMITTABLE } from '../paths/governance-files.ts'
import { nonUtf8Patterns } from './non-utf8-paths.ts'

/** The input of the hooks' fast path: a worktree, its intent, and the paths that the intent owns. */
export type FastPathFile = {
  readonly root: string
  readonly intent: string
  /** A random word, so that no attribute of the repository has the same name. */
  readonly mark: string
  readonly attributes: ScopeAttributes
}

/**
 * The compiled scope of the only live intent: a file of git attributes, whose first comments the hooks' shell reads. A
 * path that the intent owns has the attribute `in-<mark>`. The last line gives `end-<mark>` to every path, which shows
 * that the file is complete. Null for a worktree whose path has a newline.
 */
export function fastPathText({ root, intent, mark, attributes: { inside, bounds } }: FastPathFile): string | null {
  if (/[\r\n\\]/.test(root)) return null
  const head = [FILE_FORMAT, root, intent, mark].map(it => `# ${it}`)
  // If several lines match a path, the last one counts.
  const lines = [
    ...inside.map(it => `${anchored(it)} in-${mark}`),
    ...[...bounds.map(anchored), ...nonUtf8Patterns()].map(it => `${it} -in-${mark}`),
    ...ALWAYS_COMMITTABLE.map(it => `${anchored(it)} in-${mark}`),
  ]
  return [...head, ...lines, `* end-${mark}`, ''].join('\n')
}

/** The pathspec of the owned paths, for git with the compiled scope as `core.attributesFile`. */
export function insidePathspec({ mark }: Pick<FastPathFile, 'mark'>): string {
  return `:(top,attr:in-${mark} end-${mark})`
}

/** Why an existing compiled scope can't be used in this worktree; null when it can. */
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
