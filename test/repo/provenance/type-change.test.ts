import { expect, test } from 'vitest'
import { readPatches } from '../../../src/world/provenance/commit-queries.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { temporaryRepo } from '../../rig/repo.ts'

test.each([
  ['a file that becomes a link', 'rm a && ln -s b a'],
  ['an empty file that becomes a link', 'git rm -q a && : >a && git add a && git commit -qm e && rm a && ln -s b a'],
  ['a file that becomes a repository', 'rm a && git init -q a && git -C a commit -q --allow-empty -m x'],
])('%s takes no lines from the files after it', async (_, change) => {
  await using repo = await temporaryRepo({ a: 'one\n', b: 'two\n', c: 'three\n' })
  const { code, stderr } = await repo.play(`${change} && echo B >b && echo C >c && git add -A && git commit -qm types`)
  expect([code, stderr.includes('fatal')]).toEqual([0, false])
  const workspace = await openWorkspace(repo.root)
  const added: string[] = []
  const head = (await repo.git('rev-parse', 'HEAD')).trim()
  for await (const patches of readPatches(workspace.git, [head], () => 0))
    for (const { path, hunks } of patches.flatMap(it => it.files))
      for (const { side, bytes } of hunks.flat())
        if (side === 'added') added.push(`${path}: ${Buffer.from(bytes).toString()}`)
  expect(added).toEqual([expect.stringMatching(/^a: (?:b$|Subproject commit )/), 'b: B', 'c: C'])
})
