import { type Arg, plainSource } from './arguments.ts'

/** True when a git command changes, or may change, the references that kotef keeps: claims, notes, those of remotes. */
export function changesOwnRefs(verb: string, rest: readonly Arg[]): boolean {
  const words = rest.map(plainSource)
  if (verb === 'notes') return notesRefs(words).some(isOwnNotes)
  if ((verb === 'remote' || verb === 'push') && words.some(it => MIRROR.test(it))) return true
  if (REFSPEC_COMMANDS.has(verb)) return words.some(it => isOwnRef(it) || writesOwnRefs(it))
  return REF_COMMANDS.has(verb) && words.some(it => isOwnRef(it))
}

/** True for a value of a setting (`remote.<name>.fetch`, `core.notesRef`) by which a later command changes them. */
export function isOwnRefsSetting(name: string, value: string): boolean {
  if (/\.mirror$/i.test(name)) return !/^(?:false|no|off|0|)$/i.test(value)
  return isOwnRef(value) || (/\.(?:fetch|push)$/i.test(name) && writesOwnRefs(value))
}

const REFSPEC_COMMANDS: ReadonlySet<string> = new Set(['push', 'fetch', 'pull'])
const REF_COMMANDS: ReadonlySet<string> = new Set(['update-ref', 'symbolic-ref', 'replace', 'for-each-ref', 'refs'])
// Git takes any beginning of a long option for it that is not the beginning of another one.
const MIRROR = /^--m(?:i(?:r(?:r(?:or?)?)?)?)?(?:$|=)/

function isOwnRef(word: string): boolean {
  return /refs\/kotef|notes\/kotef|(?:^|:)\+?kotef(?:\/|$)/.test(word)
}

/** The notes that the options of `git notes` select: `--ref=x` and `--ref x`, also shortened. */
function notesRefs(words: readonly string[]): string[] {
  return words.flatMap((it, n) => {
    const [, value] = /^--r(?:ef?)?(?:=([^]*))?$/.exec(it) ?? [null, null]
    return value === null ? [] : [value ?? words[n + 1] ?? '']
  })
}

function isOwnNotes(name: string): boolean {
  return /^(?:refs\/)?(?:notes\/)?kotef(?:\/|$)/.test(name)
}

/** True for a refspec whose right side, or whole, is a pattern that a reference of kotef's matches. */
function writesOwnRefs(word: string): boolean {
  // `--refmap=` has one as its value.
  const refspec = word.replace(/^--[\w-]+=/, '')
  const written = refspec.slice(refspec.lastIndexOf(':') + 1).replace(/^\+/, '')
  const star = written.indexOf('*')
  if (star === -1 || refspec.startsWith('^')) return false
  const before = written.slice(0, star)
  const after = written.slice(star + 1)
  const isBelow = before.startsWith(CLAIMS) || before.startsWith(NOTES)
  const isAbove = CLAIMS.startsWith(before) || (NOTES.startsWith(before) && NOTES.endsWith(after))
  return isBelow || isAbove
}

const CLAIMS = 'refs/kotef/'
const NOTES = 'refs/notes/kotef'
