import { expect, test } from 'vitest'
import { forbiddenPaths } from '../../../src/scope/forbidden-paths.ts'

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
    title: 'comments and fences',
    markdown: '## Forbidden Paths\n<!-- - a/** -->\n```\n- b/**\n```\n- c/**\n',
    globs: ['c/**'],
  },
]

test.each(rows)('forbidden paths are read from KOTEF.md: $title', ({ markdown, globs }) => {
  expect(forbiddenPaths(markdown)).toEqual(globs)
})
