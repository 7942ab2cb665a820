import { expect, test } from 'vitest'
import { addressesIn, exportedFileName, withFileLinks } from '../../../../src/shells/ui/pages/static-pages.ts'

const HTML =
  '<a href="./">a</a><a href="records?a=1&amp;b=&quot;">b</a><a class="x" href="./#s-runs">c</a>' +
  '<link href="assets/client.css"/><a href="https://example.org/">d</a><a href="#main">e</a>'

test('the addresses of a document are those of pages, decoded, each once', () => {
  expect(addressesIn(HTML)).toEqual(['./', 'records?a=1&b="'])
})

test('each link leads to its file, with the place in it; what has no file is a mere text', () => {
  const file = (address: string) => (address === './' ? 'index.html' : null)
  expect(withFileLinks(HTML, file)).toBe(
    '<a href="index.html">a</a><a>b</a><a class="x" href="index.html#s-runs">c</a>' +
      '<link href="assets/client.css"/><a href="https://example.org/">d</a><a href="#main">e</a>',
  )
})

test('a text that looks like a link is not one: it is escaped', () => {
  const text = '<p>say href=&quot;records&quot;</p>'
  expect(withFileLinks(text, () => 'x.html')).toBe(text)
})

test('no two addresses have one file, also where the file system does not distinguish cases', () => {
  const addresses = [
    './',
    'records',
    'Records',
    'a/b',
    'a_b',
    'a?b',
    'intents/INT-1',
    'intents/int-1',
    'files/../x',
    'x'.repeat(999),
  ]
  const names = addresses.map(exportedFileName)
  expect(new Set(names.map(it => it.toLowerCase())).size).toBe(addresses.length)
  expect(names.filter(it => !/^[\w-][\w.-]{0,100}\.html$/.test(it))).toEqual([])
})
