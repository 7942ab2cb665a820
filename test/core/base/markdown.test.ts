import { expect, test } from 'vitest'
import { markdownText } from '../../../src/core/base/markdown.ts'

test.each([
  ['INT-001, the work', 'INT-001, the work'],
  ['<script>alert(1)</script>', String.raw`\<script\>alert(1)\</script\>`],
  ['`code` *bold* _it_ ~no~ | #', String.raw`\`code\` \*bold\* \_it\_ \~no\~ \| \#`],
  ['![i](x) [a](b)', String.raw`\!\[i\](x) \[a\](b)`],
  ['https://a.b www.a.b me@a.b', String.raw`https\://a.b www\.a.b me\@a.b`],
  ['&lt; $x$ \\', String.raw`\&lt; \$x\$ \\`],
  ['two\n# lines\t', String.raw`two \# lines `],
  ['left\u202eright', String.raw`left\\u202eright`],
])('%j is shown as it is', (text, markdown) => {
  expect(markdownText(text)).toBe(markdown)
})
