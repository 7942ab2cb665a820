import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../rig/command-line.ts'
import { governedRepo } from '../../rig/governed-repo.ts'

const RUN = 'cd "$1" && shift && exec kotef blame "$@"'

test('of a file to blame, git says the same when it begins before the rest of kotef is there', async () => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\nb\n', 'src/*.ts': 'star\n', 'src/-x': 'x\n' })
  await repo.write('src/a.ts', 'a\nB\nc\n')
  await repo.write('src/new.ts', 'new\n')
  await symlink('src', join(repo.root, 'linked'))
  const rows: readonly (readonly [folder: string, ...words: string[]])[] = [
    ['', 'src/a.ts'],
    ['', '--json', 'src/a.ts'],
    ['', 'src/a.ts', '--json'],
    ['src', 'a.ts'],
    ['src', '*.ts'],
    ['src', './-x'],
    ['src', '../linked/a.ts'],
    ['linked', 'a.ts'],
    ['', 'src/new.ts'],
    ['', 'src/a.ts', '-L', '2,2'],
    ['', 'src/a.ts', '--rev', 'HEAD'],
    ['', '--rev=HEAD', 'src/a.ts'],
    ['', 'src/none.ts'],
    ['', 'src'],
    ['', '../elsewhere'],
    ['', '.git/config'],
    ['', 'src/a.ts', 'src/b.ts'],
    [''],
  ]
  for (const [folder, ...words] of rows) {
    const cwd = join(repo.root, folder)
    const { code, stdout, stderr } = await repo.run('sh', ['-c', RUN, 'sh', cwd, ...words])
    const { text, json, failure, exit } = await runCli({ ...repo, root: cwd, env: () => repo.env() }, 'blame', ...words)
    const isJson = words.includes('--json')
    const reported = failure ? '' : isJson ? `${JSON.stringify(json, null, 2)}\n` : `${text}\n`
    expect([code, stdout, failure ? stderr.includes(failure.message) : stderr], words.join(' ')).toEqual([
      exit,
      reported,
      failure ? true : '',
    ])
  }
})
