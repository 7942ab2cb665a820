import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { runCli } from '../../rig/command-line.ts'
import { worktreeSnapshot, doctorLines, runShell } from '../../rig/doctor-repo.ts'
import { copyGoverned, hookedRepo, runInit } from '../../rig/hooked-repo.ts'
import { AS_UNPRIVILEGED } from '../../rig/file-permissions.ts'
import { temporaryRepo } from '../../rig/repo.ts'

const template = fixture(hookedRepo)

describe('doctor', () => {
  test('is content with what init has set up, in every worktree', async () => {
    await using repo = await copyGoverned(template())
    await repo.git('worktree', 'add', '-qb', 'side', join(repo.base, 'linked worktree'))
    const { code, stdout } = await repo.kotef('doctor')
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.not.stringContaining('wrong') })
    expect(stdout).toContain('ok     hooks        git ran each of them, in every worktree of this clone\n')
  })

  test('leaves worktree, index, refs and objects as they were, whatever stands there', async () => {
    await using repo = await copyGoverned(template())
    await runShell(
      repo,
      'git config core.splitIndex true; echo x >>src/a.ts; git add src; echo y >>src/b.ts; echo z >new',
    )
    await runShell(repo, 'git commit -qm side --allow-empty; git checkout -qb side HEAD~; git add --all; git gc -q')
    const before = await worktreeSnapshot(repo)
    expect((await runCli(repo, 'doctor')).text).toContain('ok     hooks')
    expect(await worktreeSnapshot(repo)).toBe(before)
  })

  test('proves the hooks in the middle of a merge that conflicts, and leaves it there', async () => {
    await using repo = await copyGoverned(template())
    await runShell(repo, 'git branch side; echo x >src/a.ts; git commit -qam x; git switch -q side; echo y >src/a.ts')
    await runShell(repo, 'git commit -qam y; git merge -q main 2>&1 || true')
    const before = await worktreeSnapshot(repo)
    expect((await runCli(repo, 'doctor')).text).toContain('ok     hooks')
    expect(await worktreeSnapshot(repo)).toBe(before)
  })

  test('its probe stops a commit, so that nobody can use it to pass', async () => {
    await using repo = await copyGoverned(template())
    const commit = ['commit', '-qm', 'w', '--allow-empty']
    expect((await repo.run('git', commit, { env: { KOTEF_PROBE: '1' } })).code).toBe(1)
    expect((await repo.run('git', commit)).code).toBe(0)
  })
})

describe('what is wrong is named, and the fix:', () => {
  let text = ''
  beforeAll(async () => {
    await using repo = await copyGoverned(template())
    for (const [, commands] of damages) await runShell(repo, commands)
    const said = await runCli(repo, 'doctor')
    expect(said.exit).toBe(1)
    text = said.text.replaceAll(repo.root, '<repo>')
  })

  const damages: readonly (readonly [what: string, commands: string, complaint: string, fix: string])[] = [
    [
      'a hook that is gone',
      'rm .git/hooks/commit-msg',
      "git does not run kotef's commit-msg in <repo>: there is no such file in <repo>/.git/hooks",
      'Run `kotef doctor --fix`',
    ],
    [
      'hooks that can not be run',
      'chmod -x .git/hooks/pre-push .git/hooks/post-merge',
      "kotef's post-merge and pre-push in <repo>: the file in <repo>/.git/hooks is not executable",
      'Make it executable: `chmod +x <repo>/.git/hooks/post-merge <repo>/.git/hooks/pre-push`',
    ],
    [
      'an exit before our call',
      `sed -i '1a exit 0' .git/hooks/pre-commit`,
      "kotef's pre-commit in <repo>: the lines before kotef's in <repo>/.git/hooks end the hook",
      'Run `kotef doctor --fix`',
    ],
    [
      'hooks without our call',
      'cd .git/hooks; echo : >post-commit; echo ": # kotef" >post-rewrite',
      "kotef's post-commit and post-rewrite in <repo>: the file in <repo>/.git/hooks does not call kotef",
      'Run `kotef doctor --fix`',
    ],
    [
      'a script that was emptied',
      ': >.git/kotef/policy.cjs',
      'versions: in <repo>/.git/kotef, policy.cjs differs from kotef',
      'Run `kotef doctor --fix`',
    ],
    [
      'lines of another version',
      'sed -i s/^kotef_exit=0/kotef_exit=00/ .git/hooks/post-checkout',
      "kotef's lines in <repo>/.git/hooks/post-checkout are of another version",
      'Run `kotef doctor --fix`',
    ],
    [
      'a policy of another version',
      `sed -i 's/"kotef":"[^"]*"/"kotef":"0.0.1"/' .git/kotef/compiled/state.json`,
      'state.json was compiled by kotef 0.0.1',
      'Run `kotef doctor --fix`',
    ],
    [
      'a node that is gone',
      'echo /nowhere/node >.git/kotef/node',
      "the hooks start node as /nowhere/node, which can't be run",
      'Run `kotef doctor --fix`',
    ],
    [
      'a registry that is wrong',
      'echo "x: 1" >>.orchestration/active_intents.yaml',
      'policy: .orchestration/active_intents.yaml has 1 problem',
      'Correct .orchestration/active_intents.yaml',
    ],
  ]

  test.each(damages)('%s', (_, __, complaint, fix) => {
    const lines = text.split('\n')
    const at = lines.findIndex(it => it.startsWith('wrong') && it.includes(complaint))
    expect(lines[at]).toContain(complaint)
    expect(lines.slice(at + 1).find(it => /^ {7}\S/.test(it))).toContain(fix)
  })

  test('a hooks path that leads nowhere', async () => {
    await using repo = await copyGoverned(template())
    await repo.git('config', 'core.hooksPath', 'elsewhere')
    const [wrong] = doctorLines(repo, 'wrong', (await runCli(repo, 'doctor')).text)
    const why = 'there is no folder <repo>/elsewhere, which core.hooksPath names (file:.git/config)'
    expect(wrong).toBe(`wrong  hooks: git does not run any hook of kotef in <repo>: ${why}`)
  })

  test('a script that every hook needs', async () => {
    await using repo = await copyGoverned(template())
    await runShell(repo, ': >.git/kotef/common.sh')
    const wrong = doctorLines(repo, 'wrong', (await runCli(repo, 'doctor')).text)
    expect(wrong).toContainEqual(
      expect.stringMatching(/kotef's pre-commit, .*: its script in <repo>\/.git\/kotef is damaged$/),
    )
  })
})

describe('where there is little to look at', () => {
  test('a repository that was never set up is told in one line', async () => {
    await using repo = await temporaryRepo({ a: '' })
    expect(await runCli(repo, 'doctor')).toMatchObject({
      exit: 1,
      text: 'kotef is not set up in this clone. Run `kotef init`',
    })
    expect(await runCli(repo, 'doctor', '--fix')).toMatchObject({
      exit: 1,
      text: 'kotef is not set up in this clone. Run `kotef init`',
    })
    expect((await runCli(repo, 'doctor', '--json')).json).toEqual({
      ok: false,
      checks: [
        { name: 'set up', complaints: [{ what: 'kotef is not set up in this clone', fix: 'Run `kotef init`' }] },
      ],
      notes: [],
    })
  })

  test('an unborn HEAD is no obstacle, and what comes next is told', async () => {
    await using repo = await temporaryRepo()
    await runInit(repo)
    const { exit, text } = await runCli(repo, 'doctor')
    expect({ exit, text }).toMatchObject({ exit: 0, text: expect.stringContaining('ok     hooks') })
    expect(text).toContain('git commit -m "adopt kotef" -m "Governance: adopt kotef"')
  })

  test('outside a repository, and in a bare one, it says what to do', async () => {
    await using repo = await temporaryRepo({ a: '' })
    await runShell(repo, 'git clone -q --bare . ../bare')
    const outside = await runCli({ ...repo, root: repo.base }, 'doctor')
    expect(outside).toMatchObject({ exit: 3, failure: { code: 'not-a-repo' } })
    for (const words of [['doctor'], ['verify', '--staged']]) {
      const { failure } = await runCli({ ...repo, root: join(repo.base, 'bare') }, ...words)
      expect(failure).toMatchObject({ code: 'not-a-repo', message: expect.stringContaining('is a bare repository') })
      expect(failure?.hint).toContain('git worktree add')
    }
  })

  test.each([
    ['a bare one', 'git clone -q --bare . ../kept; git -C ../kept worktree add -q ../there; cd ../there'],
    ['one whose git directory lies elsewhere', 'git clone -q --separate-git-dir ../kept . ../there; cd ../there'],
  ])('a worktree of %s is proved', async (_, commands) => {
    await using repo = await copyGoverned(template())
    await runShell(repo, `${commands}; kotef init --yes`)
    const { exit, text } = await runCli({ ...repo, root: join(repo.base, 'there') }, 'doctor')
    expect({ exit, text }).toEqual({ exit: 0, text: expect.stringContaining('ok     hooks') })
    await runShell(repo, 'rm "$(cd ../there && git rev-parse --git-path hooks)/pre-push"')
    expect((await runCli({ ...repo, root: join(repo.base, 'there') }, 'doctor')).exit).toBe(1)
  })

  test('a linked worktree says where it can not look', async () => {
    await using repo = await copyGoverned(template())
    await runShell(repo, 'git clone -q --separate-git-dir ../kept . ../there; cd ../there; git worktree add -q ../more')
    await runShell(repo, 'cd ../more; kotef init --yes')
    const { exit, text } = await runCli({ ...repo, root: join(repo.base, 'more') }, 'doctor')
    expect({ exit, text }).toEqual({ exit: 0, text: expect.stringContaining('where the main worktree of') })
  })

  test('a worktree that is gone is worth a note', async () => {
    await using repo = await copyGoverned(template())
    await runShell(repo, 'git worktree add -q ../gone; rm -rf ../gone')
    const { exit, text } = await runCli(repo, 'doctor')
    expect(exit).toBe(0)
    expect(text).toContain(`note   the worktree ${repo.base}/gone does not exist`)
    expect(text).toContain('`git worktree prune`')
  })

  test('a repository that nobody may write to is proved all the same', async () => {
    await using repo = await copyGoverned(template())
    await runShell(repo, 'find . -type d -exec chmod a-w {} +')
    const { code, stdout } = await repo.run('sh', ['-c', `exec ${AS_UNPRIVILEGED}kotef doctor`])
    await runShell(repo, 'find . -type d -exec chmod u+w {} +')
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('ok     hooks') })
  })
})

test('status says at a glance that git does not run our hooks', async () => {
  await using repo = await copyGoverned(template())
  expect((await runCli(repo, 'status')).text).not.toContain('problem')
  await repo.git('config', 'core.hooksPath', 'elsewhere')
  const problem = "problem  git does not run kotef's pre-commit and commit-msg here: see `kotef doctor`"
  expect((await runCli(repo, 'status')).text.split('\n')).toContain(problem)
})
