import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { repositoryRoot } from '../rig/packed-kotef.ts'

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

test('what the README tells a newcomer to type is what CI runs', () => {
  const [, told = ''] = /## Try it\n\n```console\n([^]*?)\n```/.exec(read('README.md')) ?? []
  const commands = told.split(/\n| && /)
  expect(commands).toEqual(['npm ci', 'npm run demo', 'npm test'])
  const unheard = commands.filter(it => !new RegExp(`^[^#\\n]*${it}`, 'm').test(read('.ci/run')))
  expect(unheard).toEqual([])
})

test('the top level has nothing but what belongs there, beside files whose names begin with a dot', () => {
  const tracked = execFileSync('git', ['ls-files'], { cwd: repositoryRoot, encoding: 'utf8' }).split('\n')
  const top = [...new Set(tracked.map(it => it.split('/')[0] ?? ''))].filter(it => it !== '' && !it.startsWith('.'))
  const folders = ['docs', 'hooks', 'src', 'test']
  const files = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package-lock.json', 'package.json', 'tsconfig.json']
  expect(top.sort()).toEqual([...files, ...folders].sort())
})
