import { chmod, lstat, readFile, readlink, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { runCli } from '../../rig/command-line.ts'
import { copyGoverned, runInit, runCliOrThrow } from '../../rig/hooked-repo.ts'
import { adoptedRepo, folderContents, freshRepo, GOVERNED_VERDICTS, commitVerdicts } from '../../rig/installation.ts'
import { AS_UNPRIVILEGED } from '../../rig/file-permissions.ts'
import { temporaryRepo } from '../../rig/repo.ts'

const template = fixture(adoptedRepo)

describe('init', () => {
  test('creates what is missing, replaces nothing, and says what it did', async () => {
    await using repo = await temporaryRepo({ '.intentignore': 'mine\n' })
    const text = await runInit(repo)
    expect(text).toContain(`git runs the hooks in ${repo.root}/.git/hooks, and each calls kotef first.`)
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

  test('proposes the largest folder as a scope where there is no src (solo C8, team P6)', async () => {
    await using repo = await temporaryRepo({
      'dist/a': '',
      'dist/b': '',
      'docs/a': '',
      '.ci/a': '',
      '.ci/b': '',
      x: '',
    })
    expect(await runCliOrThrow(repo, 'init', '--yes')).toContain("--scope 'dist/**'")
  })

  test('says as its next only what is next, the first intent before the adoption (solo A12)', async () => {
    await using repo = await temporaryRepo({ a: '' })
    const adopt = '  git add -A && git commit -m "adopt kotef" -m "Governance: adopt kotef"'
    const add = "  kotef intent add --id INT-001 --name 'what is wanted' --scope 'src/**'"
    const start = '  kotef intent start INT-001'
    const next = async () => (await runCliOrThrow(repo, 'init', '--yes')).split('\nNext:\n')[1]?.split('\n')
    expect(await next()).toEqual([add, adopt, start, '  npx kotef-watch'])
    await runCliOrThrow(repo, 'intent', 'add', '--id', 'INT-001', '--name', 'w', '--scope', 'a')
    expect(await next()).toEqual([adopt, start, '  npx kotef-watch'])
    await repo.git('add', '--all')
    await repo.git('commit', '-qm', 'adopt', '-m', 'Governance: adopt')
    expect(await next()).toEqual([start, '  npx kotef-watch'])
    await runCliOrThrow(repo, 'intent', 'start', 'INT-001')
    expect(await next()).toEqual(['  npx kotef-watch'])
  })

  test('a second time changes nothing', async () => {
    await using repo = await temporaryRepo({ a: '' })
    await runInit(repo)
    const before = [await folderContents(join(repo.root, '.git/hooks')), await repo.read('.git/config')]
    expect(JSON.parse(await runInit(repo, '--json'))).toMatchObject({ created: [] })
    expect([await folderContents(join(repo.root, '.git/hooks')), await repo.read('.git/config')]).toEqual(before)
  })

  test('outside a repository it fails, but not in a script that only prepares a package, nor in CI', async () => {
    await using repo = await temporaryRepo()
    const outside = (env: Record<string, string>) => repo.run('kotef', ['init', '--yes'], { cwd: repo.base, env })
    expect((await runCli({ ...repo, root: repo.base }, 'init', '--yes')).failure?.code).toBe('not-a-repo')
    expect((await outside({ npm_lifecycle_event: 'npx' })).code).toBe(3)
    const reported = {
      code: 0,
      stdout: `${repo.base} is not in a git worktree: there is nothing to govern.\n`,
      stderr: '',
    }
    expect(await outside({ CI: 'true' })).toEqual(reported)
    expect(await outside({ npm_lifecycle_event: 'prepare' })).toEqual(reported)
  })

  test('with KOTEF=0 it changes nothing', async () => {
    await using repo = await temporaryRepo({ a: '' })
    expect(await repo.run('kotef', ['init', '--yes'], { env: { KOTEF: '0' } })).toMatchObject({ code: 0, stderr: '' })
    expect(await repo.git('status', '--porcelain')).toBe('')
  })

  test.each(['.git/hooks', '.git'])(
    'where nobody may write in %s it says so, and nothing is half done',
    async place => {
      await using repo = await freshRepo()
      await repo.write('.git/hooks/pre-commit', '#!/bin/sh\n', 0o755)
      const before = await folderContents(join(repo.root, '.git'))
      await chmod(join(repo.root, place), 0o555)
      const { code, stdout } = await repo.run('sh', ['-c', `exec ${AS_UNPRIVILEGED}kotef init --yes --json`])
      await chmod(join(repo.root, place), 0o755)
      expect([code, JSON.parse(stdout)]).toMatchObject([3, { error: { code: 'hooks-unwritable' } }])
      expect(await folderContents(join(repo.root, '.git'))).toEqual(before)
      expect(await repo.git('status', '--porcelain')).toBe('')
    },
  )
})

const users: readonly (readonly [what: string, text: string, mode: number])[] = [
  ['a script of sh that exits', '#!/bin/sh\necho mine >>../ran\nexit 0\n', 0o755],
  ['a script of sh that becomes another program', '#!/bin/sh\nexec sh -c "echo mine >>../ran"\n', 0o755],
  ['a script of bash without a final newline', '#!/usr/bin/env bash\necho mine >>../ran', 0o755],
  ['a script without a shebang', 'echo mine >>../ran\n', 0o755],
  ['a script of node', "#!/usr/bin/env node\nrequire('fs').appendFileSync('../ran', 'mine\\n')\n", 0o755],
  ['a script of another program', '#!/usr/bin/env -S tee -a ../ran\n', 0o755],
  ['a script with odd permissions', '#!/bin/sh\necho mine >>../ran\n', 0o711],
  ['bytes that are no text', '#!/bin/sh\necho mine >>../ran # \xff\n', 0o755],
]

describe("with the user's own hook", () => {
  test.each(users)('%s still runs, after us, and uninit leaves it as it was', async (_, text, mode) => {
    await using repo = await copyGoverned(template())
    await repo.write('.git/hooks/pre-commit', Buffer.from(text, 'latin1'), mode)
    const before = await folderContents(join(repo.root, '.git/hooks'))
    await runCliOrThrow(repo, 'init', '--yes')
    await rm(join(repo.base, 'ran'), { force: true })
    expect(await commitVerdicts(repo)).toEqual(GOVERNED_VERDICTS)
    // Once: for the commit that kotef let through.
    const ran = await readFile(join(repo.base, 'ran'), 'utf8').catch(() => 'never')
    expect(ran.trim()).toBe(text.includes('tee') ? '' : 'mine')
    await runCliOrThrow(repo, 'uninit')
    expect(await folderContents(join(repo.root, '.git/hooks'))).toEqual(before)
  })

  test('one that fails still fails', async () => {
    await using repo = await copyGoverned(template())
    await repo.write('.git/hooks/commit-msg', '#!/bin/sh\necho no >&2\nexit 1\n', 0o755)
    await runCliOrThrow(repo, 'init', '--yes')
    expect(await commitVerdicts(repo)).toEqual({ ...GOVERNED_VERDICTS, inside: 'refused: no\n' })
  })

  test('one whose shebang ends as on Windows fails as it did, and is chained', async () => {
    await using repo = await copyGoverned(template())
    await runCliOrThrow(repo, 'init', '--yes')
    const text = '#!/bin/sh\r\nexit 0\r\n'
    await repo.write('.git/hooks/pre-commit', text, 0o755)
    await runCliOrThrow(repo, 'init', '--yes')
    expect((await commitVerdicts(repo)).inside).toContain('refused')
    await runCliOrThrow(repo, 'uninit')
    expect(await repo.read('.git/hooks/pre-commit')).toBe(text)
  })

  test('one that is switched off stays off', async () => {
    await using repo = await copyGoverned(template())
    await repo.write('.git/hooks/pre-commit', '#!/bin/sh\nexit 1\n', 0o644)
    await runCliOrThrow(repo, 'init', '--yes')
    expect(await commitVerdicts(repo)).toEqual(GOVERNED_VERDICTS)
    await runCliOrThrow(repo, 'uninit')
    expect((await lstat(join(repo.root, '.git/hooks/pre-commit'))).mode & 0o777).toBe(0o644)
  })

  test('one that nobody may read is kept whole', async () => {
    await using repo = await copyGoverned(template())
    await repo.write('.git/hooks/pre-commit', '#!/bin/sh\nexit 0\n', 0o111)
    const run = (words: string) => repo.run('sh', ['-c', `exec ${AS_UNPRIVILEGED}kotef ${words}`])
    expect(await run('init --yes')).toMatchObject({ code: 0, stderr: '' })
    expect(await run('uninit')).toMatchObject({ code: 0, stderr: '' })
    await chmod(join(repo.root, '.git/hooks/pre-commit'), 0o755)
    expect(await repo.read('.git/hooks/pre-commit')).toBe('#!/bin/sh\nexit 0\n')
  })

  test('one that is a symlink is chained, and is one again after uninit', async () => {
    await using repo = await copyGoverned(template())
    await repo.write('scripts/check', '#!/bin/sh\necho mine >>../ran\n', 0o755)
    await symlink('../../scripts/check', join(repo.root, '.git/hooks/pre-commit'))
    await runCliOrThrow(repo, 'init', '--yes')
    expect(await commitVerdicts(repo)).toEqual(GOVERNED_VERDICTS)
    expect(await readFile(join(repo.base, 'ran'), 'utf8')).toBe('mine\n')
    await runCliOrThrow(repo, 'uninit')
    expect(await readlink(join(repo.root, '.git/hooks/pre-commit'))).toBe('../../scripts/check')
  })

  test('what was added to our file since is kept by uninit', async () => {
    await using repo = await copyGoverned(template())
    await runCliOrThrow(repo, 'init', '--yes')
    await repo.write('.git/hooks/pre-commit', `${await repo.read('.git/hooks/pre-commit')}echo later\n`)
    await runCliOrThrow(repo, 'uninit')
    expect(await repo.read('.git/hooks/pre-commit')).toBe('#!/bin/sh\necho later\n')
  })
})
