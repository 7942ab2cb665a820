import { expect } from 'vitest'
import { runCommands } from './judged-repo.ts'
import { copyGoverned } from './hooked-repo.ts'
import type { Repo } from './repo.ts'

/** A row of a table: what is promised, the commands of a shell that show it, and what they print. */
export type ShellRow = readonly [promise: string, commands: string, printed: string]

/** Shows that a row keeps its promise in a copy of a repository. A command that fails says so in the row: `|| :`. */
export function checkShellRow(template: () => Repo) {
  return async (...[, commands, printed]: ShellRow): Promise<void> => {
    await using repo = await copyGoverned(template())
    const { code, stdout, stderr } = await runCommands(repo, commands)
    expect({ code, stdout: stdout.replace(/\n$/, '') }, stderr).toEqual({ code: 0, stdout: printed })
    expect(stderr).not.toContain('kotef')
  }
}
