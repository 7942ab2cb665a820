import { expect, test } from 'vitest'
import { forbiddenPaths, readForbiddenPaths } from '../../../../src/core/intents/contract/forbidden-paths.ts'

const rows: readonly { readonly title: string; readonly markdown: string; readonly globs: readonly string[] }[] = [
  { title: 'no such heading', markdown: '# Policy\n- a\n', globs: [] },
  { title: 'an empty list', markdown: '## Forbidden Paths\n\n## Notes\n- a\n', globs: [] },
  {
    title: 'every list marker',
    markdown: '## Forbidden Paths\n- a/**\n* b/**\n+ c/**\n1. d/**\n',
    globs: ['a/**', 'b/**', 'c/**', 'd/**'],
  },
  {
    title: 'backticks and a reason',
    markdown: '## Forbidden Paths\n- `infra/**`: owned by ops\n',
    globs: ['infra/**'],
  },
  { title: 'a reason after a dash', markdown: '## Forbidden Paths\n- infra/** — owned by ops\n', globs: ['infra/**'] },
  {
    title: 'a plain path',
    markdown: '## Forbidden Paths\n- .env\n- secrets/\n- /keys\n- gen/*/\n',
    globs: ['.env/**', 'secrets/**', 'keys/**', 'gen/*/**'],
  },
  {
    title: 'CRLF and closing hashes',
    markdown: '## Forbidden Paths ##\r\n- a/**\r\n# End\r\n- b/**\r\n',
    globs: ['a/**'],
  },
  { title: 'a subheading', markdown: '## Forbidden Paths\n### Ops\n- a/**\n', globs: ['a/**'] },
  {
    title: 'a line of its own, up to the next one',
    markdown: 'Forbidden paths:\n\n- a/**\n\nAllowed paths:\n\n- `src/**`\n',
    globs: ['a/**'],
  },
  {
    title: 'lines of their own without space between them',
    markdown: 'Forbidden paths:\n- a/**\n- b/**\nAllowed paths:\n- src/**\nForbidden files:\n- c\n',
    globs: ['a/**', 'b/**', 'c/**'],
  },
  {
    title: 'a line in bold, up to the next one',
    markdown: '**Forbidden Paths**\n\n**/keys/**\n\n**Allowed**\n\n- src/**\n',
    globs: ['**/keys/**'],
  },
  {
    title: 'a line of its own, and an introduction',
    markdown: 'Forbidden paths:\n\nThese must stay as they are:\n\n- a/**\n\nsrc/x,\n`src/y`:\n',
    globs: ['a/**', 'src/x/**', 'src/y/**'],
  },
  {
    title: 'a heading with a line that ends in a colon in its list',
    markdown: '## Forbidden Paths\n- a/**\n\nGenerated:\n- b/**\n\n**Other files**\n- c/**\n',
    globs: ['a/**', 'b/**', 'c/**'],
  },
  {
    title: 'comments and fences',
    markdown: '## Forbidden Paths\n<!-- - a/** -->\n```\n- b/**\n```\n- c/**\n',
    globs: ['c/**'],
  },
]

test.each(rows)('forbidden paths are read from KOTEF.md: $title', ({ markdown, globs }) => {
  expect(forbiddenPaths(markdown)).toEqual(globs)
})

test.each([
  '# Forbidden Paths',
  '### Forbidden Paths',
  '#### forbidden paths ####',
  '  ## Forbidden Paths',
  '##Forbidden Paths',
  '## Forbidden Paths:',
  '## **Forbidden Paths**',
  '## __Forbidden Paths__:',
  '## 4. Forbidden Paths',
  '## 4) Forbidden files',
  '## \u{1f6ab} Forbidden Paths',
  '## Forbidden Paths (all agents)',
  '## [Forbidden Paths](#forbidden)',
  '## Forbidden Paths {#forbidden}',
  'Forbidden Paths\n===============',
  'Forbidden Paths\n---------------',
  '**Forbidden Paths**',
  'Forbidden Paths:',
  '> ## Forbidden Paths',
])('the heading %j begins the list', heading => {
  for (const text of [
    `# Policy\n\n${heading}\n\n- \`src/secret/**\`\n`,
    `\ufeff${heading}\r\n- \`src/secret/**\`\r\n`,
  ]) {
    expect(readForbiddenPaths(`${text}\n## Notes\n- a\n`)).toEqual({ globs: ['src/secret/**'], unread: [] })
  }
})

test.each([
  ['- [ ] src/**', ['src/**']],
  ['- [x] `src/**`', ['src/**']],
  ['- "src/**"', ['src/**']],
  ["- 'src/**', lib/**", ['src/**', 'lib/**']],
  ['- `src/**`, `lib/**` and `a.ts`: generated, see `docs/x.md`', ['src/**', 'lib/**', 'a.ts/**']],
  ['- src/{a,b}/**, lib', ['src/{a,b}/**', 'lib/**']],
  ['- src/secret: the keys', ['src/secret/**']],
  ['- src/secret (the keys)', ['src/secret/**']],
  ['- **`src/**`**', ['src/**']],
  ['- [src/secret](src/secret)', ['src/secret/**']],
  ['- src/\\*\\*', ['src/**']],
  ['- Never touch `src/**`.', ['src/**']],
  ['> - src/**', ['src/**']],
  ['src/**', ['src/**']],
  ['`src/**`, `lib/**`.', ['src/**', 'lib/**']],
  ['- `src/**`,\n  `lib/**`', ['src/**', 'lib/**']],
  ['- src/**\n  because it is in use by lib/x', ['src/**']],
  ['Keep out of `src/**` and `lib/**`, or run `npm test` first.', ['src/**', 'lib/**']],
  ['> Keep out of `src/**`.', ['src/**']],
  ['| path | why |\n| --- | --- |\n| src/** | keys |\n| `lib/**` | ours |', ['src/**', 'lib/**']],
  ['These must stay as they are:\n\n- src/**', ['src/**']],
  ['- None', ['None/**']],
  ['```\n- src/**', ['src/**']],
])('%j is read rightly', (text, globs) => {
  expect(readForbiddenPaths(`## Forbidden Paths\n\n${text}\n`)).toEqual({ globs, unread: [] })
})

test.each([
  ['Nobody may touch src/secret/** here.', 3],
  ['```sh\nsrc/**\nlib/**\n```', 4],
  ['- never touch src/secret', 3],
  ['- the payment code', 3],
  ['The payment code.', 1],
  ['The payment code.\n\n### Ops\n\nAsk them.', 1],
  ['```\nsecrets\n```', 1],
  ['Keep out of `src/**` and lib/keys.', 3],
  ['- ../other', 3],
  ['- `! src/secret/**`', 3],
  ['- src\\secret', 3],
  ['## Paths that are forbidden\n- src/**', 3],
  ['| keys | all of src/** |', 3],
])('%j is reported: it forbids nothing, or not surely what it says', (text, line) => {
  const { unread } = readForbiddenPaths(`## Forbidden Paths\n\n${text}\n`)
  expect(unread.map(it => it.line)).toEqual([line])
})

test.each(['', '<!-- none yet -->', 'None.', '- TBD', '---', '### Ops'])(
  'a section that says no more than %j is not reported',
  text => {
    expect(readForbiddenPaths(`Forbidden Paths\n===\n\n${text}\n\n# Notes\nWords.\n`).unread).toEqual([])
  },
)

test('a hostile text is read in time that grows with its size alone', () => {
  const shapes = ['**a', '[', '`', '- a\n', '| ', '> ', 'a <!-- ', '```\n', '{,', ' ,', '# ', 'a: ', '- \t', '(']
  for (const it of shapes) readForbiddenPaths(`## Forbidden Paths\n${it.repeat(200_000 / it.length)}`)
  for (const it of shapes)
    expect(
      readForbiddenPaths(`## Forbidden Paths\n- ${it.trim().repeat(100_000 / it.length)}`).globs.length,
    ).toBeLessThan(100_000)
})
