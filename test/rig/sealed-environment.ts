import { mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Dates of the first command in a rig: 2026-01-01T00:00:00Z. Each further command is one second later. */
export const FIRST_SECOND = 1_767_225_600

/** The whole environment of what a test starts: nothing of the machine's own settings, and no real clock for git. */
export function sealedEnvironment({ home, bin, second = 0 }: { home: string; bin?: string; second?: number }) {
  const date = `${FIRST_SECOND + second} +0000`
  const temporary = join(home, 'tmp')
  mkdirSync(temporary, { recursive: true })
  return {
    PATH: [bin, process.env['PATH']].filter(Boolean).join(delimiter),
    HOME: home,
    TMPDIR: temporary,
    TZ: 'UTC',
    LC_ALL: 'C',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'Ada Author',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: 'Cora Committer',
    GIT_COMMITTER_EMAIL: 'cora@example.com',
    GIT_COMMITTER_DATE: date,
    GIT_EDITOR: ':',
  }
}
