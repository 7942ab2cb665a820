import { expect, test } from 'vitest'
import { hookedRepo } from '../../rig/hooked-repo.ts'
import type { Repo } from '../../rig/repo.ts'

// What is there before: a file to modify, one to delete, one whose mode changes, and a link that will lead elsewhere.
const BEFORE = 'for it in modified deleted mode.sh; do echo x >$d/$it; done; ln -s modified $d/other-link'

const KINDS: readonly (readonly [path: string, status: string, commands: string])[] = [
  ['a new file', 'A', "echo x >'$d/a new file'"],
  ['binary', 'A', "printf 'a\\0b' >$d/binary"],
  ['crlf', 'A', "printf 'a\\r\\nb\\r\\n' >$d/crlf"],
  ['deleted', 'D', 'rm $d/deleted'],
  ['empty', 'A', ': >$d/empty'],
  ['large', 'A', "yes 'a line of text' | head -c 2097152 >$d/large"],
  ['line\nbreak', 'A', "echo x >'$d/line\nbreak'"],
  ['link', 'A', 'ln -s ../src/a.ts $d/link'],
  ['mode.sh', 'M', 'chmod +x $d/mode.sh'],
  ['modified', 'M', 'echo y >>$d/modified'],
  ['no-last-newline', 'A', "printf 'a\\nb' >$d/no-last-newline"],
  ['other-link', 'M', 'ln -sf deleted $d/other-link'],
  ['ünï ✓', 'A', "echo x >'$d/ünï ✓'"],
]

/** A repository in which a file of every kind is staged, all of them in one folder. */
async function staged(folder: string): Promise<Repo> {
  const repo = await hookedRepo()
  const play = (commands: string) => repo.run('sh', ['-ec', commands.replaceAll('$d', folder)])
  await play(`${BEFORE}; git add --all; git -c core.hooksPath=/dev/null commit -qm before`)
  await play(KINDS.map(([, , commands]) => commands).join('\n'))
  await repo.git('add', '--all')
  return repo
}

test('every kind of file may be committed inside the scope, and is committed as it stands on disk', async () => {
  await using repo = await staged('src')
  expect(await repo.run('git', ['commit', '--quiet', '-m', 'w'])).toMatchObject({ code: 0, stderr: '' })
  const shown = await repo.git('show', '--format=', '--name-status', '--no-renames', '-z')
  expect(shown.split('\0').slice(0, -1)).toEqual(KINDS.flatMap(([path, status]) => [status, `src/${path}`]))
  expect(await repo.git('log', '-1', '--format=%(trailers:key=Intent-ID,valueonly)')).toBe('INT-001\n\n')
  expect(await repo.git('status', '--porcelain')).toBe('')
})

test('outside the scope each of them is named, and nothing is lost', async () => {
  await using repo = await staged('lib')
  const before = await everything(repo)
  const { code, stderr } = await repo.run('git', ['commit', '--quiet', '-m', 'w'])
  const named = stderr.split('\n').filter(it => it.startsWith('  block  '))
  expect({ code, named }).toEqual({ code: 1, named: KINDS.map(([path]) => refusalOf(`lib/${path}`)) })
  expect(await everything(repo)).toEqual(before)
})

function refusalOf(path: string): string {
  const printed = path.includes('\n') ? JSON.stringify(path) : path
  return `  block  ${printed} is outside intent INT-001`
}

/** The index, the tree and the history, in so many words. */
async function everything(repo: Repo): Promise<unknown> {
  const { stdout } = await repo.run('sh', ['-c', 'find lib -type f -exec sha1sum {} +; ls -l --time-style=+ lib'])
  return [stdout, await repo.git('ls-files', '--stage', '-z'), await repo.git('rev-parse', 'HEAD')]
}
