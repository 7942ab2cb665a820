import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { governedRepo, flushedWrites } from '../../rig/governed-repo.ts'
import type { Repo } from '../../rig/repo.ts'

/** A daemon whose git takes long to say what is ignored: it begins to watch, and is not ready yet. */
async function startedSlowly(repo: Repo) {
  const { stdout } = await repo.run('sh', ['-c', 'command -v git'])
  const slowly = 'case " $* " in *" check-ignore "*) touch ../asked; sleep 0.5;; esac'
  await repo.write('../slow/git', `#!/bin/sh\n${slowly}\nexec ${stdout.trim()} "$@"\n`)
  await chmod(join(repo.base, 'slow/git'), 0o755)
  // Git is asked about a directory without a tracked file.
  await mkdir(join(repo.root, 'untracked'))
  const daemon = repo.start('kotef-watch', [], { env: { PATH: `${join(repo.base, 'slow')}:${repo.env()['PATH']}` } })
  await expect.poll(() => repo.read('../asked').catch(() => null)).toBe('')
  return daemon
}

async function endedDaemon(repo: Repo): Promise<void> {
  await using daemon = repo.start('kotef-watch')
  await daemon.line(/kotef is watching/)
  await flushedWrites(repo)
  daemon.signal('SIGTERM')
  await daemon.ended
}

test('what git did while nobody watched is that still when an event tells of it at the start', async () => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\n', 'src/b.ts': 'b\n' })
  await repo.git('switch', '--quiet', '--create', 'other')
  await repo.write('src/a.ts', 'other\n')
  await repo.git('commit', '--quiet', '--all', '--no-verify', '--message', 'other')
  await repo.git('switch', '--quiet', '-')
  await endedDaemon(repo)
  await repo.git('restore', '--source=other', 'src/a.ts')
  await using daemon = await startedSlowly(repo)
  await repo.run('touch', ['src/a.ts'])
  await daemon.line(/kotef is watching/)
  expect(await flushedWrites(repo)).toEqual([])
})

test('what is ignored by now is known when it changes at the start', async () => {
  await using repo = await governedRepo({ '.gitignore': 'out/\n' })
  await repo.write('out/a.ts', 'a\n')
  await endedDaemon(repo)
  await using daemon = await startedSlowly(repo)
  await writeFile(join(repo.root, '.gitignore'), 'gen/\n')
  await daemon.line(/kotef is watching/)
  await expect.poll(async () => (await flushedWrites(repo)).map(it => it.files[0]?.path)).toContain('out/a.ts')
  await repo.write('out/b.ts', 'b\n')
  await daemon.line(/out\/b\.ts/)
})
