import { expect, test } from 'vitest'
import { annotateCommits } from '../../src/world/provenance/annotate-commits.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import { claudeSession } from '../rig/agent-hooks.ts'
import { startBrowser } from '../rig/browser.ts'
import { fixture } from '../rig/fixture.ts'
import { flushedRecords, governedRepo, startWatching } from '../rig/governed-repo.ts'
import { runCliOrThrow } from '../rig/hooked-repo.ts'
import { startPageServer } from '../rig/page-server.ts'
import type { Repo } from '../rig/repo.ts'

// The pictures of the README: `npm run pictures` keeps the screenshots that this test makes.

const browser = fixture(startBrowser)

const REFUND = [
  ...["import { rateOf } from './rates.ts'", ''],
  ...[
    '/** What a customer gets back, in cents. */',
    'export function refund(payment: Payment, cents: number): Refund {',
  ],
  ...['  if (cents > payment.cents) throw new RangeError(`${cents} is more than was paid`)'],
  ...[
    '  const fee = Math.round(cents * rateOf(payment.card))',
    '  return { payment: payment.id, cents: cents - fee }',
    '}',
    '',
  ],
]
const RATES = [
  'const RATES = { visa: 0.01, amex: 0.03 }',
  '',
  'export const rateOf = (card: keyof typeof RATES) => RATES[card]',
  '',
]

test('the pages of a day on which an agent and a person work show both, and what was out of scope', async () => {
  await using repo = await governedRepo({ 'docs/notes.md': 'notes\n' })
  await nameIntents(repo)
  await using _daemon = await startWatching(repo)
  const agent = claudeSession(repo, 'a1b2c3d4-0000-4000-8000-000000000001', { model: 'claude-opus-4' })
  const writeAsAgent = async (path: string, lines: readonly string[]): Promise<void> => {
    await agent.willWrite(path)
    await repo.write(path, lines.join('\n'))
    await agent.hasWritten(path)
  }
  await agent.say('SessionStart', { source: 'startup' })
  await writeAsAgent('src/pay/rates.ts', RATES)
  await writeAsAgent('src/pay/refund.ts', REFUND)
  await repo.write(
    'src/pay/refund.ts',
    REFUND.join('\n').replace('is more than was paid', 'cents are more than was paid'),
  )
  await flushedRecords(repo)
  await repo.git('add', '--all')
  await repo.git('commit', '--quiet', '-m', 'pay: refund a part of a payment')
  await writeAsAgent('src/pay/rates.ts', [...RATES.slice(0, -1), 'export const cards = Object.keys(RATES)', ''])
  await agent.willRun('npm run docs')
  await repo.write('docs/notes.md', 'notes\nrefunds have a fee\n')
  await expect(agent.hasRun('npm run docs')).rejects.toThrow(/Scope Violation/)
  await flushedRecords(repo)
  await annotateCommits(await openWorkspace(repo.root), { isWatched: false })

  await using server = await startPageServer(repo)
  await using window = await browser().open({ width: 1200, height: 760 })
  const { page } = window
  await page.goto(server.url)
  await page.waitForSelector('#connection.is-connected')
  expect(await page.locator('.record:has-text("docs/notes.md")').allInnerTexts()).toContainEqual(
    expect.stringContaining('is outside intent INT-001'),
  )
  await window.screenshot('ui-now')
  await page.goto(`http://127.0.0.1:${server.port}${server.base}files/src/pay/refund.ts?by=author`)
  const authors = await page.locator('table').first().innerText()
  expect(authors).toContain('agent')
  expect(authors).toContain('person')
  await window.screenshot('ui-file')
  expect(window.errors).toEqual([])
})

async function nameIntents(repo: Repo): Promise<void> {
  await runCliOrThrow(repo, 'intent', 'edit', 'INT-001', '--name', 'Refunds of card payments')
  await runCliOrThrow(repo, 'intent', 'add', '--id', 'INT-002', '--name', 'Invoices as PDF', '--scope', 'invoices/**')
  await repo.git('commit', '--quiet', '-am', 'name the work', '-m', 'Governance: name the work')
}
