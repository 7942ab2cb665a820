import { CONFIG_PATH } from '../../../core/base/governance-files.ts'

/** The git hooks that call kotef. */
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

/** Whether kotef made a hook file, or joined one of the user's. */
export type BlockOrigin = 'made' | 'joined'

/** The command that sets up a clone; npx finds the package also where nothing is installed yet. */
export const INIT_ANYWHERE = 'npx kotef-watch init'

/** The shell's question whether hooks stop in a clone without kotef. The stricter of HEAD and the worktree wins. */
export const UNSET_CLONES_BLOCK = ['HEAD ', '']
  .map(it => `git grep -qE "^unset_clones *: *.?block" ${it}-- :/${CONFIG_PATH} 2>/dev/null`)
  .join(' || ')

const BLOCK_BEGIN = '# >>> kotef'
const BLOCK_END = '# <<< kotef'
const BLOCK_REMARKS = {
  made: '(`kotef uninit` removes this file, unless more than these lines is in it)',
  joined: '(`kotef uninit` removes these lines)',
} as const

/** A script with the lines that call kotef: directly after the shebang, or in place of its present ones. */
export function withBlock(text: string, hook: GitHook, origin: BlockOrigin): string {
  const bare = withoutBlock(text)
  const [shebang = ''] = /^#!.*\n/.exec(bare) ?? []
  return `${shebang}${blockText(hook, origin)}${bare.slice(shebang.length)}`
}

/** The text without the block. */
export function withoutBlock(text: string): string {
  const begin = text.search(new RegExp(`^${BLOCK_BEGIN}.*$`, 'm'))
  const end = text.indexOf(`\n${BLOCK_END}\n`, begin)
  return begin === -1 || end === -1 ? text : text.slice(0, begin) + text.slice(end + BLOCK_END.length + 2)
}

/** The origin of the block in this text, or null without one. */
export function blockOrigin(text: string): BlockOrigin | null {
  if (withoutBlock(text) === text) return null
  return text.includes(`${BLOCK_BEGIN} ${BLOCK_REMARKS.made}`) ? 'made' : 'joined'
}

/** True when `sh` runs this text. A lone shebang needs its newline, after which the block goes. */
export function isShellScript(text: string): boolean {
  if (text.includes('\0')) return false
  if (!text.startsWith('#!')) return true
  return /^#!\s*\S*\/(?:env\s+)?(?:sh|bash|dash|ash|ksh)(?:[ \t][^\r\n]*)?\n/.test(text)
}

/**
 * The call for a hook in git's config, which git runs as a shell command with the hook's arguments after it. Each
 * configured hook gets git's stdin of its own, so it does not have to be copied as in a hook file.
 */
export function gitHookCommand(hook: GitHook): string {
  return [...hookCallLines(hook), ':'].join('\n')
}

/**
 * The block finds the folder shared by all worktrees without starting a process. It runs in a subshell, so that kotef's
 * lines and the user's can't end or change each other. It reads git's stdin once, and passes it to both.
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
    act ? unsetCloneLines(hook, act) : `  [ -f "$kotef/${hook}" ] || exit 0`,
    `  . "$kotef/${hook}"`,
    ...(act ? [`  exit ${EXIT_FELL_THROUGH}`] : []),
    input.length > 0 ? ') <<KOTEF_INPUT || kotef_exit=$?' : ') || kotef_exit=$?',
    ...input,
    act ? exitCodeLines(act) : 'case $kotef_exit in 86) exit 86 ;; esac',
  ]
}

/** The action that a hook can stop. The other hooks run after the fact, or must not stop it. */
const STOPPED_ACTIONS: Readonly<Partial<Record<GitHook, string>>> = {
  'pre-commit': 'commit',
  'commit-msg': 'commit',
  'pre-merge-commit': 'merge',
  'pre-push': 'push',
}

// Git sets GIT_DIR except in the main worktree, and right after it made a linked one, where `.git` is a file.
const FIND_KOTEF_FOLDER = `  kotef=\${GIT_DIR:-.git}
  [ ! -f "$kotef" ] || read -r _ kotef <"$kotef" || :
  if [ -f "$kotef/commondir" ]; then
    read -r common <"$kotef/commondir"
    case $common in /*) kotef=$common ;; *) kotef=$kotef/$common ;; esac
  fi
  kotef=$kotef/kotef`

// A script of a hook that can stop git ends by `exit`. One that returns was cut off or emptied, so it stops git.
const EXIT_FELL_THROUGH = 88

/**
 * A tracked hook file also gets into clones without `kotef init`. There git goes on and one hook of each act prints a
 * line, unless the config has `unset_clones: block`. A clone with a part of the programs is damaged.
 */
function unsetCloneLines(hook: GitHook, act: string): string {
  const passing = `kotef: not set up in this clone, so it did not check this ${act}: \`${INIT_ANYWHERE}\``
  return `  if [ ! -f "$kotef/${hook}" ]; then
    [ ! -f "$kotef/hook.cjs" ] || exit ${EXIT_FELL_THROUGH}
    [ "\${KOTEF-}" != 0 ] || exit 0
    if ${UNSET_CLONES_BLOCK}; then
      echo 'kotef: ${act} stopped, kotef is not set up in this clone.' >&2
      echo '  Run \`${INIT_ANYWHERE}\`' >&2
      exit 1
    fi
    ${hook === 'commit-msg' ? '' : `echo '${passing}' >&2; `}exit 0
  fi`
}

function exitCodeLines(act: string): string {
  return `case $kotef_exit in
  0) ;;
  1) exit 1 ;;
  86) exit 86 ;;
  *) [ "\${KOTEF-}" = 0 ] || {
      echo 'kotef: ${act} stopped, its hook script is damaged.' >&2
      echo '  Run \`${INIT_ANYWHERE}\`' >&2
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
