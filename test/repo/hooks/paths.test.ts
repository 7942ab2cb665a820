import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import type { Repo } from '../../rig/repo.ts'

const template = fixture(hookedRepo)

const play = (repo: Repo, commands: string) => repo.run('sh', ['-ec', commands])

/** The refusal's lines, without the ways out. */
async function refused(repo: Repo): Promise<string[]> {
  const { code, stderr } = await repo.run('git', ['commit', '-qm', 'w'])
  expect(code).toBe(1)
  return stderr.split('\n').filter(it => it.startsWith('  block  '))
}

const outside = (path: string) => `  block  ${path} is outside intent INT-001`

describe('a name', () => {
  test.each([
    ['a newline', 'a\nb', '"lib/a\\nb"'],
    ['a quote', 'a"b', '"lib/a\\"b"'],
    ['an apostrophe', "a'b", "lib/a'b"],
    ['a backslash', 'a\\b', '"lib/a\\\\b"'],
    ['a space at its end', 'a ', '"lib/a "'],
    ['a leading dash', '-f', 'lib/-f'],
    ['brackets', '[id]', 'lib/[id]'],
    ['parentheses', '(auth)', 'lib/(auth)'],
    ['a star', '*', 'lib/*'],
    ['a leading colon', ':(top)', 'lib/:(top)'],
    ['a tab', 'a\tb', '"lib/a\\tb"'],
    ['other letters', 'ünï', 'lib/ünï'],
  ])('with %s is judged as it stands', async (_, name, printed) => {
    await using repo = await copyGoverned(template())
    await repo.write(`src/${name}`, 'x\n')
    await repo.git('--literal-pathspecs', 'add', `src/${name}`)
    expect(await repo.run('git', ['commit', '-qm', 'w'])).toMatchObject({ code: 0, stderr: '' })
    await repo.write(`lib/${name}`, 'x\n')
    await repo.git('--literal-pathspecs', 'add', `lib/${name}`)
    expect(await refused(repo)).toEqual([outside(printed)])
  })

  test.each(['src', 'lib'])('that is no UTF-8 is refused in %s, and printed as text', async folder => {
    await using repo = await copyGoverned(template())
    await play(repo, `n=$(printf '${folder}/a\\377b'); echo x >"$n"; git add ${folder}`)
    const [line] = await refused(repo)
    expect(line).toBe(`  block  "${folder}/a\\ufffdb" is not a path that can be judged: it is not valid UTF-8`)
  })
})

describe('a change outside the scope is refused, when it is', () => {
  test.each([
    ['a deletion', 'git rm -q lib/x.ts', ['lib/x.ts']],
    ['a deletion of all there is', 'git rm -qr --cached lib docs old', ['lib/x.ts', 'old/c']],
    ['a change of mode', 'git update-index --chmod=+x lib/x.ts', ['lib/x.ts']],
    ['a file that becomes a link', 'ln -sf ../src/a.ts lib/x.ts; git add lib', ['lib/x.ts']],
    [
      'a file that becomes a folder',
      'rm lib/x.ts; mkdir lib/x.ts; echo x >lib/x.ts/y; git add lib',
      ['lib/x.ts', 'lib/x.ts/y'],
    ],
    ['a link into the scope', 'ln -s ../src/a.ts lib/link; git add lib', ['lib/link']],
    ['a link to a folder of the scope', 'ln -s ../src lib/link; git add lib', ['lib/link']],
    [
      'a file that becomes a submodule',
      'git update-index --cacheinfo 160000,$(git rev-parse HEAD),lib/x.ts',
      ['lib/x.ts'],
    ],
    ['a rename into the scope', 'git mv lib/x.ts src/x.ts', ['lib/x.ts']],
    ['a rename out of it', 'git mv src/a.ts lib/a.ts', ['lib/a.ts']],
    ['a rename of a whole folder', 'git mv src lib/src', ['lib/src/a.ts', 'lib/src/b.ts']],
    ['a rename by case alone', 'git mv src/a.ts SRC-tmp; mkdir SRC; git mv SRC-tmp SRC/a.ts', ['SRC/a.ts']],
    ['a copy', 'cp src/a.ts lib/copy; git add lib', ['lib/copy']],
    ['an empty file', ': >lib/empty; git add lib', ['lib/empty']],
  ])('%s', async (_, commands, paths) => {
    await using repo = await copyGoverned(template())
    await play(repo, commands)
    // What others own is said in other words, and only where nobody else does.
    expect(await refused(repo)).toEqual(paths.map(outside))
  })

  test.each(['all', 'dirty', 'untracked'])('a pointer to a submodule, with diff.ignoreSubmodules=%s', async ignore => {
    await using repo = await copyGoverned(template())
    await play(
      repo,
      `printf '[submodule "m"]\\n\\tpath = lib/sub\\n\\turl = x\\n\\tignore = ${ignore}\\n' >.gitmodules
       git config diff.ignoreSubmodules ${ignore}; git config submodule.m.ignore ${ignore}
       git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),lib/sub
       git add .gitmodules; git -c core.hooksPath=/dev/null commit -qm modules
       git update-index --cacheinfo 160000,$(git rev-parse HEAD),lib/sub`,
    )
    expect(await refused(repo)).toEqual([outside('lib/sub')])
  })
})

describe('a change inside the scope goes through, when it is', () => {
  test.each([
    ['a deletion', 'git rm -q src/a.ts'],
    ['a deletion of all there is', 'git rm -qr src'],
    ['a change of mode', 'git update-index --chmod=+x src/a.ts'],
    ['a file that becomes a link out of it', 'ln -sf ../lib/x.ts src/a.ts; git add src'],
    ['a file that becomes a folder', 'rm src/a.ts; mkdir src/a.ts; echo x >src/a.ts/y; git add src'],
    ['a submodule', 'git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),src/sub'],
    ['a rename by case alone', 'git mv src/a.ts src/tmp; git mv src/tmp src/A.ts'],
  ])('%s', async (_, commands) => {
    await using repo = await copyGoverned(template())
    await play(repo, commands)
    expect(await repo.run('git', ['commit', '-qm', 'w'])).toMatchObject({ code: 0, stderr: '' })
  })
})
