import { mkdir, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { copyGoverned, runCliOrThrow } from '../../rig/hooked-repo.ts'
import {
  adoptedRepo,
  folderContents,
  freshRepo,
  GOVERNED_VERDICTS,
  initAndAdopt,
  adoptAndStart,
  commitVerdicts,
} from '../../rig/installation.ts'
import { packedKotef } from '../../rig/packed-kotef.ts'
import type { Repo } from '../../rig/repo.ts'

const template = fixture(adoptedRepo)

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
    await initAndAdopt(repo)
    await repo.git('worktree', 'add', '-qb', 'side', '../linked worktree')
    const linked = at(repo, join(repo.base, 'linked worktree'))
    // Nothing is started there, and INT-001 is the only open intent that owns the path.
    expect((await commitVerdicts(linked)).inside).toBe('Intent-ID: INT-001')
    await runCliOrThrow(linked, 'intent', 'start', 'INT-001', '--steal')
    expect(await commitVerdicts(linked)).toEqual(GOVERNED_VERDICTS)
    expect(await commitVerdicts(repo)).toEqual(GOVERNED_VERDICTS)
  })

  test('every worktree, when it is set up in a linked one', async () => {
    await using repo = await freshRepo()
    await repo.git('worktree', 'add', '-qb', 'side', '../linked')
    const linked = at(repo, join(repo.base, 'linked'))
    await initAndAdopt(linked)
    expect(await commitVerdicts(linked)).toEqual(GOVERNED_VERDICTS)
    await repo.git('merge', '-q', 'side')
    await runCliOrThrow(repo, 'intent', 'start', 'INT-001', '--steal')
    expect(await commitVerdicts(repo)).toEqual(GOVERNED_VERDICTS)
  })

  test('a worktree of a bare repository', async () => {
    await using repo = await freshRepo()
    await repo.git('clone', '-q', '--bare', '.', '../bare.git')
    await repo.run('git', ['worktree', 'add', '-q', '../tree'], { cwd: join(repo.base, 'bare.git') })
    const tree = at(repo, join(repo.base, 'tree'))
    await initAndAdopt(tree)
    expect(await commitVerdicts(tree)).toEqual(GOVERNED_VERDICTS)
  })

  test('a submodule by itself', async () => {
    await using repo = await freshRepo()
    await repo.git('clone', '-q', '.', '../origin')
    await repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../origin', 'sub')
    const sub = at(repo, join(repo.root, 'sub'))
    await initAndAdopt(sub)
    expect(await commitVerdicts(sub)).toEqual(GOVERNED_VERDICTS)
    expect(
      Object.keys(await folderContents(join(repo.root, '.git/hooks'))).filter(it => !it.endsWith('.sample')),
    ).toEqual([])
  })

  test('a repository whose git directory is elsewhere', async () => {
    await using repo = await copyGoverned(template())
    await repo.git('init', '-q', '--separate-git-dir', '../git dir')
    await runCliOrThrow(repo, 'init', '--yes')
    expect(await commitVerdicts(repo)).toEqual(GOVERNED_VERDICTS)
  })

  // One name has all that a shell could misread.
  test('a repository in a folder with an odd name', async () => {
    await using repo = await copyGoverned(template())
    const name = '-dash it\'s "here" $HOME `x` \\n & ; ü*?[x]'
    await rename(repo.root, join(repo.base, name))
    const there = at(repo, join(repo.base, name))
    await runCliOrThrow(there, 'init', '--yes')
    expect(await commitVerdicts(there)).toEqual(GOVERNED_VERDICTS)
  })

  test('a repository that was moved', async () => {
    await using repo = await copyGoverned(template())
    await runCliOrThrow(repo, 'init', '--yes')
    await rename(repo.root, join(repo.base, 'moved'))
    const there = at(repo, join(repo.base, 'moved'))
    expect(await commitVerdicts(there)).toEqual(GOVERNED_VERDICTS)
  })

  test.each([
    ['relative', '.githooks'],
    ['absolute', 'ABSOLUTE'],
  ])('a repository whose core.hooksPath is a folder of it, %s, also in a linked worktree', async (_, path) => {
    await using repo = await freshRepo({ '.githooks/pre-commit': '#!/bin/sh\nexit 0\n' })
    await repo.run('sh', ['-c', 'chmod +x .githooks/pre-commit'])
    await repo.git('config', 'core.hooksPath', path === 'ABSOLUTE' ? join(repo.root, '.githooks') : path)
    const before = [await folderContents(join(repo.root, '.githooks')), await repo.read('.git/config')]
    await initAndAdopt(repo)
    expect(await commitVerdicts(repo)).toEqual(GOVERNED_VERDICTS)
    await repo.git('worktree', 'add', '-qb', 'side', '../linked')
    const linked = at(repo, join(repo.base, 'linked'))
    expect(await runCliOrThrow(linked, 'init', '--yes')).toContain('/.githooks, and each calls kotef first.')
    await runCliOrThrow(linked, 'intent', 'start', 'INT-001', '--steal')
    expect(await commitVerdicts(linked)).toEqual(GOVERNED_VERDICTS)
    await runCliOrThrow(repo, 'uninit')
    expect([await folderContents(join(repo.root, '.githooks')), await repo.read('.git/config')]).toEqual(before)
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
    await adoptAndStart(repo)
    await rm(join(repo.root, 'node_modules'), { recursive: true })
    await repo.run('sh', ['-c', "echo '# changed' >>.orchestration/active_intents.yaml"])
    expect(await commitVerdicts(repo)).toEqual(GOVERNED_VERDICTS)
  })

  test('a program whose PATH has no node is judged by the one that kotef was set up with', async () => {
    await using repo = await copyGoverned(template())
    await runCliOrThrow(repo, 'init', '--yes')
    const bare = (line: string) => repo.run('sh', ['-c', `unset NODE; PATH=${gitOnly(repo)}; ${line}`])
    await onlyGit(repo)
    expect((await bare('command -v node || command -v kotef')).code).not.toBe(0)
    expect(await commitVerdicts(repo, bare)).toEqual(GOVERNED_VERDICTS)
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
