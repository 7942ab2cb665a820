import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ChildProgram } from '../../../src/world/io/process/child-program.ts'
import { governedRepo } from '../../rig/governed-repo.ts'
import { parserProgram, processState } from '../../rig/parser-programs.ts'
import type { Repo } from '../../rig/repo.ts'
import { startUiServer, type UiServer } from '../../rig/ui-server.ts'

/** A page that takes long, once it is made. */
async function madePage(server: UiServer, address: string): Promise<{ status: number; text: string }> {
  const answer = await server.page(address)
  return answer.status === 202 ? madePage(server, address) : answer
}

/** A server whose process for pages has made one. */
async function usedServer(repo: Repo) {
  const server = await startUiServer(repo)
  const { status, text } = await madePage(server, 'files/src/a.ts')
  if (status !== 200) throw new Error(text)
  const maker = server.makerPid()
  if (maker === null) throw new Error('No process makes pages.')
  return { server, maker }
}

const withFile = () => governedRepo({ 'src/a.ts': 'one\n' })
const PLACEHOLDER = /<h1>This page takes a while<\/h1>.* data-making="true">kotef has been making it for \d+ s/

describe('pages that take long', () => {
  test('the server has them made by a process with little memory, and others are answered meanwhile', async () => {
    await using repo = await withFile()
    const { server, maker } = await usedServer(repo)
    expect(readFileSync(`/proc/${maker}/cmdline`, 'utf8')).toContain('--max-old-space-size=512')
    process.kill(maker, 'SIGSTOP')
    for (const address of ['files/src/a.ts', 'stats', 'intents', 'ranges/HEAD%5E!']) {
      const { status, text } = await server.page(address)
      expect([address, status, text.replaceAll('\n', ' ')]).toEqual([address, 202, expect.stringMatching(PLACEHOLDER)])
      expect(text).toContain(`<a href="${address}">Read again</a>`)
    }
    for (const address of ['', 'records', 'changes', 'handover']) expect((await server.page(address)).status).toBe(200)
    process.kill(maker, 'SIGCONT')
    expect((await madePage(server, 'files/src/a.ts')).text).toContain('one')
    await repo.kotef('ui', '--kill')
  })

  test('a process that ended costs one answer, which says so; the next page has a new one', async () => {
    await using repo = await withFile()
    const { server, maker } = await usedServer(repo)
    process.kill(maker, 'SIGSTOP')
    const held = madePage(server, 'stats')
    process.kill(maker, 'SIGKILL')
    const failed = await held
    expect([failed.status, failed.text]).toEqual([500, expect.stringContaining('more than 512 MiB of memory')])
    expect((await madePage(server, 'files/src/a.ts')).status).toBe(200)
    // It may also end while it finds what no page waits for.
    process.kill(server.makerPid() ?? 0, 'SIGKILL')
    await expect.poll(() => server.makerPid()).toBeNull()
    expect((await server.page('stats')).status).toBe(500)
    expect((await madePage(server, 'stats')).status).toBe(200)
    await repo.kotef('ui', '--kill')
  })

  test.each<[string, (repo: Repo, server: UiServer) => Promise<unknown>]>([
    ['is stopped', repo => repo.kotef('ui', '--kill')],
    ['gets SIGTERM', async (_, { pid }) => process.kill(pid, 'SIGTERM')],
    ['is killed', async (_, { pid }) => process.kill(pid, 'SIGKILL')],
    ['loses its worktree', repo => rm(repo.root, { recursive: true })],
    ['loses its git directory', repo => rm(join(repo.root, '.git'), { recursive: true })],
  ])('no process is left when the server %s', async (_, end) => {
    await using repo = await withFile()
    const { server, maker } = await usedServer(repo)
    await end(repo, server)
    await expect.poll(() => [server.pid, maker].map(processState)).toEqual([null, null])
  })

  test('a process that is asked nothing for a while ends, and the next question starts it again', async () => {
    const program = parserProgram("process.on('message', () => process.send({}))")
    using child = new ChildProgram(program, { answerMsMax: 60_000, startMsMax: 0, heapMiB: 64, idleMsMax: 1 })
    for (const round of [1, 2]) {
      expect(await child.ask({})).toEqual({})
      await expect.poll(() => program.pids().map(processState)).toEqual(Array(round).fill(null))
    }
  })
})
