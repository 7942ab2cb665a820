import { expect, test } from 'vitest'
import { governedRepo, startWatching, flushedWrites } from '../../rig/governed-repo.ts'

test('a branch with 2,000 other files, nine times there and back, writes no record', async () => {
  await using repo = await governedRepo()
  const script = `
    git config core.hooksPath /dev/null
    mkdir -p src && cd src && seq 2000 | split -l 1 -a 4 && git add . && git commit -qm base
    git switch -qc other && for it in x*; do echo other > $it; done && git commit -qam other && git switch -q main`
  expect(await repo.run('sh', ['-ec', script])).toMatchObject({ code: 0 })
  // Killed at the end: a daemon that is stopped would write notes on commits of 2,000 files first.
  await using daemon = repo.start('kotef-watch')
  await daemon.line(/kotef is watching/)
  const switches = 'for it in 1 2 3 4 5 6 7 8 9; do git switch -q other; git switch -q main; done; git switch -q other'
  expect(await repo.run('sh', ['-ec', switches])).toMatchObject({ code: 0 })
  expect((await flushedWrites(repo)).map(it => it.files[0]?.path)).toEqual([])
})

test('a rebase of 30 commits writes no record', async () => {
  await using repo = await governedRepo()
  const script = `
    git config core.hooksPath /dev/null
    mkdir -p src; seq 100 > src/a; git add .; git commit -qm base; git branch start
    for it in $(seq 30)
    do seq $it > src/f$it; sed -i "$((it + 20))s/$/ work/" src/a; git add .; git commit -qm $it; done
    git branch work; git switch -q -C main start; sed -i "1s/$/ main/; 99s/$/ main/" src/a; git commit -qam main
    git switch -q work`
  expect(await repo.run('sh', ['-ec', script])).toMatchObject({ code: 0 })
  await using _daemon = await startWatching(repo)
  await repo.git('rebase', '--quiet', 'main')
  expect((await flushedWrites(repo)).map(it => it.files[0]?.path)).toEqual([])
  expect(await repo.read('src/a')).toMatch(/^1 main\n[^]*50 work\n[^]*99 main\n/)
})
