import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gatherFile } from '../../../src/shells/ui/facts/gather-file.ts'
import type { FileLine, FileText } from '../../../src/shells/ui/pages/file-facts.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { claudeSession } from '../../rig/agent-hooks.ts'
import { fixture } from '../../rig/fixture.ts'
import { flushedWrites, governedRepo, startWatching } from '../../rig/governed-repo.ts'
import { copyRepo, type Repo, temporaryRepo } from '../../rig/repo.ts'

// A line from before kotef, two of an agent in a commit, one of a person on top, which is not committed.
const template = fixture(async () => {
  const repo = await governedRepo({ 'src/a.ts': 'const old = 1\n' })
  await using _daemon = await startWatching(repo)
  const claude = claudeSession(repo, 's-1')
  await claude.willWrite('src/a.ts')
  await repo.write('src/a.ts', 'const old = 1\nconst one = 1\nconst two = 2\n')
  await claude.hasWritten('src/a.ts')
  await flushedWrites(repo)
  await repo.git('commit', '-qam', 'two lines')
  await repo.write('src/a.ts', `// top\n${await repo.read('src/a.ts')}`)
  await flushedWrites(repo)
  return repo
})

const ALL = { by: 'intent', only: null, from: 0 } as const

async function fileFacts({ root }: Pick<Repo, 'root'>, path: string, question: Partial<Question> = {}) {
  return gatherFile(await openWorkspace(root), { ...ALL, ...question, path })
}

type Question = Parameters<typeof gatherFile>[1]

async function fileText(repo: Pick<Repo, 'root'>, path: string, question: Partial<Question> = {}): Promise<FileText> {
  const { content } = await fileFacts(repo, path, question)
  if (content.kind !== 'text') throw new Error(`${path} is ${content.kind}.`)
  return content
}

const linesOf = ({ view }: FileText) => view.blocks.flatMap(it => it.lines.map(of => ({ ...of, why: it.why })))

test('every line of the page is that of kotef blame', async () => {
  await using repo = copyRepo(template())
  const { stdout } = await repo.kotef('blame', 'src/a.ts', '--json')
  const blamed = JSON.parse(stdout) as { lines: readonly Record<string, unknown>[] }
  const text = await fileText(repo, 'src/a.ts')
  expect(linesOf(text).map(({ number, why }) => asBlamed(number, why))).toEqual(
    blamed.lines.map(({ line, commit, intent, session, contributor, how }) => {
      return { line, commit, intent, session, contributor, how }
    }),
  )
  expect(linesOf(text).map(it => it.text)).toEqual(['// top', 'const old = 1', 'const one = 1', 'const two = 2'])
  expect(text.view).toMatchObject({ total: 4, uncommitted: 1 })
  expect([...text.subjects.values()].sort()).toEqual(['before the test', 'two lines'])
})

function asBlamed(line: number, { commit, author: { intent, session, contributor }, how }: FileLine) {
  return { line, commit, intent, session, contributor, how }
}

test('the groups count what kotef blame counts, and each group alone has as many lines', async () => {
  await using repo = copyRepo(template())
  for (const by of ['intent', 'author'] as const) {
    const { view } = await fileText(repo, 'src/a.ts', { by })
    expect(view.groups.map(it => it.lines).reduce((sum, it) => sum + it, 0)).toBe(4)
    for (const { key, lines } of view.groups)
      expect(linesOf(await fileText(repo, 'src/a.ts', { by, only: key })), key).toHaveLength(lines)
  }
  expect(linesOf(await fileText(repo, 'src/a.ts', { only: 'uncommitted' })).map(it => it.text)).toEqual(['// top'])
})

test('the records of the file are those of kotef trace', async () => {
  await using repo = copyRepo(template())
  const { stdout } = await repo.kotef('trace', '--file', 'src/a.ts', '--json')
  expect((await fileFacts(repo, 'src/a.ts')).records).toBe((JSON.parse(stdout) as unknown[]).length)
})

test('a file that changes, a commit and a note are on the page of the same server at once', async () => {
  await using repo = copyRepo(template())
  const workspace = await openWorkspace(repo.root)
  const totals = async () => {
    const { content } = await gatherFile(workspace, { ...ALL, path: 'src/a.ts' })
    return content.kind === 'text' ? [content.view.total, content.view.uncommitted] : content.kind
  }
  expect(await totals()).toEqual([4, 1])
  await repo.write('src/a.ts', `${await repo.read('src/a.ts')}// end\n`)
  expect(await totals()).toEqual([5, 2])
  await repo.git('commit', '-qam', 'all of it')
  expect(await totals()).toEqual([5, 0])
  await repo.git('update-ref', '-d', 'refs/notes/kotef')
  const text = await gatherFile(workspace, { ...ALL, path: 'src/a.ts' })
  expect(text.content.kind === 'text' && linesOf(text.content).map(it => it.why.how)).not.toContain('note')
})

test('hostile names and bytes: quotes, newlines, marks that reorder, bytes that are not UTF-8', async () => {
  await using repo = await governedRepo({
    'src/"a\nb\'.ts': 'one\n',
    'src/\u202egnp.ts': 'two\n',
    'src/<script>.ts': Buffer.from([0x61, 0xff, 0x0a, 0x1b, 0x5b, 0x6d, 0x0a]),
  })
  expect(linesOf(await fileText(repo, 'src/"a\nb\'.ts')).map(it => it.text)).toEqual(['one'])
  expect(linesOf(await fileText(repo, 'src/\u202egnp.ts')).map(it => it.text)).toEqual(['two'])
  expect(linesOf(await fileText(repo, 'src/<script>.ts')).map(it => it.text)).toEqual(['a\ufffd', '\u001b[m'])
})

test('what is no text in the worktree says what it is, and nothing outside is read', async () => {
  await using repo = await governedRepo({
    'src/binary': Buffer.from([1, 0, 2]),
    'src/gone.ts': 'gone\n',
    'src/empty.ts': '',
    '.gitignore': 'secret\n',
  })
  await repo.run('rm', ['src/gone.ts'])
  await repo.write('secret', 'hunter2\n')
  await repo.write('../outside', 'hunter2\n')
  await symlink('../outside', join(repo.root, 'link'))
  await symlink('..', join(repo.root, 'up'))
  await mkdir(join(repo.root, 'folder'))
  const kinds = new Map<string, string>()
  const paths = [
    'src/binary',
    'src/gone.ts',
    'never',
    'folder',
    'link',
    'up/outside',
    'secret',
    '../outside',
    '/etc/passwd',
  ]
  for (const path of [...paths, '.git/config', '.GIT/config', 'src/../../outside', '', 'a\0b'])
    kinds.set(path, (await fileFacts(repo, path)).content.kind)
  expect(Object.fromEntries(kinds)).toEqual({
    'src/binary': 'binary',
    'src/gone.ts': 'missing',
    never: 'missing',
    folder: 'folder',
    link: 'link',
    'up/outside': 'link',
    secret: 'ignored',
    '../outside': 'outside',
    '/etc/passwd': 'outside',
    '.git/config': 'outside',
    '.GIT/config': 'outside',
    'src/../../outside': 'outside',
    '': 'outside',
    'a\0b': 'outside',
  })
  expect((await fileFacts(repo, 'src/gone.ts')).content).toMatchObject({ last: { subject: 'before the test' } })
  expect(linesOf(await fileText(repo, 'src/empty.ts'))).toEqual([])
})

test('a file that is not committed has lines, also where nothing is', async () => {
  await using repo = copyRepo(template())
  await using unborn = await temporaryRepo()
  for (const each of [repo, unborn]) {
    await each.write('src/new.ts', 'a\nb\n')
    expect((await fileText(each, 'src/new.ts')).view).toMatchObject({ total: 2, uncommitted: 2 })
  }
})
