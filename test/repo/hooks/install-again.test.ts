import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { copyGoverned, runCliOrThrow } from '../../rig/hooked-repo.ts'
import { folderContents, freshRepo, GOVERNED_VERDICTS, initAndAdopt, commitVerdicts } from '../../rig/installation.ts'
import type { Repo } from '../../rig/repo.ts'
import { VERSION } from '../../../src/world/io/files/package.ts'

const template = fixture(async () => {
  const template = await freshRepo()
  await initAndAdopt(template)
  return template
})

const start = (repo: Repo) => runCliOrThrow(repo, 'intent', 'start', 'INT-001')

describe('after an upgrade', () => {
  test.each([
    ['kotef 0.0.9', '0.0.9\n'],
    ['an earlier kotef', null],
  ])('intent start brings the hooks of %s up to date, and says so once', async (name, version) => {
    await using repo = await copyGoverned(template())
    await (version === null ? rm(join(repo.root, '.git/kotef/version')) : repo.write('.git/kotef/version', version))
    await repo.write('.git/kotef/pre-commit', 'exit 0\n')
    expect(await start(repo)).toContain(`Updated the git hooks from ${name} to ${VERSION}.`)
    expect(await start(repo)).not.toContain('The git hooks')
    expect(await repo.read('.git/kotef/version')).toBe(`${VERSION}\n`)
    expect(await commitVerdicts(repo)).toEqual(GOVERNED_VERDICTS)
  })

  test.each(['99.0.0', '0.99.1'])(
    'intent start and init leave the hooks of kotef %s, which is newer, and says so',
    async newer => {
      await using repo = await copyGoverned(template())
      await repo.write('.git/kotef/version', `${newer}\n`)
      await repo.write('.git/kotef/pre-commit', '# newer\n')
      expect(await start(repo)).toContain(`The git hooks are from kotef ${newer}, newer than this one (${VERSION})`)
      expect(await runCliOrThrow(repo, 'init', '--yes')).toContain(`The git hooks are from kotef ${newer}, newer than`)
      expect(await repo.read('.git/kotef/pre-commit')).toBe('# newer\n')
    },
  )

  test('intent start writes none of it when it is up to date', async () => {
    await using repo = await copyGoverned(template())
    await repo.write('.git/kotef/pre-commit', '# the same version\n')
    await start(repo)
    expect(await repo.read('.git/kotef/pre-commit')).toBe('# the same version\n')
  })

  test('intent start puts back a call that somebody has overwritten', async () => {
    await using repo = await copyGoverned(template())
    await repo.write('.git/hooks/pre-commit', '#!/bin/sh\nexit 0\n', 0o755)
    expect(await start(repo)).toContain(`Restored: ${join(repo.root, '.git/hooks/pre-commit')}`)
    expect(await commitVerdicts(repo)).toEqual(GOVERNED_VERDICTS)
  })

  test('intent start installs nothing where nobody has set kotef up', async () => {
    await using repo = await freshRepo({ '.orchestration/active_intents.yaml': REGISTRY })
    expect(await start(repo)).not.toContain('hooks')
    expect(Object.keys(await folderContents(join(repo.root, '.git/hooks'))).every(it => it.endsWith('.sample'))).toBe(
      true,
    )
  })
})

const REGISTRY = 'version: 1\nactive_intents: [{ id: INT-001, name: w, status: PENDING, owned_scope: ["src.ts"] }]\n'

describe('uninit', () => {
  test('leaves the files of the repository, and says how they go', async () => {
    await using repo = await copyGoverned(template())
    const text = await runCliOrThrow(repo, 'uninit')
    expect(text).toContain('kotef uninit --purge')
    expect(await repo.read('.intentignore')).not.toBe('')
    expect(await runCliOrThrow(repo, 'uninit')).toContain('No git hook called kotef.')
  })

  test('removes a hooks folder that was made for it, and no other', async () => {
    await using repo = await freshRepo()
    await rm(join(repo.root, '.git/hooks'), { recursive: true })
    await runCliOrThrow(repo, 'init', '--yes')
    await runCliOrThrow(repo, 'uninit')
    expect(Object.keys(await folderContents(join(repo.root, '.git')))).not.toContain('hooks')
  })

  test('takes what was compiled out of every worktree', async () => {
    await using repo = await copyGoverned(template())
    await repo.git('worktree', 'add', '-qb', 'side', '../linked')
    await runCliOrThrow({ ...repo, root: join(repo.base, 'linked') }, 'intent', 'start', 'INT-001', '--steal')
    await runCliOrThrow(repo, 'uninit')
    expect(Object.keys(await folderContents(join(repo.root, '.git'))).filter(it => it.endsWith('/active'))).toEqual([])
  })

  test('--purge right after init leaves the repository as it was, to the byte', async () => {
    await using repo = await freshRepo()
    const before = await folderContents(repo.root)
    await runCliOrThrow(repo, 'init', '--yes')
    expect(await folderContents(repo.root)).not.toEqual(before)
    expect(await runCliOrThrow(repo, 'uninit', '--purge')).toContain('.orchestration/active_intents.yaml')
    expect(await folderContents(repo.root)).toEqual(before)
  })

  test('--purge keeps what somebody has worked on, and says so', async () => {
    await using repo = await copyGoverned(template())
    await repo.write('.orchestration/notes.md', 'mine\n')
    const text = await runCliOrThrow(repo, 'uninit', '--purge')
    expect(text).toContain('Kept, because they were edited:\n  .orchestration/active_intents.yaml\n')
    expect(text).toContain('Remove them with `rm .orchestration/active_intents.yaml`')
    expect(await folderContents(join(repo.root, '.orchestration'))).toMatchObject({
      'active_intents.yaml': expect.stringContaining('INT-001'),
      'notes.md': expect.stringContaining('mine'),
    })
    const gone = await repo.run('ls', ['.sdd', '.intentignore', '.git/kotef', '.orchestration/agent_trace.jsonl'])
    expect(gone.stdout).toBe('')
  })
})
