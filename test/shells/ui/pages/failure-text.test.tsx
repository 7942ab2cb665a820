import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { FailureText } from '../../../../src/shells/ui/pages/failure-text.tsx'

test('what failed is text, also where it looks like a command, and the way out can be pasted', () => {
  const html = renderToString(<FailureText of={{ message: 'There is no `kotef purge`.', hint: 'See `kotef log`' }} />)
  expect(html).toContain('There is no `kotef purge`.')
  expect(html.match(/<code class="typed">.*?<\/code>/g)).toEqual([
    '<code class="typed"><span>npx</span> <span>kotef-watch</span> <span>log</span></code>',
  ])
})
