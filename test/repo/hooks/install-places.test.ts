import { mkdir, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyOf, sayOrThrow } from '../../rig/hooked.ts'
import { adoptedRepo, contentsOf, freshRepo, GOVERNED, hookUp, startWork, verdictsIn } from '../../rig/installed.ts'
import { packedKotef } from '../../rig/packed.ts'
import type { Repo } from '../../rig/repo.ts'

let template: Repo
beforeAll(async () => {
  template = await adoptedRepo()
})
afterAll(() => template[Symbol.asyncDispose]())

// As `repo`, for a worktree of it that lies elsewhere.
function at(repo: Repo, root: string): Repo {
  const run: Repo['run'] = (command, args, more) => repo.run(command, args, { cwd: root, ...more })
  const git = async (...args: string[]) => {
    const { code, stdout, stderr } = await run('git', args)
    if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}: ${stderr}`)
    return stdout
  }
  return { ...repo, root, run, git }
}

describe('kotef governs', () => {
  test('a linked worktree, with the hooks of the main one and an intent of its own', async () => {
    await using repo = await freshRepo()
    await hookUp(repo)
    await repo.git('worktree', 'add', '-qb', 'side', '../linked worktree')
    const linked = at(repo, join(repo.base, 'linked worktree'))
    expect((await verdictsIn(linked)).inside).toContain('Start one: `kotef intent start INT-001`')
    await sayOrThrow(linked, 'intent', 'start', 'INT-001', '--steal')
    expect(await verdictsIn(linked)).toEqual(GOVERNED)
    expect(await verdictsIn(repo)).toEqual(GOVERNED)
  })

  test('every worktree, when it is set up in a linked one', async () => {
    await using repo = await freshRepo()
    await repo.git('worktree', 'add', '-qb', 'side', '../linked')
    const linked = at(repo, join(repo.base, 'linked'))
    await hookUp(linked)
    expect(await verdictsIn(linked)).toEqual(GOVERNED)
    await repo.git('merge', '-q', 'side')
    await sayOrThrow(repo, 'intent', 'start', 'INT-001', '--steal')
    expect(await verdictsIn(repo)).toEqual(GOVERNED)
  })

  test('a worktree of a bare repository', async () => {
    await using repo = await freshRepo()
    await repo.git('clone', '-q', '--bare', '.', '../bare.git')
    await repo.run('git', ['worktree', 'add', '-q', '../tree'], { cwd: join(repo.base, 'bare.git') })
    const tree = at(repo, join(repo.base, 'tree'))
    await hookUp(tree)
    expect(await verdictsIn(tree)).toEqual(GOVERNED)
  })

  test('a submodule by itself', async () => {
    await using repo = await freshRepo()
    await repo.git('clone', '-q', '.', '../origin')
    await repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../origin', 'sub')
    const sub = at(repo, join(repo.root, 'sub'))
    await hookUp(sub)
    expect(await verdictsIn(sub)).toEqual(GOVERNED)
    expect(Object.keys(await contentsOf(join(repo.root, '.git/hooks'))).filter(it => !it.endsWith('.sample'))).toEqual(
      [],
    )
  })

  test('a repository whose git directory is elsewhere', async () => {
    await using repo = await copyOf(template)
    await repo.git('init', '-q', '--separate-git-dir', '../git dir')
    await sayOrThrow(repo, 'init', '--yes')
    expect(await verdictsIn(repo)).toEqual(GOVERNED)
  })

  test.each(['a b', `it's "here"`, '$HOME `x` \\n & ;', '-dash', 'ü*?[x]'])(
    'a repository in a folder named %j',
    async name => {
      await using repo = await copyOf(template)
      await rename(repo.root, join(repo.base, name))
      const there = at(repo, join(repo.base, name))
      await sayOrThrow(there, 'init', '--yes')
      expect(await verdictsIn(there)).toEqual(GOVERNED)
    },
  )

  test('a repository that was moved', async () => {
    await using repo = await copyOf(template)
    await sayOrThrow(repo, 'init', '--yes')
    await rename(repo.root, join(repo.base, 'moved'))
    const there = at(repo, join(repo.base, 'moved'))
    expect(await verdictsIn(there)).toEqual(GOVERNED)
  })

  test.each([
    ['relative', '.githooks'],
    ['absolute', 'ABSOLUTE'],
  ])('a repository whose core.hooksPath is a folder of it, %s, also in a linked worktree', async (_, path) => {
    await using repo = await freshRepo({ '.githooks/pre-commit': '#!/bin/sh\nexit 0\n' })
    await repo.run('sh', ['-c', 'chmod +x .githooks/pre-commit'])
    await repo.git('config', 'core.hooksPath', path === 'ABSOLUTE' ? join(repo.root, '.githooks') : path)
    const before = [await contentsOf(join(repo.root, '.githooks')), await repo.read('.git/config')]
    await hookUp(repo)
    expect(await verdictsIn(repo)).toEqual(GOVERNED)
    await repo.git('worktree', 'add', '-qb', 'side', '../linked')
    const linked = at(repo, join(repo.base, 'linked'))
    expect(await sayOrThrow(linked, 'init', '--yes')).toContain('/.githooks, and each calls kotef first.')
    await sayOrThrow(linked, 'intent', 'start', 'INT-001', '--steal')
    expect(await verdictsIn(linked)).toEqual(GOVERNED)
    await sayOrThrow(repo, 'uninit')
    expect([await contentsOf(join(repo.root, '.githooks')), await repo.read('.git/config')]).toEqual(before)
  })
})

describe('the hooks need no package', () => {
  test('where there is no node_modules they read a changed registry by themselves', async () => {
    await using repo = await freshRepo({ '.pnp.cjs': '', 'package.json': '{}' })
    const dependency = join(repo.root, 'node_modules/kotef-watch')
    await mkdir(join(repo.root, 'node_modules'))
    await symlink(packedKotef().root, dependency)
    const kotef = (...words: string[]) => repo.run('node', [join(dependency, 'dist/main.cjs'), ...words])
    expect(await kotef('init', '--yes')).toMatchObject({ code: 0, stderr: '' })
    await repo.run('sh', ['-c', 'echo node_modules >>.git/info/exclude'])
    await startWork(repo)
    await rm(join(repo.root, 'node_modules'), { recursive: true })
    await repo.run('sh', ['-c', "echo '# changed' >>.orchestration/active_intents.yaml"])
    expect(await verdictsIn(repo)).toEqual(GOVERNED)
  })

  test('a program whose PATH has no node is judged by the one that kotef was set up with', async () => {
    await using repo = await copyOf(template)
    await sayOrThrow(repo, 'init', '--yes')
    const bare = (line: string) => repo.run('sh', ['-c', `unset NODE; PATH=${gitOnly(repo)}; ${line}`])
    await onlyGit(repo)
    expect((await bare('command -v node || command -v kotef')).code).not.toBe(0)
    expect(await verdictsIn(repo, bare)).toEqual(GOVERNED)
  })
})

const gitOnly = (repo: Repo) => join(repo.base, 'bin')

// A PATH with git and what a script needs at least, and nothing of the place where node is.
async function onlyGit(repo: Repo): Promise<void> {
  await repo.run('sh', [
    '-c',
    `mkdir ${gitOnly(repo)}; for it in git sh ls cat; do ln -s "$(command -v $it)" ${gitOnly(repo)}/$it; done`,
  ])
}
