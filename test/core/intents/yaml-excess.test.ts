import { expect, test } from 'vitest'
import { yamlExcess } from '../../../src/intents/yaml-excess.ts'

const block = (levels: number) => Array.from({ length: levels }, (_, n) => `${' '.repeat(n)}a:`).join('\n')

test.each([
  ['a block of 100 levels', block(100)],
  ['flow of 100 levels', '['.repeat(100)],
  ['many brackets side by side', 'a: [{}, {}]\n'.repeat(10_000)],
  ['brackets in a text', `a: |\n  ${'['.repeat(500)}\nb: "${'{'.repeat(500)}"\n# ${'['.repeat(500)}\n`],
  ['a text of many columns', `a: |\n${block(300).replaceAll(/^/gm, '  ')}\n`],
])('%s is parsed', (_, text) => {
  expect(yamlExcess(text)).toBeNull()
})

test.each([
  ['a deep block', block(101), 101],
  ['lists in lists', `a:\n${'- '.repeat(101)}b`, 2],
  ['deep flow', `a: b\nc: ${'{a: '.repeat(101)}`, 2],
  ['more than 1 MiB', 'a'.repeat(1_048_577), null],
])('%s is refused, with its line', (_, text, line) => {
  expect(yamlExcess(text)).toMatchObject({ line })
})
