import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compiled, copyOf, hookedRepo } from '../../rig/hooked.ts'
import type { Repo } from '../../rig/repo.ts'

let template: Repo
beforeAll(async () => {
  template = await hookedRepo()
})
afterAll(() => template[Symbol.asyncDispose]())

const LONG_WAY = '.git/kotef/hook.cjs'

/** A copy in which whoever takes the long way is seen. */
async function watched(): Promise<Repo> {
  const repo = await copyOf(template)
  await repo.write(LONG_WAY, 'console.error(`${process.argv[2]} takes the long way`); process.exit(88)\n')
  return repo
}

async function commit(repo: Repo, commands: string, shell = 'sh') {
  return repo.run(shell.split(' ')[0] ?? '', [...shell.split(' ').slice(1), '-c', commands])
}

describe('the fast path', () => {
  test('a commit that is fine starts no Node', async () => {
    await using repo = await watched()
    const { code, stderr } = await commit(
      repo,
      'echo x >>src/a.ts; git commit -qam w -m "Signed-off-by: A" && git log -1 --format=%b',
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(await repo.git('log', '-1', '--format=%b')).toBe('Signed-off-by: A\nIntent-ID: INT-001\n\n')
    expect(await repo.read('.git/kotef/queue')).toMatch(/^commit\n$/m)
  })

  test.each(['GIT_LITERAL_PATHSPECS', 'GIT_NOGLOB_PATHSPECS'])('%s of the caller changes nothing', async name => {
    await using repo = await watched()
    await repo.run('sh', ['-c', 'echo x >>src/a.ts; git add src'])
    expect(await repo.run('git', ['commit', '-qm', 'w'], { env: { [name]: '1' } })).toMatchObject({
      code: 0,
      stderr: '',
    })
  })

  test('a commit that is fine needs no node at all, and one that is not is refused in plain words', async () => {
    await using repo = await copyOf(template)
    await repo.write('.git/kotef/node', '/nowhere/node\n')
    const { stdout } = await repo.run('sh', [
      '-c',
      'for it in sh git cat ls; do ln -s "$(command -v $it)" "../$it"; done; git --exec-path',
    ])
    const env = { PATH: `${repo.base}:${stdout.trim()}` }
    await repo.run('sh', ['-c', 'echo x >>src/a.ts'])
    expect(await repo.run('git', ['commit', '-qam', 'w'], { env })).toMatchObject({ code: 0, stderr: '' })
    await repo.run('sh', ['-c', 'echo x >>lib/x.ts'])
    const { code, stderr } = await repo.run('git', ['commit', '-qam', 'w'], { env })
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no node to judge it') })
  })

  test.each([
    ['a path outside', 'echo x >>lib/x.ts'],
    ['no compiled scope', 'rm .git/kotef/compiled/active; echo x >>src/a.ts'],
    [
      'a compiled scope that is cut off',
      'head -n 3 .git/kotef/compiled/active >cut; mv cut .git/kotef/compiled/active; echo x >>src/a.ts',
    ],
    [
      'a compiled scope of another version',
      'sed -i s/active.2/active\\ 1/ .git/kotef/compiled/active; echo x >>src/a.ts',
    ],
    ['a registry written since', 'touch -d "+1 minute" .orchestration/active_intents.yaml; echo x >>src/a.ts'],
    ['an .intentignore written since', 'touch -d "+1 minute" .intentignore; echo x >>src/a.ts'],
    ['a registry that is gone', 'rm .orchestration/active_intents.yaml; echo x >>src/a.ts; git add src'],
    ['an unborn HEAD', 'git update-ref -d HEAD'],
  ])('%s takes the long way', async (_, commands) => {
    await using repo = await watched()
    const { stderr } = await commit(repo, `${commands}; git commit -qam w`)
    expect(stderr).toContain('pre-commit takes the long way')
  })

  test.each([
    ['an unknown id', 'Intent-ID: INT-999'],
    ['a second id', 'Intent-ID: INT-001\nINTENT-ID: INT-999'],
    ['an id without a blank', 'Intent-ID:INT-999'],
    ['a reason to govern', 'Governance: why'],
    ['a folded value', 'Intent-ID:\n INT-999'],
    ['prose and a trailer', 'words\nIntent-ID: INT-001'],
  ])('a message with %s takes the long way', async (_, block) => {
    await using repo = await watched()
    await repo.run('sh', ['-c', 'echo x >>src/a.ts'])
    const { stderr } = await repo.run('git', ['commit', '-qaF', '-'], { input: `w\n\n${block}\n` })
    expect(stderr).toContain('commit-msg takes the long way')
  })

  test("what the user's own hook stages after us is judged as well", async () => {
    await using repo = await copyOf(template)
    const hook = await repo.read('.git/hooks/pre-commit')
    await repo.write('.git/hooks/pre-commit', `${hook}echo x >>lib/x.ts; git add lib\n`, 0o755)
    await repo.run('sh', ['-c', 'echo x >>src/a.ts'])
    expect((await repo.run('git', ['commit', '-qam', 'w'])).stderr).toContain('lib/x.ts is outside intent INT-001')
  })

  test('a submodule outside is seen, whatever is configured to ignore it', async () => {
    await using repo = await watched()
    await repo.write('.gitmodules', '[submodule "x"]\n\tpath = lib/sub\n\turl = x\n\tignore = all\n')
    await repo.git('add', '.gitmodules')
    await repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '-qm', 'modules')
    const oid = (await repo.git('rev-parse', 'HEAD')).trim()
    await repo.git('update-index', '--add', '--cacheinfo', `160000,${oid},lib/sub`)
    expect((await repo.run('git', ['commit', '-qm', 'w'])).stderr).toContain('pre-commit takes the long way')
  })
})

describe.each(['dash', 'bash', 'bash --posix', 'busybox sh', 'sh -e'])('under %s', shell => {
  const [program = '', ...flags] = shell.split(' ')
  const present = async (repo: Repo) => (await repo.run('sh', ['-c', `command -v ${program}`])).code === 0

  test('a commit that is fine passes fast, and one that is not is refused', async () => {
    await using repo = await copyOf(template)
    if (!(await present(repo))) return
    for (const hook of ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit']) {
      const text = await repo.read(`.git/hooks/${hook}`)
      const path = (await repo.run('sh', ['-c', `command -v ${program}`])).stdout.trim()
      await repo.write(`.git/${hook}.script`, text)
      const call = [path, ...flags, `.git/${hook}.script`].join(' ')
      await repo.write(`.git/hooks/${hook}`, `#!/bin/sh\nexec ${call} "$@"\n`, 0o755)
    }
    await repo.run('sh', ['-c', 'echo x >>src/a.ts'])
    expect(await repo.run('git', ['commit', '-qam', 'w', '-m', 'body'])).toMatchObject({ code: 0, stderr: '' })
    expect(await repo.git('log', '-1', '--format=%b')).toBe('body\n\nIntent-ID: INT-001\n\n')
    await repo.run('sh', ['-c', 'echo x >>lib/x.ts'])
    const { code, stderr } = await repo.run('git', ['commit', '-qam', 'w'])
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('lib/x.ts is outside') })
  })
})

const segment = fc.constantFrom('a', 'b', 'a.ts', 'b.ts', '*', '*.ts', '.d', 'A')
const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map(it => it.join('/'))
const glob = fc
  .array(fc.constantFrom('a', 'b', 'a.ts', '*', '*.ts', '**', '{a,b}', '[a]', '.d'), { minLength: 1, maxLength: 3 })
  .chain(it => fc.boolean().map(out => `${out ? '!' : ''}${it.join('/')}`))

// Where git and micromatch part: a directory in place of a file, one named like a glob, what a scope takes away.
const traps: readonly [scope: string[], paths: string[]][] = [
  [['a.ts'], ['a.ts/b']],
  [['*.ts'], ['*.ts/a']],
  [['**', '!a/**'], ['a/b']],
  [['**'], ['AGENTS.md']],
  [['{a,b}'], ['a', 'b']],
]

test('whatever the fast path passes, the full judgement passes', async () => {
  await using repo = await copyOf(template)
  const passes = (hook: string) => repo.run('sh', ['-c', `exec .git/hooks/${hook}`])
  let fast = 0
  const property = fc.asyncProperty(
    fc.array(glob, { minLength: 1, maxLength: 3 }),
    fc.array(path, { maxLength: 3 }),
    async (scope, paths) => {
      await rescope(repo, scope)
      await stage(repo, paths)
      await rm(join(repo.root, '.git/kotef/compiled/passed'), { force: true })
      const { code } = await passes('pre-commit')
      const isFast = (await repo.run('test', ['-s', '.git/kotef/compiled/passed'])).code === 0
      fast += isFast ? 1 : 0
      await rm(join(repo.root, '.git/kotef/compiled/active'), { force: true })
      expect((await passes('pre-commit')).code).toBe(isFast ? 0 : code)
    },
  )
  await fc.assert(property, { numRuns: 15 + traps.length, seed: 7, examples: [...traps] })
  expect(fast).toBeGreaterThan(2)
})

// The scope counts as committed: what HEAD says of it is what the worktree says.
async function rescope(repo: Repo, scope: readonly string[]): Promise<void> {
  const intent = `{ id: INT-001, name: w, status: IN_PROGRESS, owned_scope: ${JSON.stringify(scope)} }`
  const registry = `active_intents:\n  - ${intent}\n`
  await repo.write('.orchestration/active_intents.yaml', registry)
  await repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '-qm', 'scope', '--allow-empty', '.orchestration')
  await compiled(repo)
}

async function stage(repo: Repo, paths: readonly string[]): Promise<void> {
  const blob = (await repo.git('rev-parse', 'HEAD:lib/x.ts')).trim()
  await repo.git('read-tree', 'HEAD')
  for (const it of paths) await repo.run('git', ['update-index', '--add', '--cacheinfo', `100644,${blob},${it}`])
}
