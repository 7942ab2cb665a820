import type { ScopeAttributes } from './attributes.ts'
import { caselessGlob, FOLDING_SEQUENCES } from '../../base/folded-path.ts'
import { ALWAYS_COMMITTABLE } from '../../base/governance-files.ts'

/** The input of the hooks' fast path: a worktree, its intent, and the paths that the intent owns. */
export type FastPathFile = {
  readonly root: string
  readonly intent: string
  /** The `branchLine` of the branch whose own intent it is, or `ANY_HEAD`. */
  readonly head: string
  /** A random word, so that no attribute of the repository has the same name. */
  readonly mark: string
  readonly attributes: ScopeAttributes
}

/**
 * The compiled scope of the only live intent, or else of the branch's own: a file of git attributes, whose first
 * comments the hooks' shell reads. A path that the intent owns has the attribute `in-<mark>`. The last line gives
 * `end-<mark>` to every path, which shows that the file is complete. Null for a worktree whose path has a newline.
 */
export function fastPathText({
  root,
  intent,
  head: branch,
  mark,
  attributes: { inside, bounds },
}: FastPathFile): string | null {
  if (/[\r\n\\]/.test(root)) return null
  const head = [FILE_FORMAT, root, intent, mark, branch].map(it => `# ${it}`)
  // If several lines match a path, the last one counts.
  const lines = [
    ...inside.map(it => `${anchored(it)} in-${mark}`),
    ...[...closedPatterns(bounds), ...nonUtf8Patterns()].map(it => `${it} -in-${mark}`),
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

/** In place of a branch: the scope is that of a live session, whatever branch is checked out. */
export const ANY_HEAD = '*'

/**
 * The line by which the shell knows the branch: the HEAD file's only one. Empty where there is no such line: HEAD is
 * detached, or references are kept in tables.
 */
export function branchLine(headFile: string | null): string {
  const line = headFile?.trimEnd() ?? ''
  return /^ref: refs\/heads\/(?!\.invalid$)\S+$/.test(line) ? line : ''
}

/** The intent that a compiled scope is of, and the HEAD that it holds for; null for a text that is not one. */
export function fastPathSubject(text: string): Pick<FastPathFile, 'intent' | 'head'> | null {
  const [format, , intent, , head] = text.split('\n', 5).map(it => it.slice(2))
  return format === FILE_FORMAT && intent && head ? { intent, head } : null
}

const FILE_FORMAT = 'kotef-active 5'

// What bounds a scope, bounds it in every spelling that a file system may take for the same name. Node judges again.
function closedPatterns(bounds: readonly string[]): string[] {
  const foldings = bounds.length === 0 ? [] : FOLDING_SEQUENCES
  return [...bounds.map(it => anchored(caselessGlob(it))), ...foldings.flatMap(it => anywhere(`*${it}*`))]
}

// Matches a file's name, or a folder's on its path.
function anywhere(pattern: string): string[] {
  return [`"${pattern}"`, `"**/${pattern}/**"`]
}

function anchored(glob: string): string {
  return JSON.stringify(`/${glob}`)
}

/**
 * Patterns of git attributes for names that are not UTF-8, and for names with U+FFFD, which replaces invalid bytes when
 * git's output is decoded. No scope owns such a path.
 */
export function nonUtf8Patterns(): string[] {
  return INVALID_SEQUENCES.flatMap(anywhere)
}

// The first byte of a sequence of 2, 3 and 4 bytes, a continuation byte, and any other byte.
const L2 = '[\\302-\\337]'
const L3 = '[\\340-\\357]'
const L4 = '[\\360-\\364]'
const C = '[\\200-\\277]'
const X = '[\\001-\\177\\300-\\377]'
const ASCII = '[\\001-\\177]'

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
