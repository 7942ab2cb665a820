import { readdirSync, readFileSync } from 'node:fs'
import type { Repo } from './repo.ts'

/** A real `kotef ui`, as a browser and the system see it. */
export type UiServer = {
  readonly pid: number
  /** The address that it prints, and without the token that of a page. */
  readonly url: string
  readonly address: (page: string) => string
  /** What it answers to the address of a page. */
  readonly page: (address: string) => Promise<{ readonly status: number; readonly text: string }>
  /** The process that makes its pages; null while there is none. */
  readonly makerPid: () => number | null
}

/** Starts `kotef ui` in a repository. It is ended by `kotef ui --kill`, and with the repository. */
export async function startUiServer(repo: Repo): Promise<UiServer> {
  const { code, stdout, stderr } = await repo.kotef('ui', '--json')
  if (code !== 0) throw new Error(`kotef ui ended with ${code}:\n${stderr}${stdout}`)
  const { url, pid } = JSON.parse(stdout) as { url: string; pid: number }
  const cookie = (await fetch(url, { redirect: 'manual' })).headers.get('set-cookie')?.split(';')[0] ?? ''
  const base = url.replace(/\?.*/, '')
  return {
    ...{ pid, url, address: page => `${base}${page}` },
    async page(address) {
      const answer = await fetch(`${base}${address}`, { headers: { cookie } })
      return { status: answer.status, text: await answer.text() }
    },
    makerPid: () => childrenOf(pid).find(it => procFile(it, 'cmdline').includes('ui-server.cjs\0make')) ?? null,
  }
}

function childrenOf(pid: number): number[] {
  const ids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return ids.filter(it => Number(/^.*\) \S (\d+)/s.exec(procFile(it, 'stat'))?.[1]) === pid)
}

function procFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
