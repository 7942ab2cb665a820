import { readFileSync } from 'node:fs'
import { describe, test } from 'vitest'
import { copyGoverned } from './hooked-repo.ts'
import type { Repo } from './repo.ts'
import { playRow, readPage } from './transcript.ts'

/** Makes each row of a page a test of its own, in a copy of a repository. */
export function testPage(path: string, template: () => Repo): void {
  const { groups, functions } = readPage(readFileSync(path, 'utf8'))
  for (const group of groups)
    describe(group.title, () => {
      for (const row of group.rows)
        test.concurrent(row.title, async () => {
          await using repo = await copyGoverned(template())
          await playRow(repo, functions, row.steps)
        })
    })
}
