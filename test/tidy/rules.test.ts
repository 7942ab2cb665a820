import { expect, test } from 'vitest'
import { fileRules } from './file-rules.ts'
import {
  circlesAmong,
  invariantsOnMap,
  namesExportedTwice,
  roomsOnMap,
  untestedPureFiles,
  wayTo,
} from './tree-rules.ts'
import { missingTests, testsNamedIn } from './named-tests.ts'
import { sourceOf } from './source.ts'

test.each<[rule: keyof typeof fileRules, path: string, found: string, text: string]>([
  [
    'roomsImportWhatTheyMay',
    'src/core/rules/a.ts',
    'core/rules may not',
    "import type { Git } from '../../world/io/git.ts'",
  ],
  ['roomsImportWhatTheyMay', 'src/shells/cli/a.ts', 'shells/cli may not', "await import('../git-hooks/run.ts')"],
  ['roomsImportWhatTheyMay', 'src/world/io/a.ts', 'world/io may not', "import '../../shells/cli/verb.ts'"],
  [
    'handoverIsAskedByItsPorts',
    'src/core/rules/a.ts',
    'src/core/handover/workflow.ts, which is no port',
    "import { TRANSITIONS } from '../handover/workflow.ts'",
  ],
  ['librariesStayAtHome', 'src/shells/cli/a.ts', 'home in world/io', "import { simpleGit } from 'simple-git'"],
  ['librariesStayAtHome', 'src/shells/cli/a.ts', 'home in no room', "import x from '@other/thing/part'"],
  [
    'pureRoomsDoNotTouchNode',
    'src/core/intents/a.ts',
    'core/intents is pure',
    "import { readFileSync } from 'node:fs'",
  ],
  [
    'pureRoomsDoNotTouchNode',
    'src/core/intents/a.ts',
    'core/intents is pure',
    "import { randomUUID } from 'node:crypto'",
  ],
  ['pureRoomsDoNotTouchTheWorld', 'src/core/git/a.ts', 'a.ts:1 uses Date.now', 'export const a = Date.now()'],
  ['pureRoomsDoNotTouchTheWorld', 'src/core/git/a.ts', 'a.ts:2 uses new Date()', '\nexport const a = new Date()'],
  ['pureRoomsDoNotTouchTheWorld', 'src/core/git/a.ts', 'uses Math.random', 'export const a = Math.random'],
  ['pureRoomsDoNotTouchTheWorld', 'src/core/git/a.ts', 'uses async', 'export const a = async () => {}'],
  ['pureRoomsDoNotTouchTheWorld', 'src/core/git/a.ts', 'uses await', 'await a'],
  ['pureRoomsDoNotTouchTheWorld', 'src/core/git/a.ts', 'uses setTimeout', 'setTimeout(f)'],
  ['pureRoomsDoNotTouchTheWorld', 'src/core/git/a.ts', 'uses process', 'export const a = process.env'],
  ['onePlaceSpeaks', 'src/shells/cli/a.ts', 'prints by process.stderr', "process.stderr.write('a')"],
  ['onePlaceSpeaks', 'src/shells/cli/a.ts', 'prints by console', "console.log('a')"],
  [
    'processesStartInOneRoom',
    'src/shells/cli/a.ts',
    'started in world/io',
    "import { spawn } from 'node:child_process'",
  ],
  ['nothingLongIsSpread', 'src/core/ledger/a.ts', 'a.ts:2 spreads a list', '\nall.push(1, ...more)'],
  ['nothingIsLeftToDo', 'src/shells/cli/a.ts', 'a.ts:2 says TODO', '\n// TODO later'],
  ['exportsAreExplained', 'src/shells/cli/a.ts', 'a.ts:3 exports', '/** A. */\n\nexport function a() {}'],
  ['nothingIsPassedOn', 'src/shells/cli/a.ts', 'a.ts:1 exports', "export * from './b.ts'"],
  ['wordsArePlain', 'src/shells/cli/a.ts', 'a.ts:2 says "anew": write again', '\n// It is compiled anew.'],
  ['wordsArePlain', 'src/shells/cli/a.ts', 'says "Whoever"', "export const a = 'Whoever asks is answered.'"],
  ['wordsArePlain', 'src/shells/cli/a.ts', 'says "tells"', 'export const a = `${b} tells of it`'],
  ['namesArePlain', 'src/shells/cli/a.ts', 'the name isTold', 'export const a = (isTold: boolean) => !isTold'],
  ['noFormSavesLines', 'src/shells/cli/a.ts', 'a.ts:2 declares several', '\nconst [a, b] = [c, d]'],
  ['noFormSavesLines', 'src/shells/cli/a.ts', 'a.ts:2 spreads a literal', '\nexport const a = { ...{ b } }'],
  ['noFormSavesLines', 'src/shells/ui/a.tsx', 'a.tsx:1 spreads a literal', 'export const a = <p {...{ b }} />'],
  ['timesHaveOnePlace', 'src/world/io/a.ts', 'a.ts:2 has WAIT_MS_MAX', '\nconst WAIT_MS_MAX = 10'],
  ['safeTextsHaveOnePlace', 'src/core/runs/a.ts', 'a.ts:2 calls a text safe', '\nexport const a = line as SafeText'],
  [
    'safeTextsHaveOnePlace',
    'src/core/runs/a.ts',
    'a.ts:2 calls a text published',
    '\nexport const a = published(line)',
  ],
  ['functionsAreShort', 'src/shells/cli/a.ts', 'of 51 lines', `const f = () => {${'\n'.repeat(50)}}`],
  ['functionsTakeFewThings', 'src/shells/cli/a.ts', 'takes 4', 'const f = (a, b, c, d) => a'],
  ['filesAreShort', 'src/shells/cli/a.ts', '301 lines', '\n'.repeat(301)],
  ['linesAreShort', 'src/shells/cli/a.ts', '121 characters', `// ${'ä'.repeat(118)}`],
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
  const source = sourceOf('src/core/ledger/a.ts', text)
  expect(Object.values(fileRules).flatMap(rule => rule(source))).toEqual([])
})

test('circles and forbidden libraries are found by whatever way', () => {
  const sources = [
    sourceOf('src/shells/git-hooks/hook.ts', "import { a } from '../../world/io/a.ts'"),
    sourceOf('src/world/io/a.ts', "import { b } from './b.ts'\nimport type { z } from 'zod'"),
    sourceOf('src/world/io/b.ts', "import { a } from './a.ts'\nimport { parse } from 'yaml'"),
  ]
  expect(circlesAmong(sources)).toEqual(['src/world/io/a.ts -> src/world/io/b.ts -> src/world/io/a.ts'])
  expect(wayTo('yaml', 'src/shells/git-hooks/hook.ts', sources)).toBe(
    'src/shells/git-hooks/hook.ts -> src/world/io/a.ts -> src/world/io/b.ts -> yaml',
  )
  expect(wayTo('zod', 'src/shells/git-hooks/hook.ts', sources)).toBeNull()
})

test('a circle that is closed by a type alone is one', () => {
  const sources = [
    sourceOf('src/world/io/a.ts', "import { b } from './b.ts'"),
    sourceOf('src/world/io/b.ts', "import type { A } from './a.ts'"),
  ]
  expect(circlesAmong(sources)).toHaveLength(1)
})

test('a name that two files export is found, of whatever kind it is, unless it is exempt', () => {
  const sources = [
    sourceOf('src/world/io/a.ts', 'export function one() {}\nexport const two = 2, run = 3\nexport type Three = 3'),
    sourceOf('src/world/io/b.ts', 'export class one {}\nexport { x as two }\nconst x = 1\nexport function run() {}'),
    sourceOf('src/world/io/c.ts', 'export interface Three {}\nfunction one() {}\nexport const own = { two: 2 }'),
  ]
  expect(namesExportedTwice(sources, ['run'])).toEqual([
    'one: src/world/io/a.ts, src/world/io/b.ts',
    'two: src/world/io/a.ts, src/world/io/b.ts',
    'Three: src/world/io/a.ts, src/world/io/c.ts',
  ])
})

test('a long file of a pure room is found when no test imports it itself', () => {
  const [long, short] = ['\n'.repeat(41), '\n'.repeat(40)]
  const sources = [
    sourceOf('src/core/rules/tested.ts', long),
    sourceOf('src/core/rules/untested.ts', long),
    sourceOf('src/core/git/diff/untested.ts', long),
    sourceOf('src/core/rules/short.ts', short),
    sourceOf('src/world/io/of-the-world.ts', long),
  ]
  const tests = [sourceOf('test/core/rules/a.test.ts', "import { a } from '../../../src/core/rules/tested.ts'")]
  expect(untestedPureFiles(sources, tests)).toEqual(['src/core/rules/untested.ts', 'src/core/git/diff/untested.ts'])
})

test('the map page is read floor by floor', () => {
  const page =
    '# Map\n\n### core/ pure\n\n- `io/` disk\n  goes on\n- `ui/pages/` is not `a/`\n\n### world/ b\n- `cli/`: words\n'
  expect([roomsOnMap(page, 'core'), roomsOnMap(page, 'world')]).toEqual([['io', 'ui/pages'], ['cli']])
})

test('an invariant of the map is each item that is not a room, with the lines that it goes on in', () => {
  const page = `## Three floors

- Of all (\`test/a.test.ts\`).

### core/ b

- \`io/\` disk
  - It holds
    here.
- \`ui/\` pages

## Five walks

- no invariant
`
  expect(invariantsOnMap(page)).toEqual(['Of all (`test/a.test.ts`).', 'It holds here.'])
})

test('a text names tests by their files, with a title or several', () => {
  const text = 'a (`test/a.test.ts` `one\n  title`, `another`, `test/b.test.ts`) and `src/c.ts`'
  expect(testsNamedIn(text)).toEqual([
    { path: 'test/a.test.ts', title: 'one title' },
    { path: 'test/a.test.ts', title: 'another' },
    { path: 'test/b.test.ts', title: '' },
  ])
  expect(missingTests([...testsNamedIn(text), { path: 'test/tidy.test.ts', title: 'not there' }])).toHaveLength(4)
})
