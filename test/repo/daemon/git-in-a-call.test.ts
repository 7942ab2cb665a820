import { expect, test } from 'vitest'
import { repoWithHistory, runInCall, runInShell, reportedOf, watchedHistory } from '../../rig/agent-calls.ts'
import { ledgerRecords } from '../../rig/agent-hooks.ts'
import { fixture } from '../../rig/fixture.ts'

const watched = fixture(watchedHistory)

// What git itself puts there in a call is not the agent's, as long as HEAD, the index, a merge or a stash explains it.
const BY_GIT: readonly (readonly [name: string, before: string, command: string])[] = [
  ['a switch', ':', 'git switch -q other'],
  ['a switch there and back', ':', 'git switch -q other; git switch -q -'],
  ['a detached checkout', ':', 'git checkout -q HEAD~1'],
  ['a hard reset', ':', 'git reset -q --hard HEAD~1'],
  ['a fast-forward', 'git reset -q --hard base', 'git merge -q --ff-only other'],
  ['a merge', ':', 'git -c core.hooksPath=/dev/null merge -q --no-edit other'],
  ['a merge that is not committed', ':', 'git merge -q --no-commit other'],
  ['a squash', ':', 'git merge -q --squash other'],
  ['a pick', ':', 'git -c core.hooksPath=/dev/null cherry-pick other'],
  ['a pick that is not committed', ':', 'git cherry-pick -n other'],
  ['a revert', ':', 'git -c core.hooksPath=/dev/null revert --no-edit HEAD'],
  ['a revert that is not committed', ':', 'git revert -n HEAD'],
  ['a rebase', ':', 'git -c core.hooksPath=/dev/null rebase -q other'],
  ['a stash, there and back', 'echo TEXT > lib/tax', 'git stash -q; git stash pop -q'],
  ['a stash from before', 'echo TEXT > lib/tax\ngit stash -q', 'git stash pop -q'],
  ['a restored file', 'echo TEXT > lib/tax', 'git checkout -q -- lib/tax'],
  ['a restored file that was staged', 'echo TEXT > lib/tax; git add lib', 'git restore -SW lib/tax'],
]

test.for(BY_GIT)('%s in a call is git’s, under a daemon', async ([, before, command]) => {
  const records = await watched().recordsOf(command, before)
  expect([...reportedOf(records, 'lib/tax'), ...reportedOf(records, 'lib/auth')]).toEqual([])
})

test.for(BY_GIT)('%s in a call is git’s, where nobody watches', async ([, before, command]) => {
  await using repo = await repoWithHistory()
  for (const line of before === ':' ? [] : before.split('\n')) {
    await runInShell(repo, line)
    await runInCall(repo, ':')
  }
  const known = (await ledgerRecords(repo)).length
  await runInCall(repo, command)
  const records = (await ledgerRecords(repo)).slice(known)
  expect([...reportedOf(records, 'lib/tax'), ...reportedOf(records, 'lib/auth')]).toEqual([])
})
