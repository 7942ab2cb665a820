import { expect, test } from 'vitest'
import { fileRules } from './file-rules.ts'
import { circlesAmong, namesExportedTwice, roomsOnMap, untestedPureFiles, wayTo } from './tree-rules.ts'
import { sourceOf } from './source.ts'

test.each<[rule: keyof typeof fileRules, path: string, found: string, text: string]>([
  ['roomsImportWhatTheyMay', 'src/rules/a.ts', 'rules may not', "import type { Git } from '../io/git.ts'"],
  ['roomsImportWhatTheyMay', 'src/cli/a.ts', 'cli may not', "await import('../hooks/run.ts')"],
  ['roomsImportWhatTheyMay', 'src/io/a.ts', 'io may not', "import '../cli/verb.ts'"],
  ['librariesStayAtHome', 'src/cli/a.ts', 'home in io', "import { simpleGit } from 'simple-git'"],
  ['librariesStayAtHome', 'src/cli/a.ts', 'home in no room', "import x from '@other/thing/part'"],
  ['pureRoomsDoNotTouchNode', 'src/scope/a.ts', 'scope is pure', "import { readFileSync } from 'node:fs'"],
  ['pureRoomsDoNotTouchNode', 'src/scope/a.ts', 'scope is pure', "import { randomUUID } from 'node:crypto'"],
  ['pureRoomsDoNotTouchTheWorld', 'src/git/a.ts', 'a.ts:1 uses Date.now', 'export const a = Date.now()'],
  ['pureRoomsDoNotTouchTheWorld', 'src/git/a.ts', 'a.ts:2 uses new Date()', '\nexport const a = new Date()'],
  ['pureRoomsDoNotTouchTheWorld', 'src/git/a.ts', 'uses Math.random', 'export const a = Math.random'],
  ['pureRoomsDoNotTouchTheWorld', 'src/git/a.ts', 'uses async', 'export const a = async () => {}'],
  ['pureRoomsDoNotTouchTheWorld', 'src/git/a.ts', 'uses await', 'await a'],
  ['pureRoomsDoNotTouchTheWorld', 'src/git/a.ts', 'uses setTimeout', 'setTimeout(f)'],
  ['pureRoomsDoNotTouchTheWorld', 'src/git/a.ts', 'uses process', 'export const a = process.env'],
  ['onePlaceSpeaks', 'src/cli/a.ts', 'prints by process.stderr', "process.stderr.write('a')"],
  ['onePlaceSpeaks', 'src/cli/a.ts', 'prints by console', "console.log('a')"],
  ['nothingLongIsSpread', 'src/ledger/a.ts', 'a.ts:2 spreads a list', '\nall.push(1, ...more)'],
  ['nothingIsLeftToDo', 'src/cli/a.ts', 'a.ts:2 says TODO', '\n// TODO later'],
  ['exportsAreExplained', 'src/cli/a.ts', 'a.ts:3 exports', '/** A. */\n\nexport function a() {}'],
  ['nothingIsPassedOn', 'src/cli/a.ts', 'a.ts:1 exports', "export * from './b.ts'"],
  ['wordsArePlain', 'src/cli/a.ts', 'a.ts:2 says "anew": write again', '\n// It is compiled anew.'],
  ['wordsArePlain', 'src/cli/a.ts', 'says "Whoever"', "export const a = 'Whoever asks is answered.'"],
  ['wordsArePlain', 'src/cli/a.ts', 'says "tells"', 'export const a = `${b} tells of it`'],
  ['timesHaveOnePlace', 'src/io/a.ts', 'a.ts:2 has WAIT_MS_MAX', '\nconst WAIT_MS_MAX = 10'],
  ['safeTextsHaveOnePlace', 'src/runs/a.ts', 'a.ts:2 calls a text safe', '\nexport const a = line as SafeText'],
  ['safeTextsHaveOnePlace', 'src/runs/a.ts', 'a.ts:2 calls a text published', '\nexport const a = published(line)'],
  ['functionsAreShort', 'src/cli/a.ts', 'of 51 lines', `const f = () => {${'\n'.repeat(50)}}`],
  ['functionsTakeFewThings', 'src/cli/a.ts', 'takes 4', 'const f = (a, b, c, d) => a'],
  ['filesAreShort', 'src/cli/a.ts', '251 lines', '\n'.repeat(251)],
  ['linesAreShort', 'src/cli/a.ts', '121 characters', `// ${'ä'.repeat(118)}`],
])('%s sees in %s: %s', (rule, path, found, text) => {
  expect(fileRules[rule](sourceOf(path, text))).toEqual([expect.stringContaining(found)])
})

test('what looks alike and is allowed is not seen', () => {
  const text = `import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
/** Time is an argument. */
export function at(now: number, it: { process: Stats; console: 'setTimeout' }) {
  return [new Date(now), createHash('sha1'), Date.parse('2026-01-01'), it]
}
`
  const source = sourceOf('src/ledger/a.ts', text)
  expect(Object.values(fileRules).flatMap(rule => rule(source))).toEqual([])
})

test('circles and forbidden libraries are found by whatever way', () => {
  const sources = [
    sourceOf('src/hooks/hook.ts', "import { a } from '../io/a.ts'"),
    sourceOf('src/io/a.ts', "import { b } from './b.ts'\nimport type { z } from 'zod'"),
    sourceOf('src/io/b.ts', "import { a } from './a.ts'\nimport { parse } from 'yaml'"),
  ]
  expect(circlesAmong(sources)).toEqual(['src/io/a.ts -> src/io/b.ts -> src/io/a.ts'])
  expect(wayTo('yaml', 'src/hooks/hook.ts', sources)).toBe('src/hooks/hook.ts -> src/io/a.ts -> src/io/b.ts -> yaml')
  expect(wayTo('zod', 'src/hooks/hook.ts', sources)).toBeNull()
})

test('a name that two files export is found, of whatever kind it is, unless it is exempt', () => {
  const sources = [
    sourceOf('src/io/a.ts', 'export function one() {}\nexport const two = 2, run = 3\nexport type Three = 3'),
    sourceOf('src/io/b.ts', 'export class one {}\nexport { x as two }\nconst x = 1\nexport function run() {}'),
    sourceOf('src/io/c.ts', 'export interface Three {}\nfunction one() {}\nexport const own = { two: 2 }'),
  ]
  expect(namesExportedTwice(sources, ['run'])).toEqual([
    'one: src/io/a.ts, src/io/b.ts',
    'two: src/io/a.ts, src/io/b.ts',
    'Three: src/io/a.ts, src/io/c.ts',
  ])
})

test('a long file of a pure room is found when no test imports it itself', () => {
  const [long, short] = ['\n'.repeat(41), '\n'.repeat(40)]
  const sources = [
    sourceOf('src/rules/tested.ts', long),
    sourceOf('src/rules/untested.ts', long),
    sourceOf('src/git/diff/untested.ts', long),
    sourceOf('src/rules/short.ts', short),
    sourceOf('src/io/of-the-world.ts', long),
  ]
  const tests = [sourceOf('test/core/rules/a.test.ts', "import { a } from '../../../src/rules/tested.ts'")]
  expect(untestedPureFiles(sources, tests)).toEqual(['src/rules/untested.ts', 'src/git/diff/untested.ts'])
})

test('the map page is read in every form that it may have', () => {
  const page = '# Map\n\n| room | for |\n| `io/` | disk |\n- `cli/` the words\n  rules/  judges\nsee `other/x`\n'
  expect(roomsOnMap(page)).toEqual(['cli', 'io', 'rules'])
})
