import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { exportPages } from '../../src/ui/export-pages.ts'
import { openWorkspace } from '../../src/worktree/workspace.ts'
import { fixture } from '../rig/fixture.ts'
import { startBrowser, type TestWindow, type WindowOptions } from '../rig/browser.ts'
import { HOSTILE_NAME, uiStory } from '../rig/ui-story.ts'

const browser = fixture(startBrowser)
const story = fixture(uiStory)

/** Every kind of page, by its address. */
const PAGES = ['', 'records', 'records?event=violation', 'changes', 'changes?state=outside', 'nothing-here'] as const

/** A window whose browser has opened the address that `kotef ui` prints, at a page. */
async function windowAt(page: string, options: WindowOptions = {}): Promise<TestWindow> {
  const window = await browser().open(options)
  await window.page.goto(story().server.url)
  if (page !== '') await window.page.goto(story().address(page))
  return window
}

const isLive = (page: Page) => page.waitForSelector('#connection.is-connected')

for (const width of [320, 1280, 3840])
  for (const scheme of ['light', 'dark'] as const)
    test(`axe-core finds no serious problem, and nothing is cut off, at ${width} pixels, ${scheme}`, async () => {
      await using window = await windowAt('', { width, scheme })
      for (const address of PAGES) {
        await window.page.goto(story().address(address))
        await isLive(window.page)
        await window.screenshot(`${address.replace(/\W+/g, '-') || 'now'}-${width}-${scheme}`)
        expect([address, await window.seriousProblems()]).toEqual([address, []])
        const overflow = await window.page.evaluate('document.documentElement.scrollWidth - innerWidth')
        expect([address, overflow]).toEqual([address, 0])
      }
      expect(window.errors.filter(it => !it.includes('404 (Not Found)'))).toEqual([])
    })

test('a write of an agent is on the page within a second, in the list and in the figures', async () => {
  await using window = await windowAt('')
  await isLive(window.page)
  const records = () => window.page.locator('.tile .count').last().innerText()
  const before = Number(await records())
  const times: number[] = []
  for (let n = 0; n < 5; n++) {
    const path = `src/live-${n}.ts`
    const shown = window.page.waitForSelector(`#live .record:has-text("${path}")`)
    await story().writeAsAgent(path, 'x\n')
    const written = performance.now()
    await shown
    times.push(performance.now() - written)
  }
  expect(Math.max(...times)).toBeLessThan(1_000)
  await expect.poll(async () => Number(await records())).toBeGreaterThanOrEqual(before + 5)
  expect(window.errors).toEqual([])
})

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

test('what is new moves neither the focus nor what a person reads, and can be paused', async () => {
  await using window = await windowAt('', { height: 400 })
  const { page } = window
  await isLive(page)
  const link = page.locator('#live .record a.path').nth(2)
  const href = await link.getAttribute('href')
  await link.focus()
  const top = () => link.evaluate(it => Math.round(it.getBoundingClientRect().top))
  const before = await top()
  await story().writeAsAgent('src/focus.ts', 'x\n')
  await page.waitForSelector('#live .record:has-text("src/focus.ts")')
  await expect.poll(() => page.locator('[role=status].unseen').innerText()).toMatch(/new record/)
  const focused = page.locator(':focus')
  expect(await focused.getAttribute('href')).toBe(href)
  const after = await focused.evaluate(it => Math.round(it.getBoundingClientRect().top))
  // Positions are rounded.
  expect(Math.abs(after - before)).toBeLessThan(2)
  await page.getByRole('button', { name: 'Pause' }).click()
  await story().writeAsAgent('src/paused.ts', 'x\n')
  await using other = await windowAt('records?file=src/paused.ts')
  await expect
    .poll(async () => {
      await other.page.reload()
      return other.page.locator('li.record').count()
    })
    .toBeGreaterThan(0)
  expect(await page.locator('#live .record:has-text("src/paused.ts")').count()).toBe(0)
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.waitForSelector('#live .record:has-text("src/paused.ts")')
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

test('tabs of one browser share a connection, and another one takes it over', async () => {
  await using window = await windowAt('')
  await isLive(window.page)
  const others = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const page = await window.page.context().newPage()
      await page.goto(story().address(''))
      await isLive(page)
      return page
    }),
  )
  await window.page.close()
  await story().writeAsAgent('src/tabs.ts', 'x\n')
  for (const page of others) await page.waitForSelector('#live .record:has-text("src/tabs.ts")')
})

test('a page whose server has ended says so', async () => {
  await using own = await uiStory()
  await using window = await browser().open({})
  await window.page.goto(own.server.url)
  await isLive(window.page)
  await own.server[Symbol.asyncDispose]()
  await expect.poll(() => window.page.locator('#connection').innerText()).toMatch(/^Not connected/)
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
