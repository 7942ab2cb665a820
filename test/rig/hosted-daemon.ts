// A daemon in a process that a worker keeps for all of them.

import { join } from 'node:path'
import type { HostReply, HostRequest } from './daemon-host.ts'
import { packedKotef } from './packed-kotef.ts'
import type { Repo } from './repo.ts'
import { type RunningProgram, startProgram } from './running-program.ts'

type Host = { readonly program: RunningProgram; isGone: boolean }

let idle: Host | null = null

/** A daemon that runs. */
export type HostedDaemon = AsyncDisposable & {
  readonly pid: number
  /** Does some work while the daemon stands still, so that it sees no state in between, however slow the machine is. */
  standsStillFor<T>(work: () => Promise<T>): Promise<T>
}

/** What a daemon of the rig may leave out. */
export type HostedOptions = {
  /** False where a test reads no notes and no classes: each move of HEAD would start a process that writes them. */
  readonly hasChildren?: boolean
}

/** Runs the daemon of a repository in a process that this worker keeps for all of them. It ends when stopped. */
export async function startHostedDaemon(
  repo: Pick<Repo, 'root' | 'env'>,
  { hasChildren = true }: HostedOptions = {},
): Promise<HostedDaemon> {
  const host = takeHost()
  await ask(host, { root: repo.root, env: repo.env(), hasChildren })
  let isStopped = false
  return {
    pid: host.program.pid,
    standsStillFor(work) {
      host.program.signal('SIGSTOP')
      return work().finally(() => host.program.signal('SIGCONT'))
    },
    async [Symbol.asyncDispose]() {
      if (isStopped || host.isGone) return
      isStopped = true
      await ask(host, 'stop')
      if (idle) await host.program[Symbol.asyncDispose]()
      else idle = host
    },
  }
}

function takeHost(): Host {
  const host = idle && !idle.isGone ? idle : startHost()
  idle = null
  return host
}

function startHost(): Host {
  const { root, bin } = packedKotef()
  const program = startProgram(join(bin, 'node'), [join(root, 'dist/daemon-host.cjs')], { cwd: '/', env: {} })
  const host: Host = { program, isGone: false }
  program.ended.finally(() => (host.isGone = true)).catch(() => {})
  return host
}

/** Resolves when the daemon is ready, or has stopped. A host that fails is not used again. */
async function ask({ program }: Host, request: HostRequest): Promise<void> {
  program.type(`${JSON.stringify(request)}\n`)
  const answer = JSON.parse(await program.line(/^\{/)) as HostReply
  if (!('failed' in answer)) return
  await program[Symbol.asyncDispose]()
  throw new Error(`The daemon failed: ${answer.failed}`)
}
