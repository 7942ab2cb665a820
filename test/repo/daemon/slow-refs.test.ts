import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { type OperationRepo, operationRepo } from '../../rig/operation-repo.ts'

const operated = fixture(async () => {
  const operated = await operationRepo()
  await addHook(operated, 'slow/reference-transaction', 'sleep 0.15')
  const isUntracked = 'test -f src/deep/file && test -z "$(git ls-files src/deep/file)"'
  await addHook(operated, 'between/post-index-change', `if ${isUntracked}; then sleep 0.15; fi`)
  return operated
})

async function addHook({ repo }: Pick<OperationRepo, 'repo'>, path: string, script: string): Promise<void> {
  const hook = join(repo.base, path)
  await mkdir(dirname(hook))
  await writeFile(hook, `#!/bin/sh\n${script}\n`)
  await chmod(hook, 0o755)
}

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
  expect(await operated().recordsOf({ typed, run })).toEqual([])
})

test('what is told of while git puts it into a stash is no loss when git takes it away', async () => {
  const reported = await operated().recordsOf({ run: 'echo TEXT > src/untracked; slowly stash -q -u' })
  expect(reported).toEqual([['create', 'untracked', [1, 1]]])
})

test('what a merge that fails puts back and takes away again, step by step, is no write', async () => {
  const typed = 'git rm -q src/deep/file; line 3 TEXT b; git add -A'
  const run = 'stops git -c core.hooksPath=../between merge other'
  expect(await operated().recordsOf({ typed, run })).toEqual([])
})
