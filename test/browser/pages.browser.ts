import { expect, test } from 'vitest'
import { fixture } from '../rig/fixture.ts'
import { claudeSession } from '../rig/agent-hooks.ts'
import { startBrowser } from '../rig/browser.ts'
import { governedRepo, startWatching, flushedRecords } from '../rig/governed-repo.ts'
import { startPageServer } from '../rig/page-server.ts'

const browser = fixture(startBrowser)
const repo = fixture(() =>
  governedRepo({ 'src/a.ts': 'export const a = 1\n', 'src/pay/refund.ts': 'one\ntwo\n', 'docs/x.md': 'x\n' }),
)
const daemon = fixture(() => startWatching(repo()))
const server = fixture(() => startPageServer(repo()))

test('look', async () => {
  void daemon
  const agent = claudeSession(repo(), 'claude-session-1', { model: 'claude-opus-4' })
  await agent.say('SessionStart', { source: 'startup' })
  for (const [path, text] of [
    ['src/a.ts', 'export const a = 2\nexport const b = 3\n'],
    ['src/pay/refund.ts', 'one\n2\n3\n'],
  ] as const) {
    await agent.willWrite(path)
    await repo().write(path, text)
    await agent.hasWritten(path)
  }
  await repo().write('docs/x.md', 'y\n')
  await flushedRecords(repo())
  for (const [width, scheme] of [
    [320, 'light'],
    [1280, 'light'],
    [1280, 'dark'],
    [3840, 'dark'],
  ] as const) {
    await using window = await browser().open({ width, scheme })
    await window.page.goto(server().url)
    await window.page.waitForSelector('.is-connected')
    await window.screenshot(`now-${width}-${scheme}`)
    expect(await window.seriousProblems()).toEqual([])
    await window.page.goto(new URL('records', server().url.replace(/\?.*/, '')).href)
    await window.screenshot(`records-${width}-${scheme}`)
    expect(await window.seriousProblems()).toEqual([])
    expect(window.errors).toEqual([])
  }
})
