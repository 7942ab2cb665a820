import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import micromatch from 'micromatch'
import { describe, expect, test } from 'vitest'
import { STORY } from '../../src/shells/cli/demo.ts'
import rest from '../rest.config.ts'
import { repositoryRoot } from '../rig/packed-kotef.ts'
import { filesBelow } from './source.ts'

const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8')
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
const parts = (scripts['check'] ?? '').split(' && ')
const tools = parts.filter(it => !it.startsWith('npm run '))

describe('npm run check', () => {
  test('is the compiler, oxlint, prettier, knip, publint and tidy', () => {
    expect(tools.map(it => it.split(' ')[0])).toEqual(['tsc', 'oxlint', 'prettier', 'knip', 'publint'])
    expect(parts.filter(it => it.startsWith('npm run '))).toEqual(['npm run --silent build', 'npm run --silent tidy'])
  })
})

test('npm test and npm run test:rest are all tests, and have none in common', () => {
  const [, ...first] = (scripts['test'] ?? '').split(/ (?=test\/(?!vitest)|\.)/)
  const { exclude = [] } = rest.test ?? {}
  const tests = filesBelow(repositoryRoot, 'test', '.test.ts', '.test.tsx')
  const isFirst = (path: string) => first.some(it => path.includes(it))
  const isRest = (path: string) => !micromatch.isMatch(path, exclude)
  expect(first).toContain('.story.test')
  expect(tests.filter(it => isFirst(it) === isRest(it))).toEqual([])
  expect(scripts['test:all']).toBe('npm test && npm run test:rest')
})

test('what the README tells a newcomer to type is what CI runs', () => {
  const [, reported = ''] = /## Try it\n\n```console\n([^]*?)\n```/.exec(read('README.md')) ?? []
  const commands = reported.split(/\n| && /)
  expect(commands).toEqual(['npm ci', 'npm run demo', 'npm test'])
  const unheard = commands.filter(it => !new RegExp(`^[^#\\n]*${it}`, 'm').test(read('.ci/run')))
  expect(unheard).toEqual([])
})

test('the recording in the README has every step of the demo, up to the answer who wrote a line', () => {
  const escaped = (text: string) => text.replace(/[&<>"]/g, it => `&#${it.charCodeAt(0)};`)
  const recorded = [...read('docs/demo.svg').matchAll(/<tspan class="prompt">\$<\/tspan> ([^<]*)</g)].map(it => it[1])
  const cut = (text: string) => (text.length > 102 ? `${text.slice(0, 101)}…` : text)
  const answer = STORY.findIndex(it => it.command.startsWith('kotef why'))
  expect(recorded).toEqual(STORY.slice(0, answer + 1).map(it => escaped(cut(it.command))))
})

test('the top level has nothing but what belongs there, beside files whose names begin with a dot', () => {
  const tracked = execFileSync('git', ['ls-files'], { cwd: repositoryRoot, encoding: 'utf8' }).split('\n')
  const top = [...new Set(tracked.map(it => it.split('/')[0] ?? ''))].filter(it => it !== '' && !it.startsWith('.'))
  const folders = ['docs', 'hooks', 'src', 'test']
  const files = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package-lock.json', 'package.json', 'tsconfig.json']
  expect(top.sort()).toEqual([...files, ...folders].sort())
})
