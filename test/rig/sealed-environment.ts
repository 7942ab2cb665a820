// The environment of everything that starts git: a HOME of the rig, dates that step by one second, no settings.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
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
    // A daemon starts only where a test starts it.
    KOTEF_AUTOSTART: '0',
    GIT_TEMPLATE_DIR: gitTemplate(),
  }
}

/** What a new repository begins with: no sample hooks to copy, and no look after each commit for housekeeping to do. */
function gitTemplate(): string {
  const template = join(process.env['KOTEF_TEST_RUN'] ?? tmpdir(), 'git-template')
  if (existsSync(join(template, 'config'))) return template
  for (const folder of ['hooks', 'info']) mkdirSync(join(template, folder), { recursive: true })
  writeFileSync(join(template, 'info/exclude'), '# Paths that this clone alone ignores.\n')
  writeFileSync(join(template, 'config'), '[maintenance]\n\tauto = false\n')
  return template
}
