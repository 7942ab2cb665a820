import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { exportPages } from '../../src/shells/ui/server/export-pages.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import { fixture } from '../rig/fixture.ts'
import { startBrowser, type TestWindow, type WindowOptions } from '../rig/browser.ts'
import { HOSTILE_NAME, uiStory } from '../rig/ui-story.ts'

const browser = fixture(startBrowser)
const story = fixture(uiStory)

/** Every kind of page, by its address. */
const PAGES = [
  ...['', 'records', 'records?event=violation', 'changes', 'changes?state=outside', 'intents', 'intents/INT-001'],
  ...['files/src/a.ts', 'files/src/a.ts?by=author', 'ranges', 'ranges/HEAD%5E!', 'stats', 'lines', 'violations'],
  ...['ranges/HEAD~1%5E!', 'ranges/HEAD~2%5E!', 'ranges/HEAD~3%5E!', 'classes', 'handover', 'nothing-here'],
]

/** A window whose browser has opened the address that `kotef ui` prints, at a page. */
async function windowAt(page: string, options: WindowOptions = {}): Promise<TestWindow> {
  const window = await browser().open(options)
  await window.page.goto(story().server.url)
  if (page !== '') await window.page.goto(story().address(page))
  return window
}

const isLive = (page: Page) => page.waitForSelector('body:has(#connection.is-connected):not(:has([data-pending]))')

for (const width of [320, 1280, 3840])
  for (const scheme of ['light', 'dark'] as const)
    test(`axe-core finds no serious problem, and nothing is cut off, at ${width} pixels, ${scheme}`, async () => {
      await using window = await windowAt('', { width, scheme })
      for (const address of PAGES) {
        await window.page.goto(story().address(address))
        await isLive(window.page)
        await window.screenshot(`${address.replace(/\W+/g, '-') || 'now'}-${width}-${scheme}`)
        expect([address, await window.seriousProblems()]).toEqual([address, []])
        const tall = await window.page.evaluate(TALL_ROWS)
        expect([address, tall]).toEqual([address, []])
        const overflow = await window.page.evaluate('document.documentElement.scrollWidth - innerWidth')
        expect([address, overflow]).toEqual([address, 0])
      }
      expect(window.errors.filter(it => !it.includes('404 (Not Found)'))).toEqual([])
    })

// Rows of tables of more than four lines, of more than ten in a narrow window; and oids in pieces.
const TALL_ROWS = `(() => {
  const linesMax = innerWidth < 1000 ? 10 : 4
  // Links have lines of 24 pixels.
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize)
  const heightOf = it => it.getBoundingClientRect().height / (1.5 * rem)
  const rows = [...document.querySelectorAll('main .table tbody tr')].filter(it => heightOf(it) > linesMax + 0.7)
  const oids = [...document.querySelectorAll('td a > code')].filter(it => it.getClientRects().length > 1)
  return [...rows, ...oids].map(it => it.textContent)
})()`

test('the first hundred intents have a colour each, with enough contrast in both schemes', async () => {
  for (const scheme of ['light', 'dark'] as const) {
    await using window = await windowAt('intents', { scheme })
    const { contrasts, hues } = (await window.page.evaluate(INTENT_COLOURS)) as { contrasts: number[]; hues: number[] }
    expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(4.5)
    const around = hues.slice(0, 12).sort((a, b) => a - b)
    expect(Math.min(...around.map((it, n) => (around[n + 1] ?? (around[0] ?? 0) + 360) - it))).toBeGreaterThan(15)
    expect(new Set(hues.map(it => it.toFixed(1))).size).toBe(100)
  }
})

// Of the text of the intent at each place on the canvas and on a raised background.
const INTENT_COLOURS = `(() => {
  const link = document.querySelector('a.intent')
  const context = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d')
  const light = colour => {
    context.fillStyle = colour
    context.fillRect(0, 0, 1, 1)
    const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].map(it =>
      it <= 10 ? it / 3294 : ((it / 255 + 0.055) / 1.055) ** 2.4)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
  }
  const root = getComputedStyle(document.documentElement)
  const grounds = ['--canvas', '--raised'].map(it => light(root.getPropertyValue(it)))
  const contrasts = []
  const hues = []
  for (let n = 0; n < 100; n++) {
    link.className = 'intent place tens-' + Math.floor(n / 10) + ' units-' + n % 10
    const { color } = getComputedStyle(link)
    const text = light(color)
    contrasts.push(...grounds.map(it => Math.max(it, text) / Math.min(it, text)))
    hues.push(((parseFloat(color.split(' ')[2]) % 360) + 360) % 360)
  }
  return { contrasts, hues }
})()`

test('each number leads to a list of that length', async () => {
  await using window = await windowAt('')
  const counts = await window.page
    .locator('a.count')
    .evaluateAll(all =>
      all.map(it => [(it.getAttribute('aria-label') ?? '').split(' ')[0], it.getAttribute('href')] as const),
    )
  expect(counts.length).toBeGreaterThanOrEqual(6)
  for (const [n, href] of counts) {
    await window.page.goto(story().address(href ?? ''))
    expect([href, await listLength(window.page)]).toEqual([href, Number(n)])
  }
})

/** How many entries a list has, on this page and on those that follow. */
async function listLength(page: Page): Promise<number> {
  const hash = new URL(page.url()).hash
  if (hash) return page.locator(`section[aria-labelledby="${hash.slice(1)}"] tbody tr`).count()
  let length = 0
  for (;;) {
    length += await page.locator('main li.record, main tbody tr').count()
    const next = page.locator('.pager a', { hasText: /Older|Next/ })
    if ((await next.count()) === 0) return length
    await next.click()
    await page.waitForLoadState()
  }
}

test('filters are in the address: they survive a reload, and back and forward lead through them', async () => {
  await using window = await windowAt('records')
  const { page } = window
  const state = async () => [
    page.url().slice(story().address('').length),
    await page.getByLabel('Author').inputValue(),
    await page.getByLabel('File').inputValue(),
  ]
  const filtered = ['records?author=ai&file=src%2Fa.ts', 'ai', 'src/a.ts']
  await page.getByLabel('Author').selectOption('agent')
  await page.getByLabel('File').fill('src/a.ts')
  await page.getByRole('button', { name: 'Filter' }).click()
  expect(await state()).toEqual(filtered)
  const listed = await page.locator('li.record').allInnerTexts()
  expect(listed).toHaveLength(1)
  await page.reload()
  expect([await state(), await page.locator('li.record').allInnerTexts()]).toEqual([filtered, listed])
  await page.goBack()
  expect(await state()).toEqual(['records', '', ''])
  await page.goForward()
  expect([await state(), await page.locator('li.record').allInnerTexts()]).toEqual([filtered, listed])
  await page.getByRole('link', { name: 'Clear' }).click()
  expect(await state()).toEqual(['records', '', ''])
})

test('the keyboard reaches everything, in order, and each place that has the focus shows it', async () => {
  await using window = await windowAt('')
  const { page } = window
  await isLive(page)
  await page.keyboard.press('Tab')
  const skip = page.locator('.skip')
  expect(await skip.evaluate(it => it === document.activeElement && it.getBoundingClientRect().top >= 0)).toBe(true)
  await page.keyboard.press('Enter')
  expect(await page.evaluate('document.activeElement.id')).toBe('main')
  await page.reload()
  const reached: string[] = []
  for (let n = 0; n < 200; n++) {
    await page.keyboard.press('Tab')
    const [name, isVisible] = (await page.evaluate(FOCUS)) as [string, boolean]
    if (name === 'BODY') break
    expect([name, isVisible]).toEqual([name, true])
    reached.push(name)
  }
  const wanted = (await page.evaluate(REACHABLE)) as string[]
  expect(reached).toEqual(wanted)
  expect(reached.length).toBeGreaterThan(15)
})

const NAME = `(it => it.tagName + ' ' + (it.getAttribute('href') ?? it.textContent))`
const FOCUS = `(() => {
  const it = document.activeElement
  if (it === document.body) return ['BODY', true]
  const style = getComputedStyle(it)
  const box = it.getBoundingClientRect()
  return [${NAME}(it), style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2 && box.width > 0]
})()`
const STOPS = 'a[href], button, input, select, summary, [tabindex="0"]'
const REACHABLE = `[...document.querySelectorAll('${STOPS}')].map(${NAME})`

test('a range that git does not have is said above the form, which keeps it', async () => {
  await using window = await windowAt('ranges')
  const { page } = window
  for (const range of ['foo..<b>bar', 'HEAD~40..HEAD']) {
    await page.getByRole('textbox', { name: 'Range' }).fill(range)
    await page.getByRole('button', { name: 'Show' }).click()
    await page.waitForSelector('p.failure:has-text("There is no")')
    expect(await page.getByRole('textbox', { name: 'Range' }).inputValue()).toBe(range)
    expect(await page.locator('nav [aria-current]').innerText()).toBe('Commits')
    expect(await page.locator('main b').count()).toBe(0)
  }
})

test('what is said of a line is reached with the mouse, pinned by a click, and closed by Escape', async () => {
  await using window = await windowAt('files/src/a.ts')
  const { page } = window
  await isLive(page)
  const shown = () => page.locator('.why:visible').count()
  const line = await page.locator('.block .text').first().boundingBox()
  const card = page.locator('.block .why').first()
  await page.mouse.move((line?.x ?? 0) + 20, (line?.y ?? 0) + 8)
  expect(await shown()).toBe(1)
  // Along the line, and down to a link of the card.
  const box = await card.boundingBox()
  await page.mouse.move((box?.x ?? 0) + 30, (line?.y ?? 0) + 8, { steps: 20 })
  const link = card.locator('a').last()
  const target = await link.boundingBox()
  await page.mouse.move((target?.x ?? 0) + 5, (target?.y ?? 0) + 5, { steps: 20 })
  expect(await link.isVisible()).toBe(true)
  await window.screenshot('why-hover')
  await page.mouse.move(5, 5, { steps: 5 })
  expect(await shown()).toBe(0)
  await page.locator('.block .text code').first().click()
  await page.mouse.move(5, 5, { steps: 5 })
  expect(await shown()).toBe(1)
  await page.keyboard.press('Escape')
  expect(await shown()).toBe(0)
  await page.goto(story().address('files/src/a.ts#L1'))
  expect(await shown()).toBe(1)
})

test('on paper what is folded is open, and what only a screen has is left out', async () => {
  await using window = await windowAt('ranges/HEAD~3..HEAD', { script: false })
  const { page } = window
  await expect.poll(() => page.reload().then(() => page.locator('details').count())).toBeGreaterThan(0)
  const folded = page.locator('details > :not(summary)').first()
  expect(await folded.isVisible()).toBe(false)
  await page.emulateMedia({ media: 'print' })
  expect(await folded.isVisible()).toBe(true)
  await using live = await windowAt('records')
  await isLive(live.page)
  await live.page.emulateMedia({ media: 'print' })
  for (const it of ['nav', '.filters', '#connection', '.skip'])
    expect([it, await live.page.locator(it).first().isVisible()]).toEqual([it, false])
})

test('a narrow navigation shows the current page, and that there is more', async () => {
  await using window = await windowAt('stats', { width: 320 })
  const { page } = window
  await isLive(page)
  const nav = page.getByRole('navigation', { name: 'Pages' })
  expect(await nav.evaluate(it => [it.scrollWidth > it.clientWidth, it.scrollLeft > 0])).toEqual([true, true])
  expect(await nav.evaluate(it => getComputedStyle(it).backgroundAttachment)).toBe('local, local, scroll, scroll')
})

test('a person works through the records by the keyboard alone', async () => {
  await using window = await windowAt('')
  const { page } = window
  const press = async (key: string, times = 1) => {
    for (let n = 0; n < times; n++) await page.keyboard.press(key)
  }
  await press('Tab', 4)
  await press('Enter')
  await page.waitForURL(/records$/)
  await page.getByRole('textbox', { name: 'Intent' }).focus()
  await page.keyboard.type('INT-001')
  await press('Enter')
  await page.waitForURL(/records\?intent=INT-001$/)
  expect(await page.locator('li.record').count()).toBeGreaterThan(0)
})

test('names that look like markup are text, on every page', async () => {
  await using window = await windowAt('')
  for (const address of [...PAGES, `records?file=${encodeURIComponent(HOSTILE_NAME)}`]) {
    await window.page.goto(story().address(address))
    expect(await window.page.locator('main script, main img').count()).toBe(0)
  }
  await window.page.goto(story().address('records?author=ai'))
  expect(await window.page.locator('main').innerText()).toContain('<script>alert(1)')
  expect(window.errors.filter(it => !it.includes('404 (Not Found)'))).toEqual([])
})

test('without a script the pages have everything but the news', async () => {
  await using window = await windowAt('', { script: false })
  expect(await window.page.locator('#live .record').count()).toBeGreaterThan(5)
  await window.page.getByRole('link', { name: 'all records' }).click()
  await window.page.locator('select[name=event]').selectOption('violation')
  await window.page.getByRole('button', { name: 'Filter' }).click()
  expect(window.page.url()).toBe(story().address('records?event=violation'))
})

test('exported pages work from files, without a server and a script', async () => {
  const folder = join(story().repo.base, 'exported')
  const { pages } = await exportPages(await openWorkspace(story().repo.root), folder)
  await using window = await browser().open({})
  const { page } = window
  await page.goto(pathToFileURL(join(folder, 'index.html')).href)
  expect(await page.evaluate("getComputedStyle(document.querySelector('.bar')).position")).toBe('sticky')
  expect(await page.locator('#connection').count()).toBe(0)
  await window.screenshot('exported')
  expect(await window.seriousProblems()).toEqual([])
  await page.getByRole('link', { name: 'all records' }).click()
  expect(await page.locator('li.record').count()).toBeGreaterThan(5)
  expect(await page.locator('form').count()).toBe(0)
  await page.getByRole('link', { name: 'a1b2c3d4' }).first().click()
  expect(await page.locator('li.record').count()).toBeGreaterThan(0)
  expect(pages).toBeGreaterThan(5)
  expect(window.errors).toEqual([])
})
