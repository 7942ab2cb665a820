import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { repositoryRoot } from './rig/packed-kotef.ts'
import { type FileRule, fileRules } from './tidy/file-rules.ts'
import { lightEntries, limits, sharedNames } from './tidy/rooms.ts'
import { circlesAmong, namesExportedTwice, untestedPureFiles, wayTo } from './tidy/tree-rules.ts'
import { filesBelow, type Source, sourcesBelow } from './tidy/source.ts'
import { noWayAroundIsNamed, WAY_AROUND } from './tidy/ways-around.ts'
import { misleadingIn } from './tidy/words.ts'

const src = sourcesBelow(repositoryRoot, ['src'])
const all = [...src, ...sourcesBelow(repositoryRoot, ['test'])]
const handmade = all.filter(it => !it.path.endsWith('.test.ts'))
const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8')

test.each<[promise: string, rule: FileRule, sources: readonly Source[]]>([
  ['a room imports only the rooms that it may', fileRules.roomsImportWhatTheyMay, src],
  ['the handover is asked by its ports', fileRules.handoverIsAskedByItsPorts, src],
  ['a library is imported only where it has its home', fileRules.librariesStayAtHome, src],
  ['a pure room imports nothing of Node that reaches outside', fileRules.pureRoomsDoNotTouchNode, src],
  ['a pure room knows no time, no chance, no process and no waiting', fileRules.pureRoomsDoNotTouchTheWorld, src],
  ['one place speaks', fileRules.onePlaceSpeaks, src],
  ['a process is started in world/io', fileRules.processesStartInOneRoom, src],
  ['no list of any length goes on the stack', fileRules.nothingLongIsSpread, src],
  ['nothing is left to do', fileRules.nothingIsLeftToDo, src],
  ['an exported function says why it is there', fileRules.exportsAreExplained, src],
  ['no file passes on what another one exports', fileRules.nothingIsPassedOn, all],
  ['comments and messages use plain words', fileRules.wordsArePlain, src],
  ['no text says how to skip the hooks', noWayAroundIsNamed, src],
  ['a constant in milliseconds is in the list of thresholds, or in a shell', fileRules.timesHaveOnePlace, src],
  ['a text that may leave this machine is made in one room', fileRules.safeTextsHaveOnePlace, src],
  ['a function is 50 lines at most', fileRules.functionsAreShort, handmade],
  ['a function takes 3 things at most', fileRules.functionsTakeFewThings, handmade],
  ['a file has 300 lines at most', fileRules.filesAreShort, all],
  ['a line is 120 characters wide at most', fileRules.linesAreShort, all],
])('%s', (_, rule, sources) => {
  expect(sources.flatMap(rule)).toEqual([])
})

test('no hook and no page that an agent can print says how to skip the hooks', () => {
  // The notes are pushed by a hook, which must not run itself again.
  const pushesNotes = /^ *git push --quiet --no-verify --end-of-options .*$/gm
  const hooks = readdirSync(join(repositoryRoot, 'hooks')).map(it => `hooks/${it}`)
  const pages = [...hooks, ...filesBelow(repositoryRoot, 'docs/explain', '.md')]
  expect(pages.filter(it => WAY_AROUND.test(read(it).replaceAll(pushesNotes, '')))).toEqual([])
})

test('no files of src import each other in a circle, by a type or otherwise', () => {
  expect(circlesAmong(src)).toEqual([])
})

test('an exported name is unique in src', () => {
  expect(namesExportedTwice(src, sharedNames)).toEqual([])
})

test('a pure file over 40 lines has a test of its own', () => {
  const tests = all.filter(it => /^test\/(?:core|world|shells)\//.test(it.path))
  expect(untestedPureFiles(src, tests)).toEqual([])
})

test('the git hooks do not load what they do not need', () => {
  const ways = Object.entries(lightEntries).flatMap(([entry, not]) => not.map(library => wayTo(library, entry, src)))
  expect(ways.filter(Boolean)).toEqual([])
})

test('each file of the rig says what it gives, before its first export', () => {
  const silent = all.filter(({ path, program, comments }) => {
    const first = program.body.find(it => it.type.startsWith('Export')) ?? program.body.at(-1)
    return path.startsWith('test/rig/') && first !== undefined && !comments.some(it => it.end < first.start)
  })
  expect(silent.map(it => it.path)).toEqual([])
})

test('each folder of tests of pure functions is a folder of src', () => {
  const folders = new Set(all.flatMap(it => /^test\/((?:core|world|shells)\/.+)\//.exec(it.path)?.[1] ?? []))
  expect([...folders].filter(it => !existsSync(join(repositoryRoot, 'src', it)))).toEqual([])
})

test('the documents use plain words', () => {
  const folders = ['docs', 'test/requirements'].flatMap(it => filesBelow(repositoryRoot, it, '.md'))
  const pages = ['README.md', 'CHANGELOG.md', 'src/README.md', ...folders]
  // Code and quoted output have names of their own, such as the titles of tests.
  const prose = (path: string) => read(path).replaceAll(/```[^]*?```|`[^`\n]*`/g, '')
  expect(pages.flatMap(path => misleadingIn(prose(path)).map(says => `${path} ${says}`))).toEqual([])
})

test('a shim of a git hook has 15 lines at most', () => {
  const lengths = filesBelow(repositoryRoot, 'hooks', '').map(path => ({
    path,
    lines: read(path).split('\n').length - 1,
  }))
  expect(lengths.filter(it => basename(it.path) !== 'common.sh' && it.lines > limits.shim)).toEqual([])
})

test('a transcript has 60 lines at most', () => {
  const lengths = filesBelow(repositoryRoot, 'test/script', '.txt').map(path => read(path).split('\n').length - 1)
  expect(Math.max(...lengths)).toBeLessThanOrEqual(limits.transcript)
})
