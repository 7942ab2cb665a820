/** The git hooks that kotef takes part in. */
export const GIT_HOOKS = [
  'pre-commit',
  'pre-merge-commit',
  'prepare-commit-msg',
  'commit-msg',
  'post-commit',
  'post-merge',
  'post-rewrite',
  'post-checkout',
  'post-applypatch',
  'pre-push',
] as const
export type GitHook = (typeof GIT_HOOKS)[number]

/** How kotef came into a hook file: the file is kotef's own, or the user had one before. */
export type BlockOrigin = 'made' | 'joined'

const BLOCK_BEGIN = '# >>> kotef'
const BLOCK_END = '# <<< kotef'
const BLOCK_REMARKS = {
  made: '(`kotef uninit` removes this file, unless more than these lines is in it)',
  joined: '(`kotef uninit` removes these lines)',
} as const

/** Puts the lines that call kotef directly after a script's shebang, or anew where they stand already. */
export function withBlock(text: string, hook: GitHook, origin: BlockOrigin): string {
  const bare = withoutBlock(text)
  const [shebang = ''] = /^#!.*\n/.exec(bare) ?? []
  return `${shebang}${blockText(hook, origin)}${bare.slice(shebang.length)}`
}

/** The text as it was before the block came. */
export function withoutBlock(text: string): string {
  const begin = text.search(new RegExp(`^${BLOCK_BEGIN}.*$`, 'm'))
  const end = text.indexOf(`\n${BLOCK_END}\n`, begin)
  return begin === -1 || end === -1 ? text : text.slice(0, begin) + text.slice(end + BLOCK_END.length + 2)
}

/** How kotef came into this text, or null when it is not in it. */
export function blockOrigin(text: string): BlockOrigin | null {
  if (withoutBlock(text) === text) return null
  return text.includes(`${BLOCK_BEGIN} ${BLOCK_REMARKS.made}`) ? 'made' : 'joined'
}

/** True when `sh` runs this text; a lone shebang without a newline leaves no place after it. */
export function isShellScript(text: string): boolean {
  if (text.includes('\0')) return false
  if (!text.startsWith('#!')) return true
  return /^#!\s*\S*\/(?:env\s+)?(?:sh|bash|dash|ash|ksh)(?:[ \t][^\r\n]*)?\n/.test(text)
}

/**
 * The same call for git's own config, which git runs as a shell's command line with its arguments put after it. What
 * git says on stdin goes to each hook anew, so nothing has to be said again.
 */
export function gitHookCommand(hook: GitHook): string {
  return [...hookCallLines(hook), ':'].join('\n')
}

/**
 * The block finds the folder that all worktrees share without starting a process, and stands in a subshell, so that
 * neither side can end or change the other. What git says on stdin is read once, and said to both.
 */
function blockText(hook: GitHook, origin: BlockOrigin): string {
  const reads = hook === 'post-rewrite' || hook === 'pre-push'
  const lines = [
    `${BLOCK_BEGIN} ${BLOCK_REMARKS[origin]}`,
    ...(reads ? [`kotef_input=$(while IFS= read -r line; do printf '%s\\n' "$line"; done)`] : []),
    ...hookCallLines(hook, reads ? INPUT_DOCUMENT : []),
    ...(reads ? [RESTORE_INPUT] : []),
    BLOCK_END,
    '',
  ]
  return lines.join('\n')
}

const INPUT_DOCUMENT = ['$kotef_input', 'KOTEF_INPUT']

function hookCallLines(hook: GitHook, input: readonly string[] = []): string[] {
  const act = STOPPED_ACTIONS[hook]
  return [
    'kotef_exit=0',
    '(',
    FIND_KOTEF_FOLDER,
    act ? notSetUpLines(hook, act) : `  [ -f "$kotef/${hook}" ] || exit 0`,
    `  . "$kotef/${hook}"`,
    ...(act ? [`  exit ${EXIT_FELL_THROUGH}`] : []),
    input.length > 0 ? ') <<KOTEF_INPUT || kotef_exit=$?' : ') || kotef_exit=$?',
    ...input,
    act ? exitCodeLines(act) : 'case $kotef_exit in 86) exit 86 ;; esac',
  ]
}

/** What a hook can stop; the others come after the fact, or must stop nothing. */
const STOPPED_ACTIONS: Readonly<Partial<Record<GitHook, string>>> = {
  'pre-commit': 'commit',
  'commit-msg': 'commit',
  'pre-merge-commit': 'merge',
  'pre-push': 'push',
}

// Git names its folder but in the main worktree, and when it has just made a linked one: there `.git` is a file.
const FIND_KOTEF_FOLDER = `  kotef=\${GIT_DIR:-.git}
  [ ! -f "$kotef" ] || read -r _ kotef <"$kotef" || :
  if [ -f "$kotef/commondir" ]; then
    read -r common <"$kotef/commondir"
    case $common in /*) kotef=$common ;; *) kotef=$kotef/$common ;; esac
  fi
  kotef=$kotef/kotef`

// What can stop git exits by itself. A script that was cut off or emptied comes back, and never counts as fine.
const EXIT_FELL_THROUGH = 88

// The same hook file may come to clones that nobody has set up yet. The hooks that can stop git say so.
function notSetUpLines(hook: GitHook, act: string): string {
  return `  if [ ! -f "$kotef/${hook}" ]; then
    [ "\${KOTEF-}" != 0 ] || exit 0
    echo 'kotef: ${act} stopped, kotef is not set up in this clone.' >&2
    echo '  Run \`npx kotef init\`, or set KOTEF=0 for this once.' >&2
    exit 1
  fi`
}

function exitCodeLines(act: string): string {
  return `case $kotef_exit in
  0) ;;
  1) exit 1 ;;
  86) exit 86 ;;
  *) [ "\${KOTEF-}" = 0 ] || {
      echo 'kotef: ${act} stopped, its hook script is damaged.' >&2
      echo '  Run \`npx kotef init\`, or set KOTEF=0 for this once.' >&2
      exit 1
    } ;;
esac`
}

const RESTORE_INPUT = `if [ -n "$kotef_input" ]; then
  exec <<KOTEF_INPUT
$kotef_input
KOTEF_INPUT
else
  exec </dev/null
fi`
