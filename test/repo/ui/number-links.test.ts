import { expect, test } from 'vitest'
import { claudeSession } from '../../rig/agent-hooks.ts'
import { fixture } from '../../rig/fixture.ts'
import { flushedRecords, flushedWrites, governedRepo, startWatching } from '../../rig/governed-repo.ts'
import { type PageServerOfTest, startPageServer } from '../../rig/page-server.ts'

const ODD = `src/"odd\n<b>.ts`

const template = fixture(async () => {
  const repo = await governedRepo({ 'src/a.ts': 'old\n', [ODD]: 'odd\n' })
  await repo.play(`kotef intent add --id INT-002 --name '<script>' --scope 'web/**'
    kotef intent edit INT-001 --check true
    git commit -qam 'another one' -m 'Governance: another one'`)
  await using _daemon = await startWatching(repo)
  const claude = claudeSession(repo, 's-1')
  await claude.willWrite('src/a.ts')
  await repo.write('src/a.ts', 'old\nexport const one = 1\nexport const two = 2\n')
  await claude.hasWritten('src/a.ts')
  await flushedWrites(repo)
  await repo.git('commit', '-qam', 'two lines')
  await repo.write('src/a.ts', 'old\nexport const one = 1\nexport const two = 3\n// later\n')
  await repo.write('lib/b.ts', 'outside\n')
  await flushedRecords(repo)
  await repo.kotef('check', 'INT-001')
  return repo
})
const server = fixture((): Promise<PageServerOfTest> => startPageServer(template()))

const PAGES = [
  ...['intents', 'intents?status=PENDING', 'intents/INT-001', 'intents/INT-002', 'intents/INT-001/history'],
  ...['intents/INT-001/sessions', 'intents/INT-001/files'],
  ...['files/src/a.ts', 'files/src/a.ts?by=author', `files/${ODD.split('/').map(encodeURIComponent).join('/')}`],
  ...['files/src/gone.ts', 'files/lib/b.ts'],
]

test.each(PAGES)('each number of the page %j leads to a list of that length', async address => {
  const counts = countsIn(await wholePage(address))
  expect(counts.length).toBeGreaterThan(0)
  for (const { n, href } of counts) expect([href, lengthOf(await wholePage(href))]).toEqual([href, n])
})

/** A page with all its facts: it is read again while it says that some are still being found. */
async function wholePage(address: string): Promise<string> {
  for (;;) {
    const html = await server().page(address)
    if (!html.includes('data-pending')) return html
  }
}

function countsIn(html: string): { readonly n: number; readonly href: string }[] {
  const found = [...html.matchAll(/<a class="count" href="([^"]*)" aria-label="(\d+) /g)]
  return found.map(([, href = '', n]) => ({
    n: Number(n),
    href: href.replaceAll('&amp;', '&').replaceAll('&quot;', '"'),
  }))
}

/** What a list says of its length. */
function lengthOf(html: string): number | null {
  const [, total] =
    /<p class="[^"]*" id="total">([\d,]+)/.exec(html) ??
    /<h1>Records<\/h1><span class="quiet">(?:.* of )?([\d,]+|none)</.exec(html) ??
    []
  return total === undefined ? null : total === 'none' ? 0 : Number(total.replaceAll(',', ''))
}

test('an intent or a list that does not exist is not found, and a file is said to be missing', async () => {
  const { base, cookie } = server()
  for (const path of ['intents/INT-9', 'intents/INT-001/nothing', 'intents/..%2f..%2fetc', 'intents/INT-001/__proto__'])
    expect([path, [400, 404].includes((await server().send(`${base}${path}`, { cookie })).status)]).toEqual([
      path,
      true,
    ])
  expect(await server().page('files/src/never')).toContain('There is no such file in the worktree.')
  expect(await server().page('files/%2e.git/config')).not.toContain('[core]')
})

test('the names of an intent and of a file are text on every page that has them', async () => {
  for (const page of ['intents', 'intents/INT-002', `files/${ODD.split('/').map(encodeURIComponent).join('/')}`])
    expect(await server().page(page)).not.toMatch(/<script>|<b>/)
})
