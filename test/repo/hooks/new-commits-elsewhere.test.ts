import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { runCommands, judgeNewHistory, judgedRepo } from '../../rig/judged-repo.ts'
import { copyGoverned } from '../../rig/hooked-repo.ts'
import { ledgerEvents } from '../../rig/ledger-events.ts'
import type { Repo } from '../../rig/repo.ts'

const template = fixture(judgedRepo)

describe('what got in unseen is found once, in the repository that kotef is called in', () => {
  const STRAY = 'git init -q ../outer; echo l >>lib/x.ts; git commit -qanm stray'
  const violationsIn = async (repo: Repo) =>
    (await ledgerEvents(repo)).flatMap(it => (it['event'] === 'violation' ? [[it['rule'], it['path']]] : []))
  const STRAYED = [['in-scope', 'lib/x.ts']]

  test.each([
    ['GIT_DIR', '.git'],
    ['GIT_COMMON_DIR', '.git'],
    ['GIT_OBJECT_DIRECTORY', '.git/objects'],
    ['GIT_INDEX_FILE', '.git/index'],
  ])('whatever the caller says by %s', async (name, path) => {
    await using repo = await copyGoverned(template())
    await runCommands(repo, STRAY)
    const { code } = await repo.run('kotef', ['status'], { env: { [name]: join(repo.base, 'outer', path) } })
    expect([code, await violationsIn(repo)]).toEqual([0, STRAYED])
    await repo.kotef('status')
    expect(await violationsIn(repo)).toEqual(STRAYED)
  })

  test('when a hook in a linked worktree of another one calls it', async () => {
    await using repo = await copyGoverned(template())
    await runCommands(repo, STRAY)
    const commit = 'git commit -q --allow-empty -m first'
    await runCommands(repo, `cd ../outer; ${commit}; git worktree add -q ../linked`)
    const hook = `#!/bin/sh\necho "$GIT_DIR" >../git-dir; cd '${repo.root}' && kotef status\n`
    await repo.write('../outer/.git/hooks/post-commit', hook, 0o755)
    expect(await runCommands(repo, `cd ../linked; ${commit}`)).toMatchObject({ code: 0 })
    expect(await readFile(join(repo.base, 'git-dir'), 'utf8')).toContain('/outer/.git/worktrees/linked')
    expect(await violationsIn(repo)).toEqual(STRAYED)
    await repo.kotef('status')
    expect(await violationsIn(repo)).toEqual(STRAYED)
  })

  test('and by the next call, when git could not say what the policy was', async () => {
    await using repo = await copyGoverned(template())
    await runCommands(repo, STRAY)
    const git = (await runCommands(repo, 'command -v git')).stdout.trim()
    const mute = `#!/bin/sh\ncase "$*" in *--batch*) exit 128 ;; esac\nexec ${git} "$@"\n`
    await repo.write('../bin/git', mute, 0o755)
    const env = { PATH: `${join(repo.base, 'bin')}:${repo.env()['PATH']}` }
    const { stdout } = await repo.run('kotef', ['status'], { env })
    expect(stdout).toContain('git cat-file --batch ended without an answer.')
    expect(await violationsIn(repo)).toEqual([])
    await repo.kotef('status')
    expect(await violationsIn(repo)).toEqual(STRAYED)
  })
})

describe('a commit is judged as it is', () => {
  const REPLACED = 'git commit-tree HEAD~1^{tree} -p HEAD~1 -m fine -m "Intent-ID: INT-001"'

  test.each([
    [
      'whatever it would be replaced with',
      `echo l >>lib/x.ts; git commit -qanm stray; git replace HEAD $(${REPLACED})`,
    ],
    [
      'also when a tag alone keeps it',
      'git checkout -q --detach; echo l >>lib/x.ts; git commit -qanm stray; git tag v1; git checkout -q main',
    ],
  ])('%s', async (_, commands) => {
    await using repo = await copyGoverned(template())
    expect(await runCommands(repo, commands)).toMatchObject({ code: 0 })
    expect(await judgeNewHistory(repo)).toEqual([expect.stringMatching(/^in-scope lib\/x\.ts in /)])
  })

  test('and its trailers as they stand there, whatever is configured', async () => {
    await using repo = await copyGoverned(template())
    const commands = "git config trailer.intent.key 'Intent-ID: '; echo x >>src/a.ts; git commit -qam fine"
    expect(await runCommands(repo, commands)).toMatchObject({ code: 0 })
    expect(await judgeNewHistory(repo)).toEqual([])
  })
})
