import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { repositoryRoot } from './rig/packed-kotef.ts'
import { type FileRule, fileRules } from './tidy/file-rules.ts'
import { lightEntries, limits, sharedNames } from './tidy/rooms.ts'
import { circlesAmong, namesExportedTwice, roomsOnMap, untestedPureFiles, wayTo } from './tidy/tree-rules.ts'
import { filesBelow, type Source, sourcesBelow } from './tidy/source.ts'
import { noWayAroundIsNamed, WAY_AROUND } from './tidy/ways-around.ts'
import { misleadingIn } from './tidy/words.ts'

const src = sourcesBelow(repositoryRoot, ['src'])
const all = [...src, ...sourcesBelow(repositoryRoot, ['test'])]
const handmade = all.filter(it => !it.path.endsWith('.test.ts'))
const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8')

test.each<[promise: string, rule: FileRule, sources: readonly Source[]]>([
  ['a room imports only the rooms that it may', fileRules.roomsImportWhatTheyMay, src],
  ['a library is imported only where it has its home', fileRules.librariesStayAtHome, src],
  ['a pure room imports nothing of Node that reaches outside', fileRules.pureRoomsDoNotTouchNode, src],
  ['a pure room knows no time, no chance, no process and no waiting', fileRules.pureRoomsDoNotTouchTheWorld, src],
  ['one place speaks', fileRules.onePlaceSpeaks, src],
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
  ['a file has 250 lines at most', fileRules.filesAreShort, all],
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

test('no files of src load each other in a circle', () => {
  expect(circlesAmong(src)).toEqual([])
})

test('an exported name is unique in src', () => {
  expect(namesExportedTwice(src, sharedNames)).toEqual([])
})

test('a pure file over 40 lines has a core test', () => {
  const tests = all.filter(it => it.path.startsWith('test/core/'))
  expect(untestedPureFiles(src, tests)).toEqual([])
})

test('the git hooks do not load what they do not need', () => {
  const ways = Object.entries(lightEntries).flatMap(([entry, not]) => not.map(library => wayTo(library, entry, src)))
  expect(ways.filter(Boolean)).toEqual([])
})

test('the map of src names every room, and no other', () => {
  const folders = readdirSync(join(repositoryRoot, 'src'), { withFileTypes: true }).filter(it => it.isDirectory())
  expect(roomsOnMap(read('src/README.md'))).toEqual(folders.map(it => it.name).sort())
})

test('the documents use plain words', () => {
  const pages = ['README.md', 'CHANGELOG.md', 'src/README.md', ...filesBelow(repositoryRoot, 'docs', '.md')]
  // Code and quoted output have names of their own, such as the titles of tests.
  const prose = (path: string) => read(path).replaceAll(/```[^]*?```|`[^`\n]*`/g, '')
  expect(pages.flatMap(path => misleadingIn(prose(path)).map(says => `${path} ${says}`))).toEqual([])
})

test('the map has three walks of 12 lines at most, and every file that it names is there', () => {
  const page = read('src/README.md')
  const walks = (/## Three walks\n([^]*?)\n## /.exec(page)?.[1] ?? '').split(/^### .*$/m).slice(1)
  expect(walks.map(it => it.trim().split('\n').length <= 12)).toEqual([true, true, true])
  const named = walks.flatMap(it => [...it.matchAll(/`((?:\.\.\/)?[a-z-]+\/[a-z/.-]*)`/g)]).map(it => it[1] ?? '')
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter(it => !existsSync(join(repositoryRoot, 'src', it)))).toEqual([])
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
