import { describe, expect, test } from 'vitest'
import { governedRepo, startWatching, flushedWrites } from '../../rig/governed-repo.ts'
import type { Repo } from '../../rig/repo.ts'

describe.concurrent('what was fetched before all was at rest is no write', () => {
  test.each([
    ['a squash', 'git merge -q --squash FETCH_HEAD'],
    ['a pick that is no commit', 'git cherry-pick -n FETCH_HEAD'],
    ['a checkout of paths', 'git checkout -q FETCH_HEAD -- src'],
    ['a restore of paths', 'git restore -SW --source FETCH_HEAD src'],
  ])('%s', async (_, command) => {
    await using repo = await governedRepo({ 'src/a': 'a\n' }, { agent: 'aider' })
    const theirs = `git clone -q . ../theirs; cd ../theirs; echo theirs >>src/a; echo new >src/new; git add -A
      git commit -qm theirs`
    expect(await repo.run('sh', ['-ec', theirs])).toMatchObject({ code: 0 })
    await using _daemon = await startWatching(repo)
    await repo.write('src/own', 'own\n')
    await flushedWrites(repo)
    await repo.git('fetch', '-q', '../theirs', 'main')
    await rested(repo, Date.now())
    expect(await repo.run('sh', ['-ec', command])).toMatchObject({ code: 0 })
    expect((await flushedWrites(repo)).map(it => it.files[0]?.path)).toEqual(['src/own'])
  })
})

/** Resolves when the daemon's epoch has begun later than a time (milliseconds since 1970). */
async function rested(repo: Repo, at: number): Promise<void> {
  const epochStart = async () => {
    const text = await repo.read('.git/kotef/cursor.json').catch(() => '{}')
    return (JSON.parse(text) as { period?: { since: number } }).period?.since ?? 0
  }
  await expect.poll(epochStart).toBeGreaterThan(at)
}
