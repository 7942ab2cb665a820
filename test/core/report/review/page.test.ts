import { fromMarkdown } from 'mdast-util-from-markdown'
import { expect, test } from 'vitest'
import { pageHtml } from '../../../../src/core/report/review/page-html.ts'
import { pageMarkdown } from '../../../../src/core/report/review/page-markdown.ts'
import type { PageBlock } from '../../../../src/core/report/review/page.ts'

const LIMITS = { pointsMax: 2, charactersMax: 10 }

const PAGE: readonly PageBlock[] = [
  { kind: 'heading', level: 1, line: ['Title', { data: 'a`b' }] },
  { kind: 'paragraph', line: ['text'] },
  { kind: 'list', points: [{ line: ['one'], below: [['below', { data: '<b>' }]] }, { line: ['two'] }] },
  { kind: 'folded', title: '3 points', points: ['x', 'y', 'z'].map(data => ({ line: [{ data }] })) },
]

test('a page as Markdown', () => {
  expect(pageMarkdown(PAGE, LIMITS)).toBe(`### Title \`\`a\`b\`\`

text

- one
  - below \`<b>\`
- two

<details><summary>3 points</summary>

- \`x\`
- \`y\`
- … and 1 more

</details>`)
})

test('a page as HTML', () => {
  const [, body = ''] = /<body>\n([^]*)\n<\/body>/.exec(pageHtml('t', PAGE, LIMITS)) ?? []
  expect(body).toBe(`<h1>Title <code>a&#96;b</code></h1>
<p>text</p>
<ul>
<li>one<ul><li>below <code>&#60;b&#62;</code></li></ul></li>
<li>two</li>
</ul>
<details><summary>3 points</summary>
<ul>
<li><code>x</code></li>
<li><code>y</code></li>
<li>… and 1 more</li>
</ul>
</details>`)
})

test('the file of HTML has no script, and nothing that a browser would fetch or send', () => {
  const html = pageHtml('a <title>', PAGE, LIMITS)
  expect(html).toContain('<title>a &#60;title&#62;</title>')
  expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"`)
  expect(html).not.toMatch(/<script|<link|<img|<iframe|<form|\bsrc=|\bhref=|\bon\w+=|url\(|@import/i)
})

const HOSTILE = '</code></details><script>alert(1)</script>`\n\n# | x | @me [l](https://e.x) <!--'

test('a hostile text changes nothing of the structure of a page', () => {
  const limits = { pointsMax: 9, charactersMax: 1_000 }
  const withData = (data: string): PageBlock[] => [
    { kind: 'heading', level: 2, line: [{ data }] },
    { kind: 'paragraph', line: ['text', { data }] },
    { kind: 'folded', title: 'points', points: [{ line: [{ data }], below: [[{ data }]] }] },
  ]
  const tagsOf = (data: string) => pageHtml('t', withData(data), limits).match(/<[^>]*>/g)
  expect(tagsOf(HOSTILE)).toEqual(tagsOf('x'))
  const typesOf = (data: string) => nodeTypes(fromMarkdown(pageMarkdown(withData(data), limits)))
  expect(typesOf(HOSTILE)).toEqual(typesOf('x'))
})

type Node = { readonly type: string; readonly children?: readonly Node[] }

function nodeTypes({ type, children = [] }: Node): string[] {
  return [type, ...children.flatMap(nodeTypes)]
}
