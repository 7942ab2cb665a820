import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { blobOid } from '../../../src/core/git/blob-oid.ts'
import type { Target } from '../../../src/core/agents/tool-targets.ts'
import { resolveTargets } from '../../../src/shells/agent-hook/resolve-targets.ts'
import { temporaryRepo } from '../../rig/repo.ts'

async function linkedRepo() {
  const repo = await temporaryRepo({ 'src/a.ts': 'a\n', 'src/deep/b.ts': 'b\n', 'docs/c.md': 'c\n' })
  await symlink('../docs', join(repo.root, 'src/docs'))
  await symlink('../docs/c.md', join(repo.root, 'src/c.md'))
  await symlink('../docs/new.md', join(repo.root, 'src/dangling.md'))
  await symlink('/etc', join(repo.root, 'src/etc'))
  await symlink('..', join(repo.root, 'src/deep/deeper'))
  await symlink('loop', join(repo.root, 'src/loop'))
  return repo
}

test('each path is at the places where the system would write it', async () => {
  await using repo = await linkedRepo()
  const other = join(repo.base, 'other')
  await mkdir(other)
  await writeFile(join(other, 'x'), '')
  const ground = { root: repo.root, gitDir: join(repo.root, '.git'), others: [other], cwd: repo.root }
  const rows: readonly [Target, readonly string[]][] = [
    [{ path: 'src/a.ts' }, ['inside src/a.ts']],
    [{ path: 'src/new/deep.ts' }, ['inside src/new/deep.ts']],
    [{ path: './src//deep/../a.ts' }, ['inside src/a.ts']],
    [{ path: `${repo.root}/src/a.ts` }, ['inside src/a.ts']],
    [{ path: 'src/docs/new.md' }, ['inside docs/new.md']],
    [{ path: 'src/docs/../a.ts' }, ['inside a.ts']],
    [{ path: 'src/c.md' }, ['inside docs/c.md', 'inside src/c.md']],
    [{ path: 'src/dangling.md' }, ['inside docs/new.md', 'inside src/dangling.md']],
    [{ path: 'src/etc/passwd' }, ['outside /etc/passwd']],
    [{ path: 'src/loop' }, ['nowhere']],
    [{ path: '../x' }, ['outside']],
    [{ path: '~/x' }, ['outside']],
    [{ path: '.' }, ['outside']],
    [{ path: '.git/hooks/x' }, ['git']],
    [{ path: 'src/.GIT/config' }, ['git']],
    [{ path: '../other/x' }, ['worktree']],
    [{ path: 'docs', maybe: true }, ['inside docs']],
    [{ path: 'ABC-1', maybe: true }, []],
    [{ path: 'x'.repeat(300), maybe: true }, []],
    [{ path: 'docs', into: ['a', 'b'] }, ['inside docs/a', 'inside docs/b']],
    [{ path: 'docs/c.md', into: ['a'] }, ['inside docs/c.md']],
    [{ path: 'src/deep', tree: true }, ['inside src/deep', 'inside src/deep/b.ts', 'inside src/deep/deeper']],
  ]
  const facts = await resolveTargets(
    ground,
    rows.map(([it]) => it),
  )
  const reported = facts.map(it =>
    it.locations.map(place => `${place.kind} ${'path' in place ? place.path : ''}`.trim()).sort(),
  )
  expect(
    reported.map((it, i) => it.map((line, k) => (rows[i]?.[1][k]?.includes(' ') ? line : line.split(' ')[0]))),
  ).toEqual(rows.map(([, places]) => places))
})

test('what stands there is told by its blob oid', async () => {
  await using repo = await linkedRepo()
  const ground = { root: repo.root, gitDir: join(repo.root, '.git'), others: [], cwd: join(repo.root, 'src') }
  const facts = await resolveTargets(ground, [{ path: 'a.ts' }, { path: 'c.md' }, { path: 'none' }])
  expect(facts.map(it => it.currentOid)).toEqual([blobOid(Buffer.from('a\n')), blobOid(Buffer.from('c\n')), null])
})

test('a word that git takes for a reference is not a path, even where a folder has its name', async () => {
  await using repo = await linkedRepo()
  const commands = `mkdir -p lib v1 packed team/x other remote; git branch lib; git tag v1; git branch packed
    git pack-refs --all; git branch team/x; git update-ref refs/remotes/origin/remote HEAD
    git worktree add -q ../w; git branch -f other; mkdir -p ../w/lib ../w/docs`
  await repo.run('sh', ['-ec', commands])
  const placesIn = async (root: string, gitDir: string, path: string) => {
    const target = { path, maybe: true, orReference: true }
    const [fact] = await resolveTargets({ root, gitDir, others: [], cwd: root }, [target])
    return fact?.locations.map(it => ('path' in it ? it.path : it.kind))
  }
  const here = (path: string) => placesIn(repo.root, join(repo.root, '.git'), path)
  for (const word of ['lib', 'v1', 'packed', 'team/x', 'HEAD', 'nowhere', 'other'])
    expect([word, await here(word)]).toEqual([word, []])
  expect(await here('docs')).toEqual(['docs'])
  expect(await here('./lib')).toEqual(['lib'])
  expect(await here('remote')).toEqual(['remote'])
  const there = (path: string) => placesIn(join(repo.base, 'w'), join(repo.root, '.git/worktrees/w'), path)
  expect([await there('lib'), await there('docs')]).toEqual([[], ['docs']])
})

test('the bytes of a large file are compared in pieces, and those of a huge one are not read', async () => {
  await using repo = await linkedRepo()
  await truncate(join(repo.root, 'src/a.ts'), 70_000_000)
  await truncate(join(repo.root, 'docs/c.md'), 3_000_000_000)
  const ground = { root: repo.root, gitDir: join(repo.root, '.git'), others: [], cwd: repo.root }
  const [large, huge] = await resolveTargets(ground, [{ path: 'src/a.ts' }, { path: 'docs/c.md' }])
  const bytes = Buffer.concat([Buffer.from('a\n'), Buffer.alloc(69_999_998)])
  expect(large?.currentOid).toBe(blobOid(bytes))
  expect(huge?.locations).toEqual([{ kind: 'nowhere', why: 'it is larger than 512 MiB' }])
})
