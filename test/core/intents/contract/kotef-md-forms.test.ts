import { expect, test } from 'vitest'
import { constraintsIn } from '../../../../src/core/intents/contract/constraint-lines.ts'
import { readForbiddenPaths } from '../../../../src/core/intents/contract/forbidden-paths.ts'

const LIST = '- `src/secret/**`\n'
const section = (heading: string, items = LIST) => `# Policy\n\n${heading}\n\nDO NOT store cards\n\n${items}`

/** Ways to write a section that forbids a path, beside a constraint. */
const forms: Readonly<Record<string, string>> = {
  'a heading of level 2': section('## Forbidden Paths'),
  'a heading of level 1': section('# Forbidden Paths'),
  'a heading of level 6': section('###### Forbidden Paths'),
  'an underlined heading': section('Forbidden Paths\n---------------'),
  'a heading underlined twice': section('Forbidden Paths\n==============='),
  'a colon': section('## Forbidden Paths:'),
  'a heading in bold': section('## **Forbidden Paths**'),
  'a heading in italics': section('## _Forbidden Paths_'),
  'a heading in code': section('## `Forbidden Paths`'),
  'a heading that is a link': section('## [Forbidden Paths](#forbidden)'),
  'a heading with an anchor': section('## Forbidden Paths {#forbidden}'),
  'closing signs': section('## Forbidden Paths ##'),
  'closing signs and spaces': section('##   Forbidden   Paths   ####  '),
  'spaces before the heading': section('   ## Forbidden Paths'),
  'a tab after the sign': section('##\tForbidden Paths'),
  'a tab before the path': section('## Forbidden Paths', '-\t`src/secret/**`\n'),
  'a sub-heading': section('## Forbidden Paths\n\n### Ops'),
  'small letters': section('## forbidden paths'),
  'a byte order mark': `\uFEFF${section('## Forbidden Paths').replace('# Policy\n\n', '')}`,
  CRLF: section('## Forbidden Paths').replaceAll('\n', '\r\n'),
  CR: section('## Forbidden Paths').replaceAll('\n', '\r'),
  'a quote': section('## Forbidden Paths').replace(/^/gm, '> '),
  'a paragraph': section('## Forbidden Paths', '`src/secret/**`\n'),
  'a sentence in a paragraph': section('## Forbidden Paths', 'Keep out of `src/secret/**`.\n'),
  'a list with stars': section('## Forbidden Paths', '* `src/secret/**`\n'),
  'a list with plus signs': section('## Forbidden Paths', '+ `src/secret/**`\n'),
  'a numbered list': section('## Forbidden Paths', '1. `src/secret/**`\n'),
  'a list in a list': section('## Forbidden Paths', '- .keys\n  - `src/secret/**`\n'),
  'a list in a numbered list': section('## Forbidden Paths', '1. .keys\n   - `src/secret/**`\n'),
  'a deep list': section('## Forbidden Paths', '- .keys\n  - .of\n    - `src/secret/**`\n'),
  'a task': section('## Forbidden Paths', '- [ ] `src/secret/**`\n'),
  'a path in bold': section('## Forbidden Paths', '- **`src/secret/**`**\n'),
  'a path in two backticks': section('## Forbidden Paths', '- `` src/secret/** ``\n'),
  'a path that is a link': section('## Forbidden Paths', '- [`src/secret/**`](src/secret)\n'),
  'a path after words': section('## Forbidden Paths', '- the keys in `src/secret/**`\n'),
  'a path on the next line': section('## Forbidden Paths', '- .keys\n  `src/secret/**`\n'),
  'a path in a second paragraph of the item': section('## Forbidden Paths', '- .keys\n\n  `src/secret/**`\n'),
  'a lazy line': section('## Forbidden Paths', '- .keys\n`src/secret/**`\n'),
  'a fence before': section('## Forbidden Paths', '```sh\nls\n```\n- `src/secret/**`\n'),
  'a fence of an item before': section('## Forbidden Paths', '- .keys:\n  ```sh\n  ls\n  ```\n- `src/secret/**`\n'),
  'a comment before': section('## Forbidden Paths', '<!-- all of\nthem -->\n- `src/secret/**`\n'),
  'a comment on the line': section('## Forbidden Paths', '- `src/secret/**` <!-- keys -->\n'),
  'a comment in the heading': section('## Forbidden Paths <!-- all -->'),
  'a ruler before': section('## Forbidden Paths', '---\n\n- `src/secret/**`\n'),
  'an image before': section('## Forbidden Paths', '![](a.png)\n\n- `src/secret/**`\n'),
}

test.each(Object.entries(forms))('%s: the path is forbidden where the constraint counts', (_, markdown) => {
  expect(constraintsIn(markdown)).toEqual(['DO NOT store cards'])
  const { globs, unread } = readForbiddenPaths(markdown)
  expect(globs.filter(it => !/^\.(?:keys|of)/.test(it))).toEqual(['src/secret/**'])
  expect(unread).toEqual([])
})
