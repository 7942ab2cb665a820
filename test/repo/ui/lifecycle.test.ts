import { createServer } from 'node:net'
import { once } from 'node:events'
import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { governedRepo } from '../../rig/governed-repo.ts'
import { startPageServer } from '../../rig/page-server.ts'
import { type Repo, temporaryRepo } from '../../rig/repo.ts'
import { openBrowser } from '../../../src/shells/ui/server/open-browser.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'

type Address = { readonly url: string; readonly pid: number; readonly version: string; readonly port: number }

const statePath = (repo: Repo) => join(repo.root, '.git/kotef/ui.json')
const savedAddress = async (repo: Repo) => JSON.parse(await readFile(statePath(repo), 'utf8')) as Address

async function startUi(repo: Repo, ...words: string[]): Promise<Pick<Address, 'url' | 'pid'>> {
  const { code, stdout, stderr } = await repo.kotef('ui', '--json', ...words)
  if (code !== 0) throw new Error(`kotef ui ended with ${code}:\n${stderr}${stdout}`)
  return JSON.parse(stdout) as Pick<Address, 'url' | 'pid'>
}

test('--json prints address and pid, a second call finds the same server, and --kill ends it', async () => {
  await using repo = await governedRepo()
  const first = await startUi(repo)
  expect(Object.keys(first).sort()).toEqual(['pid', 'url'])
  expect(await startUi(repo)).toEqual(first)
  expect((await fetch(first.url, { redirect: 'manual' })).status).toBe(303)
  expect((await stat(statePath(repo))).mode & 0o777).toBe(0o600)
  const killed = await repo.kotef('ui', '--kill')
  expect(killed.stdout).toBe(`kotef stopped serving pages (pid ${first.pid}).\n`)
  await expect(fetch(first.url)).rejects.toThrow()
  expect(await stat(statePath(repo)).catch(() => null)).toBeNull()
  expect((await repo.kotef('ui', '--kill')).stdout).toBe('No server of pages was running.\n')
})

test('a bookmark lasts: the next server has the same address, and another token (look B17)', async () => {
  await using repo = await governedRepo()
  const first = new URL((await startUi(repo)).url)
  await repo.kotef('ui', '--kill')
  const second = new URL((await startUi(repo)).url)
  expect(second.origin + second.pathname).toBe(first.origin + first.pathname)
  expect((await fetch(`${second.origin}${second.pathname}`)).status).toBe(401)
  expect((await fetch(first, { redirect: 'manual' })).status).toBe(401)
  expect((await stat(join(repo.root, '.git/kotef/ui-key'))).mode & 0o777).toBe(0o600)
  await repo.kotef('ui', '--kill')
  await using other = createServer().listen(Number(first.port), '127.0.0.1')
  await once(other, 'listening')
  const third = new URL((await startUi(repo)).url)
  expect([third.pathname, third.port === first.port]).toEqual([first.pathname, false])
  await repo.kotef('ui', '--kill')
})

test('a server of another version is replaced', async () => {
  await using repo = await governedRepo()
  const first = await startUi(repo)
  await writeFile(statePath(repo), JSON.stringify({ ...(await savedAddress(repo)), version: '0.0.1' }))
  const second = await startUi(repo)
  expect(second.pid).not.toBe(first.pid)
  expect((await fetch(first.url)).status).toBe(401)
  expect((await fetch(second.url, { redirect: 'manual' })).status).toBe(303)
  await repo.kotef('ui', '--kill')
})

test('an address that another user may have written, or that nobody answers at, is not believed', async () => {
  await using repo = await governedRepo()
  const first = await startUi(repo)
  const saved = await savedAddress(repo)
  await chmod(statePath(repo), 0o644)
  expect((await repo.kotef('ui', '--kill')).stdout).toBe('No server of pages was running.\n')
  await chmod(statePath(repo), 0o600)
  process.kill(first.pid, 'SIGKILL')
  const second = await startUi(repo)
  expect(second.url).not.toBe(saved.url)
  await repo.kotef('ui', '--kill')
})

test('--port is obeyed, and a port that is taken is an error with a way out', async () => {
  await using repo = await governedRepo()
  await using other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  const refused = await repo.kotef('ui', '--no-open', '--port', String(port))
  expect([refused.code, refused.stderr]).toEqual([
    3,
    `kotef: The port ${port} of 127.0.0.1 is taken by another program.\n` +
      '  Choose another port, or let the system choose one: `kotef ui`\n',
  ])
  await other[Symbol.asyncDispose]()
  expect(new URL((await startUi(repo, '--port', String(port))).url).port).toBe(String(port))
  await repo.kotef('ui', '--kill')
})

test('the address is printed where no browser can be opened, and a linked worktree has its own server', async () => {
  await using repo = await governedRepo()
  await repo.git('worktree', 'add', '--quiet', '../linked')
  const here = await startUi(repo)
  const around = { cwd: join(repo.base, 'linked'), env: { PATH: await bareBin(repo) } }
  const linked = await repo.run('kotef', ['ui'], around)
  expect([linked.code, linked.stderr]).toEqual([0, ''])
  const [address = ''] = /http:\S+/.exec(linked.stdout) ?? []
  expect(address).not.toBe(here.url)
  const cookie = (await fetch(address, { redirect: 'manual' })).headers.get('set-cookie') ?? ''
  const page = await fetch(address.replace(/\?.*/, ''), { headers: { cookie } })
  expect(await page.text()).toContain('<span class="repository">linked</span>')
  await repo.run('kotef', ['ui', '--kill'], { cwd: join(repo.base, 'linked') })
  await repo.kotef('ui', '--kill')
})

test('the browser gets a file that only this user can read, not an address with a token', async () => {
  await using repo = await temporaryRepo({ a: 'a\n' })
  const calls: string[][] = []
  const start = (file: string, args: readonly string[]) => (calls.push([file, ...args]), Promise.resolve(true))
  const url = 'http://127.0.0.1:1/key/?token=secret'
  expect(await openBrowser(await openWorkspace(repo.root), url, start)).toBe(true)
  const path = join(repo.root, '.git/kotef/ui.html')
  expect(calls.flat().at(-1)).toBe(path)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await readFile(path, 'utf8')).toContain(url)
})

test('a minute after its last client the server is unused, and a client that comes back prevents that', async () => {
  await using repo = await governedRepo()
  const timers: { run: () => void; ms: number; isStopped: boolean }[] = []
  const startTimer = (run: () => void, ms: number) => {
    const timer = { run, ms, isStopped: false }
    timers.push(timer)
    return () => void (timer.isStopped = true)
  }
  let unused = 0
  await using server = await startPageServer(repo, { startTimer, unused: () => void unused++ })
  const times = () => timers.map(it => `${it.ms}${it.isStopped ? ' stopped' : ''}`)
  expect(times()).toEqual(['600000'])
  await server.page('')
  await expect.poll(times).toEqual(['600000 stopped', '60000'])
  // A page that is open is a client, and so is each answer.
  const stream = await server.follow('events')
  await server.page('records')
  await expect.poll(times).toEqual(['600000 stopped', '60000 stopped'])
  stream[Symbol.dispose]()
  await expect.poll(times).toEqual(['600000 stopped', '60000 stopped', '60000'])
  timers.at(-1)?.run()
  expect(unused).toBe(1)
})

test('a folder that is not in a repository is an error', async () => {
  await using repo = await temporaryRepo()
  const outside = await repo.run('kotef', ['ui'], { cwd: repo.base })
  expect([outside.code, /not in a git worktree/.test(outside.stderr)]).toEqual([3, true])
})

/** A PATH that has only what kotef needs. */
async function bareBin(repo: Repo): Promise<string> {
  const { PATH = '' } = repo.env()
  const bin = join(repo.base, 'bin')
  await repo.run('mkdir', [bin])
  for (const it of ['git', 'sh']) await repo.run('sh', ['-c', `ln -s "$(command -v ${it})" ${bin}`])
  return `${PATH.split(':')[0]}:${bin}`
}
