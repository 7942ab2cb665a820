import { lstat, mkdir, readFile, readlink, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { say } from '../../rig/command-line.ts'
import { hookedRepo, initialised, sayOrThrow } from '../../rig/hooked.ts'
import { type Repo, temporaryRepo } from '../../rig/repo.ts'

const HOOKS = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit']
const OUTSIDE = 'echo x >>lib/x.ts; git commit -qam w'

describe('init', () => {
  test('creates what is missing, replaces nothing, and says what comes next', async () => {
    await using repo = await temporaryRepo({ '.intentignore': 'mine\n' })
    const text = await initialised(repo)
    expect(text).toContain('git add -A && git commit -m "adopt kotef" -m "Governance: adopt kotef"')
    expect(text.match(/(?<=^ {2})\.\S+$/gm)).toEqual([
      '.orchestration/active_intents.yaml',
      '.orchestration/config.yaml',
      '.orchestration/intent_map.md',
      '.orchestration/AGENT.md',
      '.orchestration/.gitignore',
      '.sdd/KOTEF.md',
      '.sdd/.gitignore',
    ])
    expect(await repo.read('.intentignore')).toBe('mine\n')
  })

  test('a second time changes nothing', async () => {
    await using repo = await temporaryRepo({ a: '' })
    await initialised(repo)
    const before = await snapshot(repo)
    expect(JSON.parse(await initialised(repo, '--json'))).toMatchObject({ created: [] })
    expect(await snapshot(repo)).toEqual(before)
  })

  test('outside a repository it says so', async () => {
    await using repo = await temporaryRepo()
    expect((await say({ ...repo, root: repo.base }, 'init', '--yes')).failure?.code).toBe('not-a-repo')
  })

  test('an agent that can not be configured is named plainly', async () => {
    await using repo = await temporaryRepo()
    expect(await initialised(repo, '--agent', 'aider')).toContain('Not done: configuring aider.')
  })

  test('a hooks folder that other repositories use is left alone', async () => {
    await using repo = await temporaryRepo()
    await repo.git('config', 'core.hooksPath', join(repo.base, 'global'))
    expect((await say(repo, 'init', '--yes')).failure?.code).toBe('hooks-elsewhere')
    expect(await repo.git('status', '--porcelain')).toBe('')
  })
})

const users: readonly (readonly [what: string, text: string, mode: number])[] = [
  ['a script of sh', '#!/bin/sh\necho mine >>../ran\nexit 0\n', 0o755],
  ['a script of bash without a final newline', '#!/usr/bin/env bash\necho mine >>../ran', 0o755],
  ['a script without a shebang', 'echo mine >>../ran\n', 0o755],
  ['a script of node', "#!/usr/bin/env node\nrequire('fs').appendFileSync('../ran', 'mine\\n')\n", 0o755],
  ['a script with odd permissions', '#!/bin/sh\necho mine >>../ran\n', 0o711],
  ['bytes that are no text', '#!/bin/sh\necho mine >>../ran # \xff\n', 0o755],
]

describe("with the user's own hook", () => {
  test.each(users)('%s still runs, after us, and uninit leaves it as it was', async (_, text, mode) => {
    await using repo = await temporaryRepo({ 'lib/x.ts': '' })
    await repo.write('.git/hooks/pre-commit', Buffer.from(text, 'latin1'), mode)
    const before = await snapshot(repo)
    await hookUp(repo)
    await repo.run('sh', ['-c', 'echo x >src.ts; git add src.ts; git commit -qm w'])
    expect((await readFile(join(repo.base, 'ran'), 'utf8')).trim()).toBe('mine')
    expect((await repo.run('sh', ['-c', OUTSIDE])).stderr).toContain('lib/x.ts is outside intent INT-001')
    expect((await readFile(join(repo.base, 'ran'), 'utf8')).trim()).toBe('mine')
    await sayOrThrow(repo, 'uninit')
    expect(await snapshot(repo)).toEqual(before)
  })

  test('one that fails still fails', async () => {
    await using repo = await temporaryRepo({ 'lib/x.ts': '' })
    await repo.write('.git/hooks/commit-msg', '#!/bin/sh\necho no >&2\nexit 1\n', 0o755)
    await hookUp(repo)
    const { code, stderr } = await repo.run('sh', ['-c', 'echo x >src.ts; git add src.ts; git commit -qm w'])
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'no\n' })
  })

  test('one that is switched off stays off', async () => {
    await using repo = await temporaryRepo({ 'lib/x.ts': '' })
    await repo.write('.git/hooks/pre-commit', '#!/bin/sh\nexit 1\n', 0o644)
    await hookUp(repo)
    await repo.run('sh', ['-c', 'echo x >src.ts'])
    await repo.git('add', 'src.ts')
    await repo.git('commit', '-qm', 'w')
    await sayOrThrow(repo, 'uninit')
    expect((await lstat(join(repo.root, '.git/hooks/pre-commit'))).mode & 0o777).toBe(0o644)
  })

  test('one that is a symlink is chained, and is one again after uninit', async () => {
    await using repo = await temporaryRepo({ 'lib/x.ts': '' })
    await repo.write('scripts/check', '#!/bin/sh\necho mine >>../ran\n', 0o755)
    await symlink('../../scripts/check', join(repo.root, '.git/hooks/pre-commit'))
    await hookUp(repo)
    await repo.run('sh', ['-c', 'echo x >src.ts; git add src.ts; git commit -qm w'])
    expect(await readFile(join(repo.base, 'ran'), 'utf8')).toBe('mine\n')
    await sayOrThrow(repo, 'uninit')
    expect(await readlink(join(repo.root, '.git/hooks/pre-commit'))).toBe('../../scripts/check')
  })

  test('what was added to our file since is kept by uninit', async () => {
    await using repo = await temporaryRepo({ 'lib/x.ts': '' })
    await hookUp(repo)
    await repo.write('.git/hooks/pre-commit', `${await repo.read('.git/hooks/pre-commit')}echo later\n`)
    await sayOrThrow(repo, 'uninit')
    expect(await repo.read('.git/hooks/pre-commit')).toBe('#!/bin/sh\necho later\n')
  })
})

describe('under husky', () => {
  test('the call stands in .husky, before the lines that are there, and uninit takes it out', async () => {
    await using repo = await huskyRepo()
    await hookUp(repo)
    expect(await repo.read('.husky/pre-commit')).toMatch(/^# >>> kotef[^]*# <<< kotef\necho mine >>\.\.\/ran\n$/)
    await repo.run('sh', ['-c', 'echo x >src.ts; git add src.ts; git commit -qm w'])
    expect(await repo.git('log', '-1', '--format=%b')).toBe('Intent-ID: INT-001\n\n')
    expect((await repo.run('sh', ['-c', OUTSIDE])).stderr).toContain('lib/x.ts is outside intent INT-001')
    await sayOrThrow(repo, 'uninit')
    expect(await repo.read('.husky/pre-commit')).toBe('echo mine >>../ran\n')
    expect((await repo.run('ls', ['.husky'])).stdout).toBe('_\npre-commit\n')
  })

  test('--hooks husky without husky says how to get it', async () => {
    await using repo = await temporaryRepo()
    expect((await say(repo, 'init', '--yes', '--hooks', 'husky')).failure?.code).toBe('husky-missing')
  })

  test('whose folder is not there yet is switched on when it is installed, and asked for when it is not', async () => {
    await using repo = await temporaryRepo({ '.husky/pre-commit': '' })
    await repo.git('config', 'core.hooksPath', '.husky/_')
    const { failure } = await say(repo, 'init', '--yes')
    expect(failure).toMatchObject({
      code: 'husky-missing',
      hint: expect.stringContaining('npm i -D husky && npx husky'),
    })
    expect(await repo.git('status', '--porcelain')).toBe('')
    await mkdir(join(repo.root, 'node_modules'))
    await symlink(join(import.meta.dirname, '../../../node_modules/husky'), join(repo.root, 'node_modules/husky'))
    expect((await say(repo, 'init', '--yes')).failure).toBeNull()
    expect((await say(repo, 'doctor')).text).toContain('ok     hooks')
  })

  test('a clone that nobody has set up refuses to commit, and says how to go on', async () => {
    await using repo = await huskyRepo()
    await hookUp(repo)
    await initialised(repo)
    await repo.run('sh', ['-c', 'rm -rf .git/kotef; echo x >src.ts; git add src.ts'])
    const { code, stderr } = await repo.run('git', ['commit', '-qm', 'w'])
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('npx kotef init') })
    expect((await repo.run('git', ['commit', '-qm', 'w'], { env: { KOTEF: '0' } })).code).toBe(0)
  })
})

describe('a linked worktree', () => {
  test('has the same hooks, and an intent of its own', async () => {
    await using repo = await hookedRepo()
    const linked = join(repo.base, 'linked worktree')
    await repo.git('worktree', 'add', '-qb', 'side', linked)
    const there = { ...repo, root: linked }
    const commit = (commands: string) => repo.run('sh', ['-c', commands], { cwd: linked })
    expect((await commit('echo x >>docs/b.md; git commit -qam w')).stderr).toContain('the message names no intent')
    await sayOrThrow(there, 'intent', 'start', 'INT-002')
    expect(await commit('git commit -qam w')).toMatchObject({ code: 0, stderr: '' })
    expect((await commit('echo x >>src/a.ts; git commit -qam w')).stderr).toContain(
      'src/a.ts is outside intent INT-002',
    )
    expect(await repo.run('sh', ['-c', 'echo x >>src/a.ts; git commit -qam w'])).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('doctor', () => {
  test('is content with what init has set up', async () => {
    await using repo = await hookedRepo()
    expect((await repo.kotef('doctor')).stdout).not.toContain('wrong')
  })

  test.each([
    ['a hook that is gone', 'rm .git/hooks/commit-msg', "git does not run kotef's commit-msg hook"],
    ['a hook that can not be run', 'chmod -x .git/hooks/pre-commit', "git does not run kotef's pre-commit hook"],
    ['an exit before our call', "sed -i '1a exit 0' .git/hooks/pre-commit", "git does not run kotef's pre-commit hook"],
    ['another hooks path', 'git config core.hooksPath elsewhere', "git does not run kotef's post-commit hook"],
    ['hooks of another version', 'echo >>.git/kotef/hook.cjs', 'not those of this version'],
    ['a registry that is wrong', 'echo "x: 1" >>.orchestration/active_intents.yaml', 'active_intents.yaml'],
  ])('names %s, and the fix', async (_, commands, complaint) => {
    await using repo = await hookedRepo()
    await repo.run('sh', ['-c', commands])
    const { code, stdout } = await repo.kotef('doctor')
    expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringContaining(complaint) })
  })

  test('its probe stops a commit, so that nobody can use it to pass', async () => {
    await using repo = await hookedRepo()
    const { code } = await repo.run('git', ['commit', '-qm', 'w', '--allow-empty'], { env: { KOTEF_PROBE: '1' } })
    expect(code).not.toBe(0)
  })
})

async function hookUp(repo: Repo): Promise<void> {
  await initialised(repo)
  await sayOrThrow(repo, 'intent', 'add', '--id', 'INT-001', '--name', 'w', '--scope', 'src.ts')
  await repo.git('add', '--all')
  await repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '-qm', 'adopt', '-m', 'Governance: adopt')
  await sayOrThrow(repo, 'intent', 'start', 'INT-001')
}

// What husky puts into a repository, by husky itself.
async function huskyRepo(): Promise<Repo> {
  const repo = await temporaryRepo({ 'lib/x.ts': '', '.husky/pre-commit': 'echo mine >>../ran\n' })
  await repo.run(process.execPath, [join(import.meta.dirname, '../../../node_modules/husky/bin.js')])
  return repo
}

async function snapshot(repo: Repo): Promise<Record<string, unknown>> {
  const files: Record<string, unknown> = {}
  for (const hook of [...HOOKS, ...HOOKS.map(it => `${it}.before-kotef`)]) {
    const path = join(repo.root, '.git/hooks', hook)
    const found = await lstat(path).catch(() => null)
    if (found) files[hook] = [await readFile(path, 'latin1'), found.mode]
  }
  return files
}
