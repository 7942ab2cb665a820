import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { verbs } from '../../src/shells/cli/verbs.ts'
import { repositoryRoot } from '../rig/packed-kotef.ts'
import { filesBelow } from './source.ts'

const names = [...new Set(verbs.map(it => it.usage.split(' ')[0]))].join('|')
const pages = ['README.md', ...filesBelow(repositoryRoot, 'docs', '.md')]
const programs = [...filesBelow(repositoryRoot, 'src', '.ts', '.tsx'), ...filesBelow(repositoryRoot, 'hooks', '')]
const linesOf = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8').split('\n')

/** The lines of files that a pattern finds, each with its file. */
function found(paths: readonly string[], pattern: RegExp): string[] {
  return paths.flatMap(path => linesOf(path).flatMap(it => (pattern.test(it) ? [`${path}: ${it.trim()}`] : [])))
}

test('no text has a third spelling of a command: it is `npx kotef-watch`, or `kotef` where that is on the PATH', () => {
  expect(found([...pages, ...programs], /npx kotef [a-z]|kotef-watch kotef [a-z]/)).toEqual([])
})

test('what a page shows to type in a block runs in every clone', () => {
  const shown = new RegExp(`^(?: {4}|\\$ |)kotef (?:${names})(?: |$)`)
  // The main job is played by `npm run demo`, where `kotef` is on the PATH; README.md shows parts of it.
  expect(found(pages, shown).filter(it => !/^(?:README|docs\/main-job)\.md: \$ /.test(it))).toEqual([])
})

test('a command in a text of the program stands between backticks, where its spelling is chosen', () => {
  const before = '[`/a-z.-]|&& |<\\(|text="|In\\([a-z.]+, \'|step\\(["\']'
  const bare = new RegExp(`(?<!${before})\\bkotef (?:${names})(?![a-z-])`)
  const said = found(programs, bare).filter(it => !/: (?:\/[/*]|\*|#|example: )/.test(it))
  expect(said.filter(it => !ALLOWED.some(allowed => it.startsWith(allowed)))).toEqual([])
})

// A verb as the name of a rule or of a figure; and a line that is run, not shown.
const ALLOWED = [
  "src/core/agents/gate/reasons.ts: what === 'kotef intent start'",
  'src/core/rules/range-rules.ts: hint: `Give that of this branch',
  'src/shells/ui/pages/range-notices.tsx: Judged <When',
  "src/shells/cli/demo.ts: await runShellLine('kotef watch --stop'",
]
