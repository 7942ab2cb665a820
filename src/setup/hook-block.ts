/** The git hooks that kotef takes part in. */
export const HOOKS = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'] as const
export type Hook = (typeof HOOKS)[number]

/** How kotef came into a hook file: the file is kotef's own, or the user had one before. */
export type Origin = 'made' | 'joined'

const BEGIN = '# >>> kotef'
const END = '# <<< kotef'
const WORDS = {
  made: '(`kotef uninit` removes this file, unless more than these lines is in it)',
  joined: '(`kotef uninit` removes these lines)',
} as const

/** Puts the lines that call kotef directly after a script's shebang, or anew where they stand already. */
export function withBlock(text: string, hook: Hook, origin: Origin): string {
  const bare = withoutBlock(text)
  const [shebang = ''] = /^#!.*\n/.exec(bare) ?? []
  return `${shebang}${blockFor(hook, origin)}${bare.slice(shebang.length)}`
}

/** The text as it was before the block came. */
export function withoutBlock(text: string): string {
  const begin = text.search(new RegExp(`^${BEGIN}.*$`, 'm'))
  const end = text.indexOf(`\n${END}\n`, begin)
  return begin === -1 || end === -1 ? text : text.slice(0, begin) + text.slice(end + END.length + 2)
}

/** How kotef came into this text, or null when it is not in it. */
export function originOf(text: string): Origin | null {
  if (withoutBlock(text) === text) return null
  return text.includes(`${BEGIN} ${WORDS.made}`) ? 'made' : 'joined'
}

/** True when `sh` runs this text; a lone shebang without a newline leaves no place after it. */
export function isShell(text: string): boolean {
  if (text.includes('\0')) return false
  if (!text.startsWith('#!')) return true
  return /^#!\s*\S*\/(?:env\s+)?(?:sh|bash|dash|ash|ksh)(?:[ \t][^\r\n]*)?\n/.test(text)
}

/**
 * The block finds the folder that all worktrees share without starting a process, and stands in a subshell, so that
 * neither side can end or change the other.
 */
function blockFor(hook: Hook, origin: Origin): string {
  return `${BEGIN} ${WORDS[origin]}
(
  kotef=\${GIT_DIR:-.git}
  if [ -f "$kotef/commondir" ]; then
    read -r common <"$kotef/commondir"
    case $common in /*) kotef=$common ;; *) kotef=$kotef/$common ;; esac
  fi
  kotef=$kotef/kotef
  ${whenAbsent(hook)}
  . "$kotef/${hook}"${canStop(hook) ? `\n  exit ${FELL_THROUGH}` : ''}
) || ${canStop(hook) ? REFUSED_OR_DAMAGED : 'case $? in 86) exit 86 ;; esac'}
${END}
`
}

// What can stop a commit exits by itself. A script that was cut off or emptied comes back, and never counts as fine.
const FELL_THROUGH = 88

const REFUSED_OR_DAMAGED = `case $? in
  1) exit 1 ;;
  86) exit 86 ;;
  *) [ "\${KOTEF-}" = 0 ] || {
      echo 'kotef: commit stopped, its hook script is damaged.' >&2
      echo '  Run \`npx kotef init\`, or set KOTEF=0 for this once.' >&2
      exit 1
    } ;;
esac`

function canStop(hook: Hook): boolean {
  return hook === 'pre-commit' || hook === 'commit-msg'
}

// The same hook file may come to clones that nobody has set up yet. The two hooks that can stop a commit say so.
function whenAbsent(hook: Hook): string {
  if (!canStop(hook)) return `[ -f "$kotef/${hook}" ] || exit 0`
  return `if [ ! -f "$kotef/${hook}" ]; then
    [ "\${KOTEF-}" != 0 ] || exit 0
    echo 'kotef: commit stopped, kotef is not set up in this clone.' >&2
    echo '  Run \`npx kotef init\`, or set KOTEF=0 for this once.' >&2
    exit 1
  fi`
}
