import { expect, test } from 'vitest'
import { checkRefs } from '../../../src/world/setup/doctor/basic-checks.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { governedRepo } from '../../rig/governed-repo.ts'

const NOTES = 'refs/notes/kotef'
const CLAIM = 'refs/kotef/claims/INT-001'

test.for<[what: string, ref: string, before: string, hint: RegExp]>([
  ['is not a plain reference', NOTES, 'mkdir -p .git/refs/notes/kotef', /`rm -r \S+\/kotef`$/],
  ['lost records of 2 commits', NOTES, ':', /next look puts it back.*`kotef flush`$/],
  ['was removed', NOTES, ':', /next look puts it back.*`kotef flush`$/],
  ['was removed', NOTES, 'mkdir -p .git/refs/notes; touch .git/refs/notes/kotef.lock', /`rm \S+\/kotef\.lock`$/],
  ['was removed', CLAIM, `touch .git/${CLAIM}.lock`, /`rm \S+\/INT-001\.lock`$/],
  ['does not point to a claim', CLAIM, ':', /`git update-ref --no-deref -d refs\/kotef\/claims\/INT-001 \|\| rm/],
])('the doctor says what to do about a ref that %s: %s after %s', async ([what, ref, before, hint]) => {
  await using repo = await governedRepo()
  const known = JSON.stringify({ notes: null, claims: {}, reported: { [ref]: what } })
  const { code } = await repo.play(`${before}; echo '${known}' >.git/kotef/refs-known.json`)
  expect(code).toBe(0)
  const problems = await checkRefs(await openWorkspace(repo.root))
  expect(problems).toEqual([{ message: `${ref} ${what}, and only kotef writes it`, hint: expect.stringMatching(hint) }])
})

test('the doctor says nothing of refs that are in order', async () => {
  await using repo = await governedRepo()
  expect(await checkRefs(await openWorkspace(repo.root))).toEqual([])
})
