import { readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { runCommands } from '../../rig/judged-repo.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'

const template = fixture(hookedRepo)

describe.concurrent('nothing that runs on in the background keeps a pipe open', () => {
  test('while a daemon watches, git commit | cat ends', async () => {
    await using repo = await copyGoverned(template())
    await using daemon = repo.start('kotef-watch')
    await daemon.line(/kotef is watching/)
    const { stdout } = await repo.play('echo x >>src/a.ts; git commit -qam w | cat; echo over')
    expect(stdout).toBe('over\n')
  })

  test('nor one that a hook starts', async () => {
    await using repo = await copyGoverned(template())
    await repo.write('.git/hooks/post-checkout', '#!/bin/sh\nkotef watch --detach\n', 0o755)
    const { stdout } = await repo.play('git switch -c other 2>&1 | cat; echo over')
    expect(stdout.endsWith('over\n')).toBe(true)
    expect((await repo.kotef('watch', '--stop')).code).toBe(0)
  })
})

const WATCH = 'env >"$HOME/env"; kotef watch --detach >"$HOME/said"'
const COMMIT = 'commit -q --allow-empty -m w'

describe.concurrent('a daemon that a hook starts records where it was started, whatever git told the hook:', () => {
  test.each([
    [
      'in a linked worktree',
      'linked',
      'GIT_DIR GIT_INDEX_FILE GIT_CONFIG_PARAMETERS',
      `echo '${WATCH}' >>.git/hooks/post-commit; git worktree add -qb side ../linked; cd ../linked
       kotef intent start INT-001 --steal >../out; git -c user.name=Somebody ${COMMIT}`,
    ],
    [
      'by GIT_DIR and GIT_WORK_TREE',
      'repo',
      'GIT_DIR GIT_INDEX_FILE GIT_WORK_TREE',
      `echo '${WATCH}' >>.git/hooks/post-commit; at=$PWD; cd ..; GIT_DIR="$at/.git" GIT_WORK_TREE="$at" git ${COMMIT}`,
    ],
    [
      'from a hook of another repository',
      'repo',
      'GIT_DIR GIT_INDEX_FILE',
      `git init -q ../other; cd ../other; git ${COMMIT}
       printf '#!/bin/sh\\ncd ../repo; %s\\n' '${WATCH}' >.git/hooks/post-commit
       chmod +x .git/hooks/post-commit; git worktree add -q ../beside; cd ../beside; git ${COMMIT}`,
    ],
  ])('%s', async (_, folder, reported, commands) => {
    await using repo = await copyGoverned(template())
    expect(await runCommands(repo, commands)).toMatchObject({ code: 0, stderr: '' })
    const cwd = join(repo.base, folder)
    expect(await namesIn(join(repo.base, 'home/env'), '\n')).toEqual(expect.arrayContaining(reported.split(' ')))
    const [, pid] = /pid (\d+)/.exec(await readFile(join(repo.base, 'home/said'), 'utf8')) ?? []
    expect(await readlink(`/proc/${pid}/cwd`)).toBe(cwd)
    const ofOneRepository = (await repo.git('rev-parse', '--local-env-vars')).split('\n')
    expect((await namesIn(`/proc/${pid}/environ`, '\0')).filter(it => ofOneRepository.includes(it))).toEqual([])
    // Moved to its place, it is never seen empty.
    await repo.run('sh', ['-c', 'echo x >"$HOME/new"; mv "$HOME/new" src/new.ts; kotef flush'], { cwd })
    const written = await readFile(join(cwd, '.orchestration/agent_trace.jsonl'), 'utf8')
    expect(written.split('\n').filter(it => it.includes('"src/new.ts"'))).toHaveLength(1)
    expect((await repo.run('kotef', ['watch', '--stop'], { cwd })).code).toBe(0)
  })
})

/** The names of an environment. */
async function namesIn(path: string, separator: string): Promise<string[]> {
  const entries = (await readFile(path, 'utf8')).split(separator)
  return entries.filter(it => it.includes('=')).map(it => it.split('=', 1)[0] ?? '')
}
