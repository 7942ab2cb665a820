import { expect } from 'vitest'
import { commandsIn } from './history.ts'
import { copyOf } from './hooked.ts'
import type { Repo } from './repo.ts'

/** A row of a table: what is promised, the commands of a shell that show it, and what they print. */
export type Promised = readonly [promise: string, commands: string, printed: string]

/** Shows that a row keeps its promise in a copy of a repository. A command that fails says so in the row: `|| :`. */
export function keptIn(template: () => Repo) {
  return async (...[, commands, printed]: Promised): Promise<void> => {
    await using repo = await copyOf(template())
    const { code, stdout, stderr } = await commandsIn(repo, commands)
    expect({ code, stdout: stdout.replace(/\n$/, '') }, stderr).toEqual({ code: 0, stdout: printed })
    expect(stderr).not.toContain('kotef')
  }
}
