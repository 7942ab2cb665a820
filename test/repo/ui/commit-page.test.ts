import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gatherRange } from '../../../src/shells/ui/facts/gather-range.ts'
import { DIFF_LIMITS } from '../../../src/shells/ui/facts/read-commit-diff.ts'
import type { ChangedFile, CommitDiff } from '../../../src/shells/ui/pages/commit-facts.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { claudeSession } from '../../rig/agent-hooks.ts'
import { fixture } from '../../rig/fixture.ts'
import { flushedWrites, governedRepo, startWatching } from '../../rig/governed-repo.ts'
import { startPageServer } from '../../rig/page-server.ts'
import { copyRepo, type Repo, temporaryRepo } from '../../rig/repo.ts'

const OLD = Array.from({ length: 12 }, (_, n) => `const old${n + 1} = ${n + 1}`)

// An agent replaces the second line and adds one at the end; a person adds one at the top. One commit has all of it.
const template = fixture(async () => {
  const repo = await governedRepo({ 'src/a.ts': `${OLD.join('\n')}\n`, 'src/gone.ts': 'gone\n' })
  await using _daemon = await startWatching(repo)
  const claude = claudeSession(repo, 's-1', { model: 'claude-opus-4' })
  await claude.willWrite('src/a.ts')
  const edited = [OLD[0], 'const second = "<b>"', ...OLD.slice(2), 'const last = 13']
  await repo.write('src/a.ts', `${edited.join('\n')}\n`)
  await claude.hasWritten('src/a.ts')
  await flushedWrites(repo)
  await repo.write('src/a.ts', `// a person \u202e\n${await repo.read('src/a.ts')}`)
  await flushedWrites(repo)
  await repo.git('rm', '-q', 'src/gone.ts')
  await repo.git('commit', '-qam', 'three lines')
  return repo
})

async function diffOf({ root }: Pick<Repo, 'root'>, commit: string): Promise<CommitDiff> {
  const facts = await gatherRange(await openWorkspace(root), `${commit}^!`, null)
  const diff = facts?.review.value?.diff
  if (!diff) throw new Error(`There is no diff of ${commit}: ${facts?.review.failure ?? ''}`)
  return diff
}

function linesOf({ hunks }: ChangedFile): string[] {
  return hunks.flat().flatMap(({ side, by, lines }) => {
    const margin =
      by === null ? '' : ` | ${by.intent ?? 'no intent'} ${by.author.kind} ${by.author.model ?? ''}`.trimEnd()
    return lines.map(it => `${{ added: '+', removed: '-', kept: ' ' }[side]}${it.number} ${it.text}${margin}`)
  })
}

const fileOf = ({ files }: CommitDiff, path: string): ChangedFile => {
  const file = files.find(it => it.path === path)
  if (!file) throw new Error(`The commit does not change ${path}.`)
  return file
}

test('each added line has the author and the intent of its note, and each other line has none (look A4)', async () => {
  const diff = await diffOf(template(), 'HEAD')
  expect(linesOf(fileOf(diff, 'src/a.ts'))).toEqual([
    '+1 // a person \u202e | INT-001 human',
    ' 2 const old1 = 1',
    '-2 const old2 = 2',
    '+3 const second = "<b>" | INT-001 ai anthropic/claude-opus-4',
    ...[4, 5, 6].map(it => ` ${it} const old${it - 1} = ${it - 1}`),
    ...[11, 12, 13].map(it => ` ${it} const old${it - 1} = ${it - 1}`),
    '+14 const last = 13 | INT-001 ai anthropic/claude-opus-4',
  ])
  expect(fileOf(diff, 'src/a.ts')).toMatchObject({ added: 3, removed: 1, leftOut: 0, words: [] })
  expect(fileOf(diff, 'src/gone.ts')).toMatchObject({ added: 0, removed: 1, words: ['removed'] })
  expect(diff).toMatchObject({ parents: 1, isNoted: true, isJudged: true, added: 3, removed: 2 })
})

test('the page has the subject once, the verdict, and each of its numbers leads to a list of that length', async () => {
  await using server = await startPageServer(template())
  const whole = async (address: string): Promise<string> => {
    const html = await server.page(address)
    return html.includes('data-pending') ? whole(address) : html
  }
  const html = await whole('ranges/HEAD%5E!')
  const main = html.slice(html.indexOf('<main'))
  expect(main.match(/three lines/g)).toHaveLength(1)
  expect(main).toContain('<span class="badge verdict result-passed">passed</span>')
  expect(main).toContain('const second = &quot;&lt;b>&quot;')
  expect(main).toContain('// a person \\u202e')
  expect(main).not.toContain('Judged commits')
  const counts = [...main.matchAll(/<a class="count" href="([^"]*)" aria-label="(\d+) lines"/g)]
  expect(counts.map(it => Number(it[2]))).toEqual([3, 2, 1])
  for (const [, href = '', n] of counts)
    expect((await whole(href.replaceAll('&amp;', '&'))).match(/id="total">(\d+) /)?.[1]).toBe(n)
})

test('what has no lines is said in words: modes, links, submodules, binary and renamed files', async () => {
  await using repo = await governedRepo({ 'src/run.sh': 'true\n', 'src/old.ts': `${OLD.join('\n')}\n` })
  await repo.run('chmod', ['+x', 'src/run.sh'])
  await repo.git('mv', 'src/old.ts', 'src/new.ts')
  await repo.write('src/binary', Buffer.from([1, 0, 2]))
  await repo.write('src/empty', '')
  await symlink('run.sh', join(repo.root, 'src/link'))
  await repo.git('add', '--all')
  const commit = await repo.git('rev-parse', 'HEAD')
  await repo.git('update-index', '--add', '--cacheinfo', `160000,${commit.trim()},src/module`)
  await repo.git('commit', '-qm', 'no lines')
  const diff = await diffOf(repo, 'HEAD')
  expect(Object.fromEntries(diff.files.map(it => [it.path, [it.from, ...it.words]]))).toEqual({
    'src/binary': [null, 'new', 'binary'],
    'src/empty': [null, 'new', 'empty'],
    'src/link': [null, 'new', 'symbolic link'],
    'src/module': [null, `submodule added, at ${commit.slice(0, 10)}`],
    'src/new.ts': ['src/old.ts'],
    'src/run.sh': [null, 'now executable'],
  })
})

test('a commit without a note, the first one, a merge, and one from before kotef say what they are', async () => {
  await using repo = copyRepo(template())
  await using server = await startPageServer(repo)
  const textOf = async (commit: string): Promise<string> => {
    const html = await server.page(`ranges/${commit}%5E!`)
    return html.includes('data-pending') ? textOf(commit) : html.replace(/<[^>]*>/g, '')
  }
  expect(await textOf('HEAD~1')).toContain('This commit has no note in this clone')
  const [root = ''] = (await repo.git('rev-list', '--max-parents=0', 'HEAD')).split('\n')
  expect(await textOf(root)).toContain('the first commit: it has no parent')
  await repo.git('checkout', '-q', '-b', 'side', 'HEAD~1')
  await repo.write('src/side.ts', 'side\n')
  await repo.git('add', '--all')
  await repo.git('commit', '-qm', 'side')
  await repo.git('checkout', '-q', '-')
  await repo.git('merge', '-q', '--no-edit', 'side')
  expect(await textOf('HEAD')).toContain('a merge of 2 commits')
  expect(await textOf('HEAD')).toContain('The merge has no line of its own')
  await using plain = await temporaryRepo()
  await plain.write('a', 'a\n')
  await plain.git('add', '--all')
  await plain.git('commit', '-qm', 'plain')
  const diff = await diffOf(plain, 'HEAD')
  expect(diff).toMatchObject({ isJudged: false, authors: [], added: 1 })
  expect(linesOf(fileOf(diff, 'a'))).toEqual(['+1 a'])
})

test('a large commit is cut: its counts are whole, and governance files take no room from the others', async () => {
  const lines = `${Array.from({ length: 250 }, (_, n) => `line ${n}`).join('\n')}\n`
  const names = Array.from({ length: DIFF_LIMITS.files + 5 }, (_, n) => `src/${String(n).padStart(4, '0')}.ts`)
  await using repo = await governedRepo(Object.fromEntries([...names, '.orchestration/z.md'].map(it => [it, lines])))
  const diff = await diffOf(repo, 'HEAD')
  expect(diff).toMatchObject({ added: 250 * 306, filesLeftOut: 6 })
  expect(fileOf(diff, names[0] ?? '')).toMatchObject({ added: 250, leftOut: 50 })
  const shown = diff.files.flatMap(it => it.hunks.flat()).reduce((sum, it) => sum + it.lines.length, 0)
  expect(shown).toBe(DIFF_LIMITS.lines + DIFF_LIMITS.linesOfFile)
})
