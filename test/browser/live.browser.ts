import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startBrowser, type TestWindow, type WindowOptions } from '../rig/browser.ts'
import { fixture } from '../rig/fixture.ts'
import { governedRepo } from '../rig/governed-repo.ts'
import { selectOrThrow } from '../rig/selection.ts'
import { answeredClaude, times } from '../rig/session-runs.ts'
import { startUiServer } from '../rig/ui-server.ts'
import { uiStory } from '../rig/ui-story.ts'

const browser = fixture(startBrowser)
const story = fixture(uiStory)

/** A window whose browser has opened the address that `kotef ui` prints, at a page. */
async function windowAt(page: string, options: WindowOptions = {}): Promise<TestWindow> {
  const window = await browser().open(options)
  await window.page.goto(story().server.url)
  if (page !== '') await window.page.goto(story().address(page))
  return window
}

async function shot({ page, screenshot }: TestWindow, name: string, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 })
  await screenshot(name)
}

const isLive = (page: Page) => page.waitForSelector('#connection.is-connected')

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

test('what is new moves neither the focus nor what a person reads, and can be paused', async () => {
  await using window = await windowAt('', { height: 400 })
  const { page } = window
  await isLive(page)
  // Rows whose height has a fraction: a browser scrolls by whole pixels.
  await page.evaluate(() =>
    document.styleSheets[0]?.insertRule('#live .record { height: 80.4px; box-sizing: border-box }'),
  )
  // An element, not its place in the list: records of an earlier write may still arrive.
  const link = await page.locator('#live .record a.path').nth(2).elementHandle()
  if (!link) throw new Error('The list has no third record.')
  const href = await link.getAttribute('href')
  const top = () => link.evaluate(it => Math.round(it.getBoundingClientRect().top))
  await link.focus()
  const before = await top()
  for (let n = 0; n < 8; n++) {
    await story().writeAsAgent(`src/focus-${n}.ts`, 'x\n')
    await page.waitForSelector(`#live .record:has-text("src/focus-${n}.ts")`)
  }
  await expect.poll(() => page.locator('[role=status].unseen').innerText()).toMatch(/new record/)
  const focused = page.locator(':focus')
  expect(await focused.getAttribute('href')).toBe(href)
  // Positions are rounded.
  expect(Math.abs((await top()) - before)).toBeLessThan(2)
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

test('an agent that was stopped is in the tab and the first thing on the page, until a person writes', async () => {
  await using window = await windowAt('')
  const { page } = window
  await isLive(page)
  const { repo } = story()
  const icon = page.locator('link[rel=icon]')
  const before = await page.title()
  await selectOrThrow(repo, { intent: 'INT-002', session: 'stuck' })
  const agent = answeredClaude(repo, 'stuck')
  await times(4, () => agent.runs('make all', { exit: 2, output: 'a secret of the output' }))
  await expect.poll(() => page.title()).toBe(`(1) ${before}`)
  expect(await icon.getAttribute('href')).toBe('assets/icon-waiting.svg')
  const waiting = page.locator('[data-live="s-waiting-for-a-person"]')
  expect(await waiting.locator('tbody tr').first().innerText()).toMatch(/stopped\s+Bash: make all failed 4 times/)
  expect(await page.content()).not.toContain('a secret of the output')
  const copy = waiting.getByRole('button', { name: 'Copy npx kotef-watch runs show stuck' })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await copy.click()
  await expect.poll(() => waiting.getByRole('button').innerText()).toBe('Copied')
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('npx kotef-watch runs show stuck')
  await using without = await windowAt('', { script: false })
  expect(await without.page.getByRole('button').count()).toBe(0)
  expect(await without.page.locator('code.typed').innerText()).toBe('npx kotef-watch runs show stuck')
  for (const width of [320, 1280]) await shot(window, `stopped-${width}`, width)
  await agent.say('UserPromptSubmit', { prompt: 'try it again' })
  await expect.poll(() => page.title()).toBe(before)
  expect(await icon.getAttribute('href')).toBe('assets/icon.svg')
  expect(await waiting.innerText()).toContain('Nothing waits for you.')
  expect(window.errors).toEqual([])
})

test('a page whose server has ended says so, and goes on when the next one is opened (look B17)', async () => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\n' })
  await using window = await browser().open({ width: 320 })
  const { page } = window
  await page.goto((await startUiServer(repo)).url)
  await isLive(page)
  await repo.kotef('ui', '--kill')
  await expect.poll(() => page.locator('#connection').innerText()).toBe('Not connected: run npx kotef-watch ui')
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
  const next = await page.context().newPage()
  await next.goto((await startUiServer(repo)).url)
  await isLive(page)
  await repo.kotef('ui', '--kill')
})

test('a page that takes long to make says so, appears by itself, and is live then', async () => {
  await using repo = await governedRepo({ 'src/a.ts': 'the only line\n' })
  const server = await startUiServer(repo)
  await server.page('intents')
  const maker = server.makerPid() ?? 0
  process.kill(maker, 'SIGSTOP')
  await using window = await browser().open({})
  const { page } = window
  await page.goto(server.url)
  await page.goto(server.address('files/src/a.ts'))
  expect(await page.locator('[data-making]').innerText()).toContain('kotef has been making it for')
  expect(await window.seriousProblems()).toEqual([])
  process.kill(maker, 'SIGCONT')
  await page.waitForSelector('text=the only line')
  expect(await page.title()).toContain('src/a.ts')
  await isLive(page)
  await repo.write('src/a.ts', 'another line\n')
  await repo.git('commit', '-qam', 'another', '-m', 'Intent-ID: INT-001')
  await page.waitForSelector('text=another line')
  expect(window.errors).toEqual([])
  await repo.kotef('ui', '--kill')
})
