const FAILURES = {
  aborted: { exit: 130, hint: 'Nothing was changed.' },
  usage: { exit: 2, hint: 'Run `kotef help` to see every command.' },
  'config-invalid': { exit: 2, hint: 'Correct the lines named above; kotef changed nothing.' },
  'version-needed': { exit: 3, hint: 'Update kotef: `npm i -D kotef-watch@latest`' },
  'registry-invalid': { exit: 2, hint: 'Correct .orchestration/active_intents.yaml; kotef changed nothing.' },
  'unknown-intent': { exit: 2, hint: 'Run `kotef intent list` to see the intents.' },
  'dependency-unmet': { exit: 2, hint: 'Complete the intents named above first.' },
  'illegal-transition': { exit: 2, hint: 'Run `kotef intent show <id>` to see the status of the intent.' },
  'session-locked': { exit: 2, hint: 'Start a new session of the agent, and select the other intent there.' },
  'request-over': { exit: 2, hint: 'Run `kotef approve --list` to see the requests that wait.' },
  'unknown-session': { exit: 2, hint: 'Run `kotef session list` to see the sessions of this worktree.' },
  'unknown-lesson': { exit: 2, hint: 'Run `kotef lesson list` to see the lessons with their ids.' },
  'unknown-handover': { exit: 2, hint: 'Run `kotef handover check` to see the sessions.' },
  'handover-refused': { exit: 2, hint: 'Run `kotef handover status` to see where the session is.' },
  'handover-unmet': { exit: 1, hint: 'Run `kotef handover check` to see every problem of the session.' },
  'handover-blocked': { exit: 3, hint: 'Check the permissions and the free space: `ls -ld`, `df -h`' },
  'lessons-unwritable': { exit: 3, hint: 'Repair the file named above, and run the command again.' },
  'claim-held': { exit: 3, hint: 'Select another intent, or wait until that session ends.' },
  'orchestration-unavailable': { exit: 3, hint: 'Run `kotef doctor` to see what is damaged and how to repair it.' },
  'not-a-repo': { exit: 3, hint: 'Run kotef inside a git repository, or `git init` first.' },
  'registry-missing': {
    exit: 3,
    hint: 'Run `kotef init`, or restore it from git (if sparse: `git sparse-checkout add .orchestration .sdd`).',
  },
  'registry-unreadable': { exit: 3, hint: 'Make .orchestration/active_intents.yaml readable.' },
  'policy-unreadable': { exit: 3, hint: 'Make the file named above readable.' },
  'disk-failed': { exit: 3, hint: 'Check the permissions and the free space: `ls -ld`, `df -h`' },
  'git-failed': { exit: 3, hint: 'Run the git command above yourself to see what git needs.' },
  'ledger-busy': { exit: 3, hint: 'Another kotef is writing. Try again, or run `kotef doctor`.' },
  'ledger-unwritable': { exit: 3, hint: 'Free space on the disk, or make the ledger writable, and try again.' },
  'daemon-running': { exit: 3, hint: 'Run `kotef status` to see it, or `kotef watch --stop` to stop it.' },
  'daemon-not-running': { exit: 3, hint: 'Start it with `npx kotef-watch`.' },
  'daemon-failed': { exit: 3, hint: 'Read daemon.log in the kotef folder of the git directory.' },
  'port-taken': { exit: 3, hint: 'Choose another port, or let the system choose one: `kotef ui`' },
  'ui-failed': { exit: 3, hint: 'Run `kotef doctor`, and then `kotef ui` again.' },
  'export-running': { exit: 3, hint: 'One export to a receiver is enough: wait for that process, or end it.' },
  'export-failed': { exit: 3, hint: 'Run it again when the receiver is ready: it goes on where it stopped.' },
  'watch-limited': { exit: 3, hint: 'Run `kotef explain watch-limited` to see the settings of the system that help.' },
  'flush-timeout': { exit: 3, hint: 'Raise it with `kotef flush --timeout <ms>`, or run `kotef doctor`.' },
  'package-missing': { exit: 3, hint: 'Install kotef-watch again: `npm i -D kotef-watch`' },
  'hooks-damaged': {
    exit: 3,
    hint: 'Run `npx kotef-watch init` to install the hooks again.',
  },
  'hooks-elsewhere': {
    exit: 3,
    hint: 'Run `kotef init`: it installs the hooks in this clone and does not change that folder.',
  },
  'hooks-unwritable': { exit: 3, hint: 'Check its permissions with `ls -ld`, and run `kotef init` again.' },
  'husky-missing': { exit: 3, hint: 'Run `npm i -D husky && npx husky`, or use `kotef init --hooks git`' },
  'agent-config': {
    exit: 3,
    hint: 'Correct the file named above, and run `kotef init` again; kotef changed nothing.',
  },
  'person-needed': {
    exit: 3,
    hint: 'Run `kotef approve` at a terminal yourself; `kotef approve --list` shows what waits for an answer.',
  },
  'range-unknown': { exit: 3, hint: 'Fetch the missing commits with their whole history: `git fetch origin`' },
  'range-empty': {
    exit: 3,
    hint: 'Name a range with commits, or allow an empty one: `kotef verify --allow-empty`',
  },
  'history-shallow': { exit: 3, hint: 'Fetch the whole history: `git fetch --unshallow`, or `fetch-depth: 0` in CI.' },
  bug: { exit: 70, hint: 'This is a bug in kotef. Run again with KOTEF_LOG=debug and report it.' },
} as const satisfies Record<string, { exit: number; hint: string }>

export type FailureCode = keyof typeof FAILURES

/** Every code that kotef can fail with, in the order of the table. */
export const failureCodes = Object.keys(FAILURES) as FailureCode[]

/** An error: kotef can't answer. A broken rule is not an error but a Finding. */
export class KotefError extends Error {
  readonly code: FailureCode
  readonly hint: string
  readonly exit: number

  constructor(code: FailureCode, message: string, more: { hint?: string; cause?: unknown } = {}) {
    super(message, { cause: more.cause })
    this.name = 'KotefError'
    this.code = code
    this.hint = more.hint ?? generalHint(code)
    this.exit = FAILURES[code].exit
  }
}

/** The hint of an error that has none of its own. */
export function generalHint(code: FailureCode): string {
  return FAILURES[code].hint
}

/** Any thrown value as a KotefError, so that one place can print it. */
export function toKotefError(thrown: unknown): KotefError {
  if (isKotefError(thrown)) return thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  const refusal = diskRefusal(thrown)
  if (refusal) return new KotefError('disk-failed', `The disk refused: ${message}`, { cause: thrown, hint: refusal })
  return new KotefError('bug', message, { cause: thrown })
}

// The bundle of agents' hooks has its own copy of the class, and may catch an error of another bundle.
function isKotefError(thrown: unknown): thrown is KotefError {
  return thrown instanceof KotefError || (thrown instanceof Error && thrown.name === 'KotefError' && 'hint' in thrown)
}

// System errors that can stop any program. Other codes, such as ENOENT, are bugs where kotef does not expect them.
const DISK_HINTS: Readonly<Record<string, string>> = {
  EACCES: 'Give yourself permission to read and write it, and try again.',
  EPERM: 'Give yourself permission to read and write it, and try again.',
  EROFS: 'Mount the disk with write access, and try again.',
  ENOSPC: 'Free space on the disk (see `df -h`), and try again.',
  EDQUOT: 'Free space in your quota, and try again.',
  EIO: 'Check the disk: it reports errors (see `dmesg`).',
  EFTYPE: 'Move what is in the place of the file (a pipe, a device) away, and try again.',
  ENXIO: 'Move what is in the place of the file (a pipe, a socket) away, and try again.',
  EFBIG: 'Move the file away if it is not what it should be, and try again.',
  EISDIR: 'Move the directory at that path away, and try again.',
  EEXIST: 'Move the file at that path away, and try again.',
  ENOTDIR: 'Move the file that has the name of a directory away, and try again.',
  ELOOP: 'Remove the circular symbolic link, and try again.',
  EMFILE: 'Allow more open files (see `ulimit -n`), and try again.',
  ENFILE: 'Close programs that hold many files, and try again.',
}

function diskRefusal(thrown: unknown): string | null {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : null
  return typeof code === 'string' ? (DISK_HINTS[code] ?? null) : null
}
