import { lstat, readFile, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { VERSION } from '../../../src/world/io/files/package.ts'
import { runCli } from '../../rig/command-line.ts'
import { huskyRepo, runShell } from '../../rig/doctor-repo.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'

const template = fixture(hookedRepo)

const COMMIT = '.git/hooks/commit-msg'

describe('doctor --fix repairs, and says what it did:', () => {
  let said: Awaited<ReturnType<typeof runCli>>
  beforeAll(async () => {
    await using repo = await copyGoverned(template())
    for (const [, commands] of damages) await runShell(repo, commands)
    said = await runCli(repo, 'doctor', '--fix')
  })

  const damages: readonly (readonly [what: string, commands: string, complaint: string])[] = [
    ['a hook that is gone', 'rm .git/hooks/commit-msg', "hooks: .* kotef's commit-msg in .*: there is no such file"],
    [
      'a hook of ours that can not be run',
      'chmod -x .git/hooks/pre-push',
      "hooks: .* kotef's pre-push in .*is not executable",
    ],
    [
      'an exit before our call',
      "sed -i '1a exit 0' .git/hooks/pre-commit",
      "hooks: .* kotef's pre-commit in .*end the hook",
    ],
    [
      "a user's hook in place of ours",
      "printf '#!/bin/sh\\n: mine\\n' >.git/hooks/post-commit",
      "hooks: .* kotef's post-commit in .*does not call kotef",
    ],
    [
      'lines of another version',
      'sed -i s/^kotef_exit=0/kotef_exit=00/ .git/hooks/post-checkout',
      'versions: .*post-checkout are of another version',
    ],
    ['an emptied script', ': >.git/kotef/policy.cjs', 'versions: .*policy.cjs differs from kotef'],
    ['a node that is gone', 'echo /nowhere/node >.git/kotef/node', 'versions: .*/nowhere/node'],
    [
      'a policy of another version',
      `sed -i 's/"kotef":"[^"]*"/"kotef":"0.0.1"/' .git/kotef/compiled/state.json`,
      'versions: .*compiled by kotef 0.0.1',
    ],
    [
      'a lock of a dead process',
      `sh -c 'printf "$$ ${hostname()}"' >.git/kotef/registry.lock`,
      'locks: .*registry.lock is held by process',
    ],
  ]

  test.each(damages)('%s', (_, __, complaint) => {
    expect(said.text).toMatch(new RegExp(`^fixed {2}${complaint}.*\\n {7}\\S.*\\.$`, 'm'))
  })

  test('all of it, so that nothing is wrong', () => {
    expect({ exit: said.exit, text: said.text }).toEqual({ exit: 0, text: expect.not.stringContaining('wrong') })
  })

  test('scripts of an earlier version, and the policy that they compiled', async () => {
    await using repo = await copyGoverned(template())
    await runShell(repo, 'cd .git/kotef; echo 0.0.1 >version; echo >>common.sh')
    await runShell(repo, `sed -i 's/"kotef":"[^"]*"/"kotef":"0.0.1"/' .git/kotef/compiled/state.json`)
    const { exit, text } = await runCli(repo, 'doctor', '--fix')
    expect(exit).toBe(0)
    expect(text).toContain(`are of kotef 0.0.1, and this kotef is ${VERSION}\n       The scripts`)
    expect(text).toContain(
      `was compiled by kotef 0.0.1, and the hooks are of ${VERSION}\n       It was compiled again.`,
    )
  })
})

describe('doctor --fix', () => {
  test('has nothing to do where nothing is wrong, and after it has done it', async () => {
    await using repo = await copyGoverned(template())
    const well = await runCli(repo, 'doctor', '--fix')
    expect({ exit: well.exit, text: well.text }).toEqual({
      exit: 0,
      text: expect.not.stringMatching(/^(fixed|wrong)/m),
    })
    await repo.run('sh', ['-c', `rm ${COMMIT}`])
    await runCli(repo, 'doctor', '--fix')
    expect((await runCli(repo, 'doctor')).text).toBe(well.text)
  })

  test("keeps every line of the user's own", async () => {
    await using repo = await copyGoverned(template())
    const mine = '#!/bin/sh\necho mine >>../ran\n'
    await repo.write(COMMIT, mine, 0o755)
    await runCli(repo, 'doctor', '--fix')
    expect((await repo.read(COMMIT)).replace(/# >>> kotef[^]*# <<< kotef\n/, '')).toBe(mine)
    await repo.git('commit', '-qm', 'w', '--allow-empty')
    expect(await readFile(join(repo.base, 'ran'), 'utf8')).toBe('mine\n')
  })

  test("leaves a user's hook that is switched off as it is, and names the command", async () => {
    await using repo = await copyGoverned(template())
    const text = (await repo.read(COMMIT)).replace(
      /\(`kotef uninit` removes this file[^)]*\)/,
      '(`kotef uninit` removes these lines)',
    )
    await repo.write(COMMIT, `${text}echo mine\n`, 0o644)
    const { exit, text: said } = await runCli(repo, 'doctor', '--fix')
    expect(exit).toBe(1)
    expect(said).toContain(`Make it executable: \`chmod +x ${repo.root}/${COMMIT}\``)
    expect((await lstat(join(repo.root, COMMIT))).mode & 0o777).toBe(0o644)
  })

  test('does not take back scripts of a later version, and says how to follow', async () => {
    await using repo = await copyGoverned(template())
    await repo.run('sh', [
      '-c',
      'cd .git/kotef; echo 99.0.0 >version; echo "# later" >>common.sh; rm node ../hooks/pre-push',
    ])
    const { exit, text } = await runCli(repo, 'doctor', '--fix')
    expect(exit).toBe(1)
    expect(text).toContain(`are of kotef 99.0.0, and this kotef is ${VERSION}`)
    expect(text).toContain('`npm i -D kotef-watch@99.0.0`')
    expect(await repo.read('.git/kotef/common.sh')).toContain('# later')
    expect(await repo.read('.git/kotef/version')).toBe('99.0.0\n')
  })

  test('changes nothing that git tracks: the command is named instead', async () => {
    await using repo = await huskyRepo()
    await repo.run('sh', ['-c', 'rm .husky/commit-msg'])
    const { exit, text } = await runCli(repo, 'doctor', '--fix')
    expect(exit).toBe(1)
    expect(text).toContain(`Run \`cd ${repo.root} && kotef init\``)
    expect(await repo.git('status', '--porcelain')).toBe(' D .husky/commit-msg\n')
  })

  test('puts back a hook of the folder that hands on to another one', async () => {
    await using repo = await copyGoverned(template())
    await repo.git('config', 'core.hooksPath', join(repo.base, 'all'))
    await runCli(repo, 'init', '--yes')
    await runShell(repo, 'rm -f .git/kotef/hooks/commit-msg; git config --remove-section hook.kotef-commit-msg || true')
    const { exit, text } = await runCli(repo, 'doctor', '--fix')
    expect({ exit, text }).toEqual({
      exit: 0,
      text: expect.stringMatching(/^fixed {2}hooks: .*kotef's commit-msg in /m),
    })
  })

  test('heals a worktree that husky made nothing in, without husky', async () => {
    await using repo = await huskyRepo()
    const linked = join(repo.base, 'linked')
    await repo.run('sh', ['-c', 'git worktree add -q ../linked; rm -rf ../linked/.husky/_'])
    const { exit, text } = await runCli(repo, 'doctor', '--fix')
    expect({ exit, text }).toEqual({ exit: 0, text: expect.stringContaining(`any hook of kotef in ${linked}`) })
    await repo.run('git', ['commit', '-qm', 'w', '--allow-empty'], { cwd: linked })
    expect(await readFile(join(repo.base, 'ran'), 'utf8')).toBe('mine\n')
  })

  test('removes what was left behind long ago, and nothing younger', async () => {
    await using repo = await copyGoverned(template())
    const old = [
      'own-writes/1',
      'sessions/ended/1.json',
      'compiled/active.1.tmp',
      'compiled/active.new',
      'x.lock.12345678-1234-1234-1234-123456789012',
    ]
    const young = ['own-writes/2', 'sessions/ended/2.json', 'compiled/active.2.tmp']
    for (const it of [...old, ...young]) await repo.write(`.git/kotef/${it}`, '')
    for (const it of old) await utimes(join(repo.root, '.git/kotef', it), 1_000_000_000, 1_000_000_000)
    const before = await runCli(repo, 'doctor')
    expect({ exit: before.exit, notes: before.text.match(/^note {3}\d file.*left/gm) }).toEqual({
      exit: 0,
      notes: ['note   3 files are left', 'note   1 file is left', 'note   1 file is left'],
    })
    expect((await runCli(repo, 'doctor', '--fix')).text.match(/^fixed .*left/gm)).toHaveLength(3)
    const { stdout } = await repo.run('sh', [
      '-c',
      'cd .git/kotef; ls -d own-writes/[12] sessions/ended/* compiled/*.tmp compiled/*.new x.*',
    ])
    expect(stdout.split('\n').sort()).toEqual(['', ...young.toSorted()])
  })

  test('as JSON it tells what is fixed and what is not', async () => {
    await using repo = await copyGoverned(template())
    await repo.run('sh', ['-c', `rm ${COMMIT}; echo "x: 1" >>.orchestration/active_intents.yaml`])
    const { exit, json } = await runCli(repo, 'doctor', '--fix', '--json')
    expect(exit).toBe(1)
    expect(json).toMatchObject({
      ok: false,
      checks: expect.arrayContaining([
        { name: 'policy', complaints: [{ what: expect.any(String), fix: expect.any(String) }] },
        {
          name: 'hooks',
          complaints: [{ what: expect.any(String), fix: expect.any(String), fixed: expect.any(String) }],
        },
      ]),
      notes: expect.arrayContaining([{ what: expect.any(String), fix: expect.any(String) }]),
    })
  })

  test('what can not be repaired is told with its reason', async () => {
    await using repo = await copyGoverned(template())
    await repo.run('sh', ['-c', `rm .git/kotef/common.sh; mkdir .git/kotef/common.sh`])
    const { exit, text } = await runCli(repo, 'doctor', '--fix')
    expect({ exit, text }).toEqual({ exit: 1, text: expect.stringMatching(/^wrong {2}fix: .*EISDIR/m) })
  })
})
