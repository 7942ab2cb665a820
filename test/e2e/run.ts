import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Repo, temporaryRepo } from '../rig/repo.ts'
import type { Client } from './clients/client.ts'
import { programOf } from './downloads.ts'
import { record } from './record.ts'
import { serve } from './models/serve.ts'
import type { Asked } from './models/wire.ts'
import { again, handshake, outOfReach, PROMISES, type Promised, type Story } from './story.ts'

/** What became of a promise; `found` is what was there instead. */
export type Kept = { readonly promise: Promised; readonly holds: boolean; readonly found: unknown }

/**
 * One agent's stories. What they never came to does not hold, and what the agent printed is told with it. The payloads
 * of its hooks are written to a folder, if one is named.
 */
export async function play(client: Client, folder: string | null): Promise<Kept[]> {
  await using repo = await governed(client)
  if (folder !== null) await record(repo, folder)
  const kept = new Map<Promised, Kept>()
  const check = (promise: Promised, holds: boolean, found: unknown): void =>
    void kept.set(promise, { promise, holds, found })
  const stage = { repo, agent: client.name, model: client.model, check }
  const seen = [await perform(client, repo, asked => handshake(stage, asked))]
  seen.push(await perform(client, repo, () => again(stage)))
  // As in a clone in which kotef is not installed.
  await rm(join(repo.root, '.git/kotef/agent'))
  seen.push(await perform(client, repo, () => outOfReach(stage)))
  const missing = { holds: false, found: { notReached: true, seen } }
  return (Object.keys(PROMISES) as Promised[]).map(promise => kept.get(promise) ?? { promise, ...missing })
}

/** Runs the client with a model that does what the story wants; what there was to be seen of it. */
async function perform(client: Client, repo: Repo, storyOf: (begun: Asked) => Story): Promise<unknown> {
  let story: Story | undefined
  let trouble: unknown = null
  const turn = async (asked: Asked) => {
    // The first step is told nothing by the one before it.
    story ??= storyOf(asked)
    const step = await story.next(asked).catch((thrown: unknown) => {
      trouble = thrown instanceof Error ? thrown.stack : thrown
      return { done: true } as const
    })
    return client.spell(step.done ? { do: 'say', text: 'It is done.' } : step.value, asked.tools)
  }
  await using model = await serve(client.wire, turn)
  const printed = await work(client, repo, model.url)
  return { trouble, requests: model.requests, printed }
}

/** A repository that has adopted kotef, with the agent configured, and an intent that nobody works on. */
async function governed({ name }: Client): Promise<Repo> {
  const repo = await temporaryRepo({ 'src/old.ts': 'export const old = 0\n', 'docs/old.md': 'old\n' })
  await must(repo, 'init', '--yes', '--hooks', 'git', '--agent', name)
  await must(repo, 'intent', 'add', '--id', 'INT-001', '--name', 'the work', '--scope', 'src/**')
  await repo.git('add', '--all')
  await repo.git('commit', '--quiet', '--message', 'adopt kotef', '--message', 'Governance: adopt kotef')
  return repo
}

async function must(repo: Repo, ...words: string[]): Promise<void> {
  const { code, stdout, stderr } = await repo.kotef(...words)
  if (code !== 0) throw new Error(`kotef ${words.join(' ')} ended with ${code}:\n${stderr}${stdout}`)
}

/** Runs the client from the prompt to its end; the last that it printed. */
async function work(client: Client, repo: Repo, url: string): Promise<readonly string[]> {
  const home = repo.env()['HOME'] ?? ''
  const { files, env } = client.home({ url, root: repo.root })
  for (const [path, text] of Object.entries(files)) await put(join(home, path), text)
  const words = [programOf(client), ...client.words('Write the two constants of this repository.')]
  const [command = '', ...args] = client.isScript ? [process.execPath, ...words] : words
  await using started = repo.start(command, args, { env: { ...QUIET, ...env } })
  started.close()
  const late = setTimeout(() => started.signal('SIGKILL'), PATIENCE_MS)
  await started.ended
  clearTimeout(late)
  return started.lines.slice(-40)
}

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

const PATIENCE_MS = 120_000

// Where there is no network of its own, what a client wants to tell somebody else finds no way out either.
const QUIET = {
  ...{ HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.1,localhost' },
  ...{ DO_NOT_TRACK: '1', CI: '1', TERM: 'dumb' },
}
