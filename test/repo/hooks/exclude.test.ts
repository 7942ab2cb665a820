import { expect, test } from 'vitest'
import { governedRepo, startWatching, flushedWrites } from '../../rig/governed-repo.ts'
import { temporaryRepo } from '../../rig/repo.ts'

test('the ledger goes into no commit of a branch that kotef has not come to', async () => {
  await using repo = await governedRepo()
  await repo.git('config', 'core.hooksPath', '/dev/null')
  await repo.write('.git/info/exclude', '')
  await using _daemon = await startWatching(repo)
  await repo.git('switch', '--quiet', '--discard-changes', '--orphan', 'before')
  await repo.write('src/a.ts', 'x\n')
  await flushedWrites(repo)
  await repo.git('add', '--all')
  expect(await repo.git('ls-files')).toBe('src/a.ts\n')
})

test.each(['', '*.log', '*.log\n'])('uninit leaves what git excludes as it was: %j', async text => {
  await using repo = await temporaryRepo()
  await repo.write('.git/info/exclude', text)
  for (let n = 0; n < 2; n++) await repo.kotef('init', '--yes', '--hooks', 'git')
  expect(await repo.read('.git/info/exclude')).toMatch(/(^|\n)\/\.orchestration\/agent_trace\.jsonl\n$/)
  await repo.kotef('uninit')
  expect((await repo.read('.git/info/exclude')).trimEnd()).toBe(text.trimEnd())
})
