import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { diagnose } from '../../../src/world/setup/doctor/diagnose.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { runCli } from '../../rig/command-line.ts'
import { huskyRepo, worktreeSnapshot, doctorLines, runShell } from '../../rig/doctor-repo.ts'
import { copyGoverned, hookedRepo, runInit } from '../../rig/hooked-repo.ts'
import { GIT_RUNS_CONFIGURED_HOOKS } from '../../rig/installation.ts'
import { type Repo, temporaryRepo } from '../../rig/repo.ts'

const template = fixture(hookedRepo)

describe('in an environment that', () => {
  test.each([
    [
      'names another hooks path',
      { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.hooksPath', GIT_CONFIG_VALUE_0: '/dev/null' },
      'core.hooksPath is /dev/null, by the environment',
    ],
    [
      'git made of -c',
      { GIT_CONFIG_PARAMETERS: "'core.hooksPath'='/dev/null'" },
      'core.hooksPath is /dev/null, by the environment',
    ],
    ['switches kotef off', { KOTEF: '0' }, 'the environment switches kotef off'],
    ['asks every hook', { KOTEF_PROBE: '1' }, 'KOTEF_PROBE is set'],
  ])('%s it says so', async (_, env, complaint) => {
    const { exit, text } = await sayWith(template(), env, 'doctor')
    expect(exit).toBe(1)
    expect(doctorLines(template(), 'wrong', text)).toEqual([expect.stringContaining(complaint)])
  })

  test('leads to another repository it looks at this one', async () => {
    const env = { GIT_DIR: '/nowhere', GIT_INDEX_FILE: '/nowhere/index', GIT_WORK_TREE: '/nowhere' }
    expect((await sayWith(template(), env, 'doctor')).text).toContain('ok     hooks')
  })
})

describe('lines of the user that come before ours', () => {
  test('do not switch kotef off unseen', async () => {
    await using repo = await copyGoverned(template())
    await runShell(repo, "sed -i '1a KOTEF=0' .git/hooks/pre-commit")
    const { exit, text } = await runCli(repo, 'doctor')
    expect([exit, doctorLines(repo, 'wrong', text)]).toEqual([1, [expect.stringContaining('pre-commit')]])
  })

  test('can change neither index, refs nor objects, and their place is told', async () => {
    await using repo = await copyGoverned(template())
    await repo.write('new.ts', 'new\n')
    const harm =
      'git add --all; git commit-tree -m harm HEAD^{tree} | xargs git update-ref refs/heads/harm; git stash -u; cat'
    await runShell(repo, `for it in pre-commit post-commit; do sed -i '1a ${harm}' .git/hooks/$it; done`)
    const before = await worktreeSnapshot(repo)
    const { exit, text } = await runCli(repo, 'doctor')
    expect(await worktreeSnapshot(repo)).toBe(before)
    expect(exit).toBe(0)
    expect(text).toContain(`note   in ${repo.root}/.git/hooks/pre-commit, your own lines come before kotef's`)
  })

  test('are not in the way of one another: each hook has an index of its own', async () => {
    await using repo = await copyGoverned(template())
    const once = 'mkdir "$GIT_INDEX_FILE.seen" || exit 0'
    await runShell(repo, `for it in .git/hooks/p*[a-z]; do sed -i '1a ${once}' $it; done`)
    const { exit, text } = await runCli(repo, 'doctor')
    expect({ exit, text }).toEqual({ exit: 0, text: expect.stringContaining('ok     hooks') })
  })

  test('are found where they end nothing but a commit', async () => {
    await using repo = await copyGoverned(template())
    await runShell(repo, `sed -i '1a [ -z "$GIT_AUTHOR_DATE" ] || exit 0' .git/hooks/pre-commit`)
    const { GIT_AUTHOR_DATE: _, ...env } = repo.env()
    const { exit, text } = await runCli({ root: repo.root, env: () => env }, 'doctor')
    expect(exit).toBe(1)
    expect(doctorLines(repo, 'wrong', text)).toEqual([
      expect.stringContaining("git runs kotef's pre-commit in <repo> by itself, but not in a commit"),
    ])
  })

  test('are not waited for without end', async () => {
    await using repo = await copyGoverned(template())
    await runShell(repo, `sed -i '1a sleep 600' .git/hooks/pre-push`)
    const { checks } = await diagnose(await openWorkspace(repo.root), { env: repo.env(), timeoutMs: 2_000 })
    const [complaint] = checks.find(it => it.name === 'hooks')?.complaints ?? []
    expect(complaint?.message).toContain("kotef's pre-push in")
    expect(complaint?.message).toContain('take too long')
  })

  test('do not run where the file does not name kotef at all', async () => {
    await using repo = await copyGoverned(template())
    await repo.write('.git/hooks/post-merge', '#!/bin/sh\n: >"$HOME/deployed"\n', 0o755)
    expect((await runCli(repo, 'doctor')).exit).toBe(1)
    await expect(readFile(join(repo.base, 'home/deployed'))).rejects.toThrow('ENOENT')
    await repo.git('hook', 'run', 'post-merge')
    expect(await readFile(join(repo.base, 'home/deployed'), 'utf8')).toBe('')
  })
})

describe('in another place', () => {
  test('a folder that other repositories use is proved without a line of theirs', async () => {
    await using repo = await temporaryRepo({ a: '' })
    await runShell(
      repo,
      "mkdir ../all; printf '#!/bin/sh\\necho theirs >>../ran\\n' >../all/pre-commit; chmod +x ../all/*",
    )
    await repo.git('config', 'core.hooksPath', join(repo.base, 'all'))
    await runInit(repo)
    expect((await runCli(repo, 'doctor')).text).toContain('ok     hooks')
    expect(await ran(repo)).toBe('nothing')
    await repo.run('git', ['commit', '-qm', 'w', '--allow-empty'], { env: { KOTEF: '0' } })
    expect(await ran(repo)).toBe('theirs\n')
  })

  test("git's config is proved where git looks there, without a line of the others", async () => {
    await using repo = await temporaryRepo({ a: '' })
    const theirs = '#!/bin/sh\necho theirs >>../ran\n'
    await repo.write('.git/hooks/pre-commit', theirs, 0o755)
    await runShell(repo, "git config hook.mine.event pre-commit; git config hook.mine.command 'echo mine >>../ran'")
    const { exit } = await runCli(repo, 'init', '--yes', '--hooks', GIT_RUNS_CONFIGURED_HOOKS ? 'config' : 'git')
    expect(exit).toBe(0)
    expect((await runCli(repo, 'doctor')).text).toContain('ok     hooks')
    expect(await ran(repo)).toBe('nothing')
    await repo.run('git', ['commit', '-qm', 'w', '--allow-empty'], { env: { KOTEF: '0' } })
    expect(await ran(repo)).toContain('theirs\n')
  })
})

describe('under husky', () => {
  test('all is well, and the lines of the user do not run', async () => {
    await using repo = await huskyRepo()
    expect((await runCli(repo, 'doctor')).text).toContain('ok     hooks')
    expect(await ran(repo)).toBe('nothing')
  })

  test('HUSKY=0 in the environment is named', async () => {
    await using repo = await huskyRepo()
    const { text } = await sayWith(repo, { HUSKY: '0' }, 'doctor')
    expect(doctorLines(repo, 'wrong', text)).toEqual([
      'wrong  hooks: git does not run any hook of kotef in <repo>: HUSKY=0 is set in the environment',
    ])
    expect(text).toContain('       `unset HUSKY`')
  })

  test("HUSKY=0 in husky's own start-up file is named with the file", async () => {
    await using repo = await huskyRepo()
    const init = join(repo.base, 'home/.config/husky/init.sh')
    await runShell(repo, 'mkdir -p "$HOME/.config/husky"; echo HUSKY=0 >"$HOME/.config/husky/init.sh"')
    const [wrong] = doctorLines(repo, 'wrong', (await runCli(repo, 'doctor')).text)
    expect(wrong).toContain(`any hook of kotef in <repo>: ${init} switches husky off`)
    await runShell(repo, 'echo "PATH=$PATH:/opt" >"$HOME/.config/husky/init.sh"')
    expect((await runCli(repo, 'doctor')).text).toContain('ok     hooks')
  })

  test('a worktree that husky made nothing in is named', async () => {
    await using repo = await huskyRepo()
    const linked = join(repo.base, 'linked')
    await runShell(repo, `git worktree add -q ../linked; rm -rf ../linked/.husky/_`)
    const { exit, text } = await runCli(repo, 'doctor')
    expect(exit).toBe(1)
    expect(doctorLines(repo, 'wrong', text)).toEqual([
      expect.stringContaining(`any hook of kotef in ${linked}: there is no folder ${linked}/.husky/_`),
    ])
  })

  test.each([
    ['a script that is gone', 'rm .husky/commit-msg', 'there is no such file in <repo>/.husky'],
    [
      'an exit before our call',
      'sed -i "1i exit 0" .husky/commit-msg',
      "the lines before kotef's in <repo>/.husky end the hook",
    ],
    ['a wrapper that can not be run', 'chmod -x .husky/_/commit-msg', 'the file in <repo>/.husky/_ is not executable'],
  ])('%s is named', async (_, commands, complaint) => {
    await using repo = await huskyRepo()
    await runShell(repo, commands)
    expect(doctorLines(repo, 'wrong', (await runCli(repo, 'doctor')).text)).toEqual([
      expect.stringContaining(`kotef's commit-msg in <repo>: ${complaint}`),
    ])
  })
})

function sayWith(repo: Repo, env: Record<string, string>, ...words: string[]) {
  return runCli({ root: repo.root, env: () => ({ ...repo.env(), ...env }) }, ...words)
}

async function ran(repo: Repo): Promise<string> {
  return readFile(join(repo.base, 'ran'), 'utf8').catch(() => 'nothing')
}
