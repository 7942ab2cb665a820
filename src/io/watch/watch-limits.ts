/** True for the system's error codes that mean that watches, open files or memory are exhausted. */
export function isWatchLimit(code: string | null): code is string {
  return code !== null && code in FIXES
}

/** The command that raises the limit. */
export function watchLimitFix(code: string): string {
  return FIXES[code] ?? FIXES['ENOSPC'] ?? ''
}

const FIXES: Readonly<Record<string, string>> = {
  ENOSPC: 'sudo sysctl fs.inotify.max_user_watches=1048576',
  EMFILE: 'sudo sysctl fs.inotify.max_user_instances=1024',
  ENFILE: 'sudo sysctl fs.file-max=2097152',
  ENOMEM: 'sudo sysctl fs.inotify.max_user_watches=1048576',
}
