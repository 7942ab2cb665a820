import { expect, test } from 'vitest'
import { readHead } from '../../../src/world/io/worktree/head.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { type Repo, temporaryRepo } from '../../rig/repo.ts'

/** HEAD as it is read, and how often git was asked for it. */
async function watched(repo: Repo) {
  const workspace = await openWorkspace(repo.root)
  let asked = 0
  const tryAsk: typeof workspace.git.tryAsk = query => {
    asked++
    return workspace.git.tryAsk(query)
  }
  return { head: () => readHead({ ...workspace, git: { ...workspace.git, tryAsk } }), asked: () => asked }
}

const moves = [
  ['a commit', 'git commit -q --allow-empty -m x'],
  ['a reset', 'git reset -q --hard HEAD~'],
  ['a switch to another branch', 'git switch -q other'],
  ['a detached HEAD', 'git switch -q --detach HEAD~'],
  ['the branch being moved by plumbing', 'git update-ref refs/heads/main HEAD~'],
  ["the branch's file being written by hand", 'id=$(git rev-parse HEAD~); echo $id >.git/refs/heads/main'],
  ['the log being thrown away', 'rm -r .git/logs; git commit -q --allow-empty -m x'],
  ['the log being off', 'rm -r .git/logs; git -c core.logAllRefUpdates=false commit -q --allow-empty -m x'],
] as const

test.each(moves)('after %s HEAD is what git says, without a question where nothing moved', async (_, command) => {
  await using repo = await temporaryRepo({ a: 'a\n' })
  await repo.git('commit', '--quiet', '--allow-empty', '-m', 'second')
  await repo.git('branch', 'other', 'HEAD~')
  const { head, asked } = await watched(repo)
  expect(await head()).toBe((await repo.git('rev-parse', 'HEAD')).trim())
  expect([await head(), asked()]).toEqual([await head(), 0])
  await repo.run('sh', ['-ec', command])
  expect(await head()).toBe((await repo.git('rev-parse', 'HEAD')).trim())
})

test('an unborn HEAD is none, until there is a commit', async () => {
  await using repo = await temporaryRepo()
  const { head } = await watched(repo)
  expect(await head()).toBe(null)
  await repo.git('commit', '--quiet', '--allow-empty', '-m', 'first')
  expect(await head()).toBe((await repo.git('rev-parse', 'HEAD')).trim())
})
