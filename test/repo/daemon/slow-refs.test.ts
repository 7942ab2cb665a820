import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Operated, operatedRepo } from '../../rig/operated.ts'

let operated: Operated
beforeAll(async () => {
  operated = await operatedRepo()
  const folder = join(operated.repo.base, 'slow')
  await mkdir(folder)
  await writeFile(join(folder, 'reference-transaction'), '#!/bin/sh\nsleep 0.15\n')
  await chmod(join(folder, 'reference-transaction'), 0o755)
})
afterAll(() => operated[Symbol.asyncDispose]())

/** What git does to the tree some time before HEAD tells of it: a hook of references is in between. */
const slow: Readonly<Record<string, string>> = {
  'a reset': 'save typed; slowly reset -q --hard HEAD~1',
  'a switch': 'save typed; slowly switch -q main; slowly switch -q -',
  'a switch and a new branch': 'save typed; slowly switch -q --detach main; slowly switch -q -c again work',
  'a merge': 'save typed; slowly merge -q --no-edit other',
  'a merge that only moves on': 'git add -A; git commit -qm typed; slowly switch -q main; slowly merge -q ahead',
  'a cherry-pick': 'save typed; slowly cherry-pick other~1',
  'a revert': 'save typed; slowly revert --no-edit HEAD',
  'a rebase': 'save typed; slowly rebase -q other',
  'a stash': 'slowly stash -q -u; slowly stash pop -q',
  'a stash of what is staged': 'git add -A; slowly stash -q; slowly stash pop -q --index',
}

test.each(Object.entries(slow))('%s is no write, however long git takes over it', async (_, run) => {
  const typed = 'echo TEXT > src/typed; line 3 TEXT b'
  expect(await operated.recordsOf({ typed, run })).toEqual([])
})
