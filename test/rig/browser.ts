import { existsSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createRequire } from 'node:module'
import { type Browser, chromium, type Page } from 'playwright-core'
import { repositoryRoot } from './packed-kotef.ts'

/** A browser; each of its windows begins without cookies. */
export type TestBrowser = AsyncDisposable & {
  open(options: WindowOptions): Promise<TestWindow>
}

export type WindowOptions = {
  readonly width?: number
  readonly height?: number
  readonly scheme?: 'dark' | 'light'
  readonly script?: boolean
}

/** A window, and what its page has reported. */
export type TestWindow = AsyncDisposable & {
  readonly page: Page
  /** Errors of the console and of scripts, requests that failed, and what the policy of the page forbids. */
  readonly errors: string[]
  /** The serious problems that axe-core finds on the page. */
  seriousProblems(): Promise<string[]>
  /** Saves what the window shows. */
  screenshot(name: string): Promise<void>
}

/** Starts Debian's Chromium, or the one that CHROMIUM names. */
export async function startBrowser(): Promise<TestBrowser> {
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    // A root user has no sandbox for it.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  return {
    open: options => openWindow(browser, options),
    [Symbol.asyncDispose]: () => browser.close(),
  }
}

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

function chromiumPath(): string {
  const named = process.env['CHROMIUM']
  const found = [...(named ? [named] : []), ...PLACES].find(it => existsSync(it))
  if (found) return found
  throw new Error('There is no Chromium. Install it: `apt-get install chromium`, or name it in CHROMIUM.')
}

/** Where screenshots are saved: for a person to look at. */
const SCREENSHOTS = join(repositoryRoot, 'node_modules/.cache/kotef/screenshots')

async function openWindow(browser: Browser, options: WindowOptions): Promise<TestWindow> {
  const { width = 1280, height = 900, scheme = 'light', script = true } = options
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    javaScriptEnabled: script,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  return {
    ...{ page, errors: errorsOf(page) },
    seriousProblems: () => seriousProblems(page),
    async screenshot(name) {
      await mkdir(SCREENSHOTS, { recursive: true })
      await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true })
    },
    [Symbol.asyncDispose]: () => context.close(),
  }
}

function errorsOf(page: Page): string[] {
  const errors: string[] = []
  page.on('console', it => void (['error', 'warning'].includes(it.type()) && errors.push(it.text())))
  page.on('pageerror', it => void errors.push(String(it)))
  return errors
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type AxeResult = { readonly violations: readonly AxeViolation[] }
type AxeViolation = {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

// The debugger runs it, because the page's policy lets no script in.
async function seriousProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const { violations } = (await page.evaluate(
    "axe.run({ preload: false, rules: { 'target-size': { enabled: true } } })",
  )) as AxeResult
  return violations
    .filter(it => it.impact === 'serious' || it.impact === 'critical' || it.id === 'landmark-unique')
    .flatMap(({ id, nodes }) => nodes.map(it => `${id}: ${it.html}\n${it.failureSummary ?? ''}`))
}
