import { expect, test } from 'vitest'
import { yamlExcess } from '../../../src/core/base/yaml-excess.ts'

const block = (levels: number) => Array.from({ length: levels }, (_, n) => `${' '.repeat(n)}a:`).join('\n')

const numbered = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => line(n)).join('')
const intentText = (n: number) =>
  `  - id: INT-${n}\n    name: n\n    status: PENDING\n    owned_scope:\n${`      - src/p${n}/**\n`.repeat(20)}`

test.each([
  ['a block of 100 levels', block(100)],
  ['flow of 100 levels', '['.repeat(100)],
  ['many brackets side by side', 'a: [{}, {}]\n'.repeat(10_000)],
  ['brackets in a text', `a: |\n  ${'['.repeat(500)}\nb: "${'{'.repeat(500)}"\n# ${'['.repeat(500)}\n`],
  ['a thousand intents', `active_intents:\n${numbered(1_000, intentText)}`],
  ['many stars in globs', '- src/**/*.ts\n'.repeat(2_000)],
  ['a text of many columns', `a: |\n${block(300).replaceAll(/^/gm, '  ')}\n`],
])('%s is parsed', (_, text) => {
  expect(yamlExcess(text)).toBeNull()
})

test.each([
  ['a deep block', block(101), 101],
  ['lists in lists', `a:\n${'- '.repeat(101)}b`, 2],
  ['deep flow', `a: b\nc: ${'{a: '.repeat(101)}`, 2],
  ['more than 1 MiB', 'a'.repeat(1_048_577), null],
  ['many small parts', `a:\n  [${'[],'.repeat(100_000)}`, 2],
  ['many keys', numbered(100_000, n => `k${n}: b\n`), 57_143],
  ['many escapes in a text', `a: "${'\\z'.repeat(250_000)}"`, 1],
  ['many empty lines', '\n'.repeat(1_000_000), 400_001],
  ['many aliases', `a: &a b\nc:\n${'- *a\n'.repeat(2_000)}`, 1_003],
])('%s is refused, with its line', (_, text, line) => {
  expect(yamlExcess(text)).toMatchObject({ line })
})
