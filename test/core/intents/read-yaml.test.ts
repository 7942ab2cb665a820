import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { excerptAt, readYaml, withDefault } from '../../../src/core/base/read-yaml.ts'

const item = z.strictObject({ n: z.number({ error: 'a number' }) }, { error: 'only `n`' })
const schema = z.strictObject(
  { name: withDefault(z.string({ error: 'text' }), 'none'), list: withDefault(z.array(item, { error: 'a list' }), []) },
  { error: 'only `name` and `list`' },
)
const read = (text: string) => {
  const { value, problems } = readYaml('f.yaml', text, schema)
  return value ?? problems.map(it => `${it.line}: ${it.expected} / ${it.found}`)
}

test.each<[string, string, unknown]>([
  ['a good file gives its value', 'name: a\nlist:\n  - n: 1\n', { name: 'a', list: [{ n: 1 }] }],
  ['a key without a value is as good as no key', 'name:\n', { name: 'none', list: [] }],
  ['a value of the wrong shape is named with its line', 'name: a\nlist:\n  - n: x\n', ['3: a number as `n` / "x"']],
  ['an item of the wrong shape is named by its list', 'list:\n  - 5\n', ['2: only `n` in `list` / 5']],
  [
    'an unknown key is named with its own line',
    'name: a\nnmae: b\n',
    ['2: only `name` and `list` / the unknown key `nmae`'],
  ],
  ['what is missing has the line of what it is missing in', 'list:\n  - {}\n', ['2: a number as `n` / nothing']],
  ['a key that is there twice is named', 'name: a\nname: b\n', ['2: each key once / a second `name`']],
  [
    'every problem is reported, in the order of lines',
    'a: 1\nlist: 5\nb: 2\n',
    [
      '1: only `name` and `list` / the unknown key `a`',
      '2: a list as `list` / 5',
      '3: only `name` and `list` / the unknown key `b`',
    ],
  ],
])('%s', (_, text, expected) => {
  expect(read(text)).toEqual(expected)
})

test('a text that is not YAML has its syntax errors only, and no wrong shape besides', () => {
  expect(read('name: [')).toEqual([expect.stringMatching(/^\d: valid YAML \/ /)])
})

test.each([
  [
    'a line that is indented by mistake',
    '  a: ada\nname: x\nlist:\n  - b\n',
    2,
    /^a line that does not belong there: /,
  ],
  ['a tab', 'name: x\nlist:\n\t- b\n', 3, /^a tab in the indentation/],
  ['two colons', 'name: fix: it\nlist: [\n', 1, /^a second `: ` on one line/],
  ['a sign of YAML', 'name: @x\n', 1, /^a text that begins with a sign of YAML/],
  [
    'a conflict of a merge',
    'name: x\n<<<<<<< HEAD\nlist: []\n=======\nlist: [a]\n>>>>>>> b\n',
    2,
    /^a mark of a merge/,
  ],
])('%s is one problem, at its line, in words of the file', (_, text, line, found) => {
  const [problem, ...others] = readYaml('f', text, schema).problems
  expect(problem).toMatchObject({ line, expected: 'valid YAML', found: expect.stringMatching(found) })
  expect(others).toEqual([])
})

test.each([
  ['aliases that contain themselves', 'list: &a [*a]\n'],
  ['aliases that multiply without limit', multiplied(9)],
])('%s are a problem, and no endless value', (_, text) => {
  expect(read(text)).toEqual([expect.stringMatching(/alias/)])
})

test.each([
  ['nothing there', {}, 'nothing'],
  ['null', { a: [null] }, 'nothing'],
  ['a value', { a: [{ b: 1 }] }, '{"b":1}'],
  ['a long value, cut to one line', { a: ['x'.repeat(100)] }, `"${'x'.repeat(76)}...`],
])('an excerpt of %s', (_, raw, expected) => {
  expect(excerptAt(raw, ['a', 0])).toBe(expected)
})

function multiplied(depth: number): string {
  const lines = Array.from({ length: depth }, (_, n) => `a${n + 1}: &a${n + 1} [${`*a${n},`.repeat(9)}]`)
  return ['a0: &a0 [x]', ...lines].join('\n')
}

test('the library prints no warning of its own about a collection as a key', async () => {
  const warnings: Error[] = []
  const listen = (warning: Error) => warnings.push(warning)
  process.on('warning', listen)
  expect(read('? [a]\n: 1\n')).toHaveLength(1)
  await setImmediate()
  process.off('warning', listen)
  expect(warnings).toEqual([])
})

test('a map of very many keys takes no minutes, and a repeated one is found', { timeout: 10_000 }, () => {
  const keys = Array.from({ length: 50_000 }, (_, n) => `k${n}: b\n`).join('')
  const found = read(`${keys}k7: c\n`)
  expect(found).toHaveLength(1_001)
  expect(found).toContain('50001: each key once / a second `k7`')
})
