import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mapOfHead } from '../../../src/world/code/code-map/code-index.ts'
import { isMapKept, updateMapFile } from '../../../src/world/code/code-map/map-file.ts'
import { mapBlock } from '../../../src/core/code/map/map-text.ts'
import { loadContract } from '../../../src/world/lifecycle/saved-contract.ts'
import { openWorkspace, type Workspace } from '../../../src/world/io/worktree/workspace.ts'
import { fixture } from '../../rig/fixture.ts'
import { flushedWrites, startWatching } from '../../rig/governed-repo.ts'
import { copyGoverned, hookedRepo, runCliOrThrow } from '../../rig/hooked-repo.ts'
import { runCli } from '../../rig/command-line.ts'
import type { Repo } from '../../rig/repo.ts'
import { verifyFindings } from '../../rig/verify-findings.ts'

const MAP = '.orchestration/intent_map.md'

/** A function of three lines for each name. */
const functions = (...names: readonly string[]) =>
  names.map(it => `export function ${it}() {\n  return '${it}'\n}\n`).join('')

async function commit(repo: Repo, files: Readonly<Record<string, string>>, intent = 'INT-001'): Promise<void> {
  for (const [path, text] of Object.entries(files)) await repo.write(path, text)
  await repo.git('add', '--all')
  await repo.git('commit', '--quiet', '-m', 'work', '-m', `Intent-ID: ${intent}`)
}

const template = fixture(async () => {
  const repo = await hookedRepo()
  await commit(repo, { 'src/a.ts': functions('f', 'g'), 'src/plain.txt': 'text\n' })
  await commit(repo, { 'docs/tool.py': 'def tool():\n    return 1\n', 'docs/more.md': 'more\n' }, 'INT-002')
  await runCliOrThrow(repo, 'map')
  await commit(repo, { 'src/a.ts': functions('f', 'g', 'h') })
  return repo
})

/** The map's block as kotef has it now, and as it is when nothing is known yet. */
async function bothMaps(repo: Repo): Promise<[known: string, made: string]> {
  const workspace = await openWorkspace(repo.root)
  const known = mapBlock(await mapOfHead(workspace))
  for (const it of ['map', 'declarations.jsonl']) await rm(join(repo.root, '.git/kotef', it), { recursive: true })
  return [known, mapBlock(await mapOfHead(workspace))]
}

const lines = (block: string) =>
  block.split('\n').flatMap(it => (/^(#|-)/.test(it) ? [it.replace(/ xxh64:\w+ by .*/, '').replaceAll('`', '')] : []))

test('the map has the files and declarations of each intent, by the commits of their lines', async () => {
  const [known, made] = await bothMaps(template())
  expect(known).toBe(made)
  expect(lines(known)).toEqual([
    '## INT-001 work',
    '- src/a.ts function f',
    '- src/a.ts function g',
    '- src/a.ts function h',
    '- src/plain.txt file',
    '## INT-002 docs',
    '- docs/more.md file',
    '- docs/tool.py function tool',
  ])
})

test.each(['EROFS', 'ENOENT'])('where nothing may be written (%s), map and contract are the same', async code => {
  await using repo = await copyGoverned(template())
  await rm(join(repo.root, '.git/kotef/map'), { recursive: true })
  const workspace = await openWorkspace(repo.root)
  const write = () => Promise.reject(Object.assign(new Error('read-only'), { code }))
  const files = { ...workspace.files, put: write, replace: write, privateFolder: write }
  const made = async (here: Workspace) => [mapBlock(await mapOfHead(here)), await contractOf(here)]
  const here = await made({ ...workspace, files })
  expect(existsSync(join(repo.root, '.git/kotef/map'))).toBe(false)
  expect(here).toEqual(await made(workspace))
})

const contractOf = async (workspace: Workspace) =>
  (await loadContract(workspace, { intent: 'INT-001', ticket: null, cwd: workspace.root })).contract

test.each<[string, (repo: Repo) => Promise<unknown>, changed: readonly string[]]>([
  [
    'rename',
    repo => repo.git('mv', 'src/a.ts', 'src/moved.ts').then(() => commit(repo, {})),
    ['- src/moved.ts function f'],
  ],
  ['deletion', repo => repo.git('rm', '-q', 'docs/tool.py').then(() => commit(repo, {}, 'INT-002')), []],
  [
    'squash',
    async repo => {
      await repo.git('reset', '-q', '--soft', 'HEAD~3')
      await repo.git('commit', '-qm', 'all', '-m', 'Intent-ID: INT-001\nIntent-ID: INT-002')
    },
    ['- src/a.ts function h', '- docs/tool.py function tool'],
  ],
  [
    'rebase',
    async repo => {
      await repo.git('checkout', '-q', '-b', 'side', 'HEAD~1')
      await commit(repo, { 'src/side.ts': functions('s') })
      await repo.git('rebase', '-q', 'main')
    },
    ['- src/side.ts function s'],
  ],
  [
    'merge',
    async repo => {
      await repo.git('checkout', '-q', '-b', 'side', 'HEAD~1')
      await commit(repo, { 'src/side.ts': functions('s') })
      await repo.git('checkout', '-q', 'main')
      await repo.git('merge', '-q', '--no-edit', 'side')
    },
    ['- src/side.ts function s'],
  ],
  [
    'branch with the same change as this one, chosen by another merge',
    async repo => {
      await repo.git('checkout', '-q', '-b', 'one')
      await commit(repo, { 'src/x.ts': functions('x') })
      await repo.git('checkout', '-q', '-b', 'other', 'HEAD~1')
      await commit(repo, { 'src/y.ts': functions('y') })
      await repo.git('cherry-pick', 'one')
      await repo.git('checkout', '-q', '-b', 'first', 'one')
      await repo.git('merge', '-q', '--no-edit', 'other')
      await mapOfHead(await openWorkspace(repo.root))
      await repo.git('checkout', '-q', '-b', 'second', 'other')
      await repo.git('merge', '-q', '--no-edit', 'one')
    },
    ['- src/x.ts function x', '- src/y.ts function y'],
  ],
])('after a %s the map equals one that is made from nothing', async (_, change, changed) => {
  await using repo = await copyGoverned(template())
  await mapOfHead(await openWorkspace(repo.root))
  await change(repo)
  const [known, made] = await bothMaps(repo)
  expect(known).toBe(made)
  expect(lines(known)).toEqual(expect.arrayContaining([...changed]))
})

test('a method that stands outside of its type is found by the name of the type', async () => {
  await using repo = await copyGoverned(template())
  const go = 'package src\n\ntype Queue struct{}\n\nfunc (q *Queue) String() string {\n\treturn ""\n}\n'
  const rust = 'struct Queue;\n\nimpl Queue {\n  fn push(&self) {}\n}\n'
  await commit(repo, { 'src/q.go': go, 'src/q.rs': rust })
  const { text } = await runCli(repo, 'where', 'queue')
  for (const it of ['Queue.String', 'Queue.push']) expect(text).toContain(it)
  expect(lines((await bothMaps(repo))[0])).toContain('- src/q.go method Queue.String')
})

test('a merge of two branches that both changed the map has no conflict, and passes hooks and verify', async () => {
  await using repo = await copyGoverned(template())
  await repo.git('checkout', '-q', '-b', 'side')
  await commit(repo, { 'src/side.ts': functions('s') })
  await runCliOrThrow(repo, 'map')
  await repo.write(MAP, `${await repo.read(MAP)}\nWritten by hand on the side.\n`)
  await commit(repo, {})
  await repo.git('checkout', '-q', 'main')
  await commit(repo, { 'src/a.ts': functions('f', 'g', 'h', 'i'), 'src/main.ts': functions('m') })
  await runCliOrThrow(repo, 'map')
  await commit(repo, {})
  await repo.git('merge', '-q', '--no-edit', 'side')
  const merged = await repo.read(MAP)
  expect(merged).toContain('Written by hand on the side.')
  expect(merged).not.toContain('<<<<')
  expect(lines(merged)).toEqual(expect.arrayContaining(['- src/main.ts function m', '- src/side.ts function s']))
  await runCliOrThrow(repo, 'map')
  expect(await repo.read(MAP)).toContain((await bothMaps(repo))[0])
  expect(await verifyFindings(repo, 'main~2..main')).toEqual([])
})

test('a question about one intent changes no file, unless it is asked to (solo N17)', async () => {
  await using repo = await copyGoverned(template())
  expect((await runCli(repo, 'map', 'INT-001')).stderrLines).toEqual([])
  expect(await repo.git('status', '--short')).toBe('')
  expect((await runCli(repo, 'map', 'INT-001', '--write')).stderrLines).toEqual([`${MAP} was brought up to date.`])
  expect(await repo.git('status', '--short')).toBe(` M ${MAP}\n`)
})

test('a commit for any intent may have a changed block, also alone, and on the fast path', async () => {
  await using repo = await copyGoverned(template())
  await runCliOrThrow(repo, 'map')
  expect(await repo.git('status', '--short')).toBe(` M ${MAP}\n`)
  await repo.git('commit', '-qam', 'map')
  expect(await repo.git('log', '-1', '--format=%(trailers:key=Intent-ID)')).toContain('INT-001')
  expect(await verifyFindings(repo, 'HEAD~1..HEAD')).toEqual([])
})

test('the file is written only when the map changed, and the text around the block stays', async () => {
  await using repo = await copyGoverned(template())
  const around = ['# Ours\r\n\r\n<!-- kotef:begin -->\r\n', '<!-- kotef:end -->\r\n\xff'] as const
  await repo.write(MAP, Buffer.from(around.join('old\r\n'), 'latin1'))
  const workspace = await openWorkspace(repo.root)
  const map = await mapOfHead(workspace)
  expect(await updateMapFile(workspace, map)).toEqual({ isWritten: true, obstacle: null })
  const text = (await workspace.files.read(join(repo.root, MAP)))!.toString('latin1')
  expect(text.startsWith(around[0])).toBe(true)
  expect(text.endsWith(around[1])).toBe(true)
  expect(await updateMapFile(workspace, map)).toEqual({ isWritten: false, obstacle: null })
  // A formatter's blank lines are no other map.
  await repo.write(MAP, text.replaceAll('\r\n- ', '\r\n\r\n- '))
  expect(await updateMapFile(workspace, map)).toEqual({ isWritten: false, obstacle: null })
})

test('a file with damaged markers, and one in conflict, are left as they are', async () => {
  await using repo = await copyGoverned(template())
  await repo.write(MAP, '<!-- kotef:begin -->\n')
  const { stderrLines } = await runCli(repo, 'map')
  expect(stderrLines).toEqual([`${MAP} is not up to date: it does not have each of its two markers once.`])
  expect(await repo.read(MAP)).toBe('<!-- kotef:begin -->\n')
  await repo.git('checkout', '-q', MAP)
  const oid = (await repo.git('rev-parse', `HEAD:${MAP}`)).trim()
  await repo.run('git', ['update-index', '--index-info'], {
    input: `0 ${'0'.repeat(40)}\t${MAP}\n100644 ${oid} 2\t${MAP}\n`,
  })
  expect((await runCli(repo, 'map')).stderrLines).toEqual([`${MAP} is not up to date: it is in conflict.`])
})

test('kotef where answers from HEAD, and again without a parser', async () => {
  const repo = template()
  expect(await runCliOrThrow(repo, 'where', 'tool')).toBe(
    'docs/tool.py:1  function  tool  [INT-002]  tool (name)\ndocs/tool.py  [INT-002]  tool (path)',
  )
  expect(await runCliOrThrow(repo, 'where', 'unheard')).toContain('Nothing at HEAD')
})

test('one intent can be asked for, and an unknown one is an error', async () => {
  await using repo = await copyGoverned(template())
  expect((await runCli(repo, 'map', 'INT-999')).failure?.code).toBe('unknown-intent')
  expect(await runCliOrThrow(repo, 'map', 'INT-002')).toMatch(
    /^INT-002 {2}docs\n {2}docs\/more.md\n {2}docs\/tool.py\n/,
  )
})

test('with map.update commits the file follows commits, without a record of that, and not in a rebase', async () => {
  await using repo = await copyGoverned(template())
  await repo.write('.orchestration/config.yaml', 'version: 1\nmap: { update: commits }\n')
  const workspace = await openWorkspace(repo.root)
  expect(await isMapKept(workspace)).toBe(true)
  await mkdir(join(repo.root, '.git/rebase-merge'))
  await runCliOrThrow(repo, 'finalise', '--map')
  expect(await repo.git('status', '--short', MAP)).toBe('')
  await rm(join(repo.root, '.git/rebase-merge'), { recursive: true })
  await using _daemon = await startWatching(repo)
  await runCliOrThrow(repo, 'finalise', '--map')
  expect(await repo.read(MAP)).toContain('function `h`')
  expect((await flushedWrites(repo)).flatMap(it => it.files.map(of => of.path))).not.toContain(MAP)
})

test('by default commits change no file, and make no map that nobody asked for', async () => {
  await using repo = await copyGoverned(template())
  await rm(join(repo.root, '.git/kotef/map'), { recursive: true, force: true })
  expect(await isMapKept(await openWorkspace(repo.root))).toBe(false)
  await runCliOrThrow(repo, 'where', 'tool')
  expect(await isMapKept(await openWorkspace(repo.root))).toBe(true)
  await runCliOrThrow(repo, 'finalise', '--map')
  expect(await repo.git('status', '--short')).toBe('')
})

test('of many files, git reads the history of a few at the same time', async () => {
  const repo = template()
  await commit(repo, Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`src/more-${n}.ts`, functions(`m${n}`)])))
  const { git, ...places } = await openWorkspace(repo.root)
  let [running, most] = [0, 0]
  const bytes = async (args: readonly string[]) => {
    most = Math.max(most, ++running)
    return git.bytes(args).finally(() => running--)
  }
  const { entries } = await mapOfHead({ ...places, git: { ...git, bytes } })
  expect(entries.filter(it => it.path.startsWith('src/more-'))).toHaveLength(12)
  expect(most).toBe(2)
})
