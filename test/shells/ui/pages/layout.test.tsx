import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { Layout, type PageFrame, PageTitle } from '../../../../src/shells/ui/pages/layout.tsx'

const frame: PageFrame = {
  base: '/k/',
  here: 'records?intent=A',
  repository: 'shop',
  isLive: true,
  policy: null,
  asOf: null,
}
const page = { title: 'Records', section: 'records', body: <PageTitle title="Records" /> } as const

test('a page has a title, a skip link to its own content, and marks its section', () => {
  const html = renderToString(<Layout page={page} frame={frame} />)
  expect(html).toContain('<title>Records · shop · kotef</title>')
  expect(html).toContain('<base href="/k/"/>')
  expect(html).toContain('href="records?intent=A#main"')
  expect(html).toContain('<a href="records" aria-current="page">Records</a>')
  expect(html).toContain('<main id="main" tabindex="-1"><div class="page-title"><h1>Records</h1></div></main>')
})

test('a page that is not live has no script, and the policy that no server sends', () => {
  const html = renderToString(<Layout page={page} frame={{ ...frame, isLive: false, policy: "default-src 'none'" }} />)
  expect(html).not.toContain('<script')
  expect(html).toContain(
    '<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;"/>'.replaceAll('&#39;', "'"),
  )
})

test('the tab has the number of what waits for a person, and an icon with a dot; an exported page has neither', () => {
  const waiting = { ...page, waiting: 2 }
  const tabOf = (isLive: boolean) => renderToString(<Layout page={waiting} frame={{ ...frame, isLive }} />)
  expect(tabOf(true)).toContain('<title>(2) Records · shop · kotef</title>')
  expect(tabOf(true)).toContain('href="assets/icon-waiting.svg"')
  expect(tabOf(false)).toContain('<title>Records · shop · kotef</title>')
  expect(tabOf(false)).toContain('href="assets/icon.svg"')
})

test('the name of the repository is text', () => {
  const html = renderToString(<Layout page={page} frame={{ ...frame, repository: '<script>alert(1)</script>' }} />)
  expect(html).not.toContain('<script>alert')
})
