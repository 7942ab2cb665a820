import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hookedRepo } from '../../rig/hooked-repo.ts'
import type { Verification } from '../../../src/core/report/verification.ts'
import type { Repo } from '../../rig/repo.ts'

/**
 * A history for `git fast-import`: work of INT-001 with a revert now and then, and after each seventh commit a merge of
 * a side that changed the other end of the same file.
 */
function historyOf(count: number, parent: string, path: string): { text: string; commits: number } {
  let [text, top, tip, mark] = ['', 0, parent, 0]
  const commit = (from: string, file: string, merge = '') => {
    const body = mark % 10 === 0 ? 'undo\n\nThis reverts commit 0123456789.' : 'work'
    const message = `${body}\n\nIntent-ID: INT-001`
    text += `commit refs/heads/w\nmark :${++mark}\ncommitter c <c@example.com> ${1_700_000_000 + mark} +0000
data ${message.length}\n${message}\nfrom ${from}\n${merge}M 100644 inline ${path}\ndata ${file.length}\n${file}\n`
    return `:${mark}`
  }
  for (let n = 1; n <= count; n++) {
    const [before, file] = [tip, (at: number) => `${at}\n1\n2\n3\n4\n${n}\n`]
    tip = commit(before, file(top))
    if (n % 7 !== 0) continue
    const side = commit(before, file(n).replace(/\d+\n$/, `${n - 1}\n`))
    tip = commit(tip, file((top = n)), `merge ${side}\n`)
  }
  return { text: `${text}reset refs/heads/w\nfrom ${tip}\n`, commits: mark }
}

/** Verifies a range of some commits; the git processes that it took, by what they were asked for. */
async function gitProcesses(repo: Repo, count: number, path = 'src/both.ts'): Promise<string[]> {
  const parent = (await repo.git('rev-parse', 'main')).trim()
  const { text, commits } = historyOf(count, parent, path)
  const made = await repo.run('git', ['fast-import', '--quiet', '--force'], { input: text })
  expect(made).toMatchObject({ code: 0 })
  const [bin, log] = [join(repo.base, 'counting'), join(repo.base, `log-${count}`)]
  const git = (await repo.play('command -v git')).stdout.trim()
  await mkdir(bin, { recursive: true })
  await writeFile(join(bin, 'git'), `#!/bin/sh\necho "$*" >>'${log}'\nexec '${git}' "$@"\n`)
  await chmod(join(bin, 'git'), 0o755)
  const PATH = `${bin}:${repo.env()['PATH']}`
  const { code, stdout } = await repo.run('kotef', ['verify', '--json', 'main..w'], { env: { PATH } })
  const isOwned = path.startsWith('src/')
  expect(code, stdout).toBe(isOwned ? 0 : 1)
  const { ranges, findings } = JSON.parse(stdout) as Verification
  expect([ranges[0]?.commits, findings.length > 0]).toEqual([commits, !isOwned])
  return (await readFile(log, 'utf8')).trimEnd().split('\n')
}

test('the number of git processes does not depend on the number of commits', async () => {
  await using repo = await hookedRepo()
  const few = await gitProcesses(repo, 30)
  expect(await gitProcesses(repo, 500)).toHaveLength(few.length)
  expect(few.length).toBeLessThan(15)
})

test('nor where they are outside of every scope', async () => {
  await using repo = await hookedRepo()
  const few = await gitProcesses(repo, 30, 'lib/both.ts')
  expect(await gitProcesses(repo, 300, 'lib/both.ts')).toHaveLength(few.length)
})
