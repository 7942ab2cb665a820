import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Repo, temporaryRepo } from '../rig/repo.ts'
import type { AgentClient } from './clients/client.ts'
import { programOf } from './downloads.ts'
import { recordPayloads } from './record-payloads.ts'
import { startModelServer } from './models/serve.ts'
import type { ModelRequest } from './models/protocol.ts'
import { beginHandover, coderSession, orchestratorSession } from './handover-story.ts'
import { beginOtherWork, curiousSession, OTHER_INTENT } from './meaning-story.ts'
import { CHECKED_INTENT, circlingSession, hastySession, loopingSession } from './run-story.ts'
import { nextSession, firstSession, withoutKotef, PROMISES, type PromiseName, type Story } from './story.ts'

/** What became of a promise; `found` is what was there instead. */
export type PromiseResult = { readonly promise: PromiseName; readonly holds: boolean; readonly found: unknown }

/**
 * One agent's stories. What they never came to does not hold, and what the agent printed is told with it. The payloads
 * of its hooks are written to a folder, if one is named.
 */
export async function runStories(client: AgentClient, folder: string | null): Promise<PromiseResult[]> {
  await using repo = await createGovernedRepo(client)
  if (folder !== null) await recordPayloads(repo, folder)
  const results = new Map<PromiseName, PromiseResult>()
  const check = (promise: PromiseName, holds: boolean, found: unknown): void =>
    void results.set(promise, { promise, holds, found })
  const stage = { repo, agent: client.name, model: client.model, check }
  const runs = [await runStory(client, repo, asked => firstSession(stage, asked))]
  runs.push(await runStory(client, repo, () => nextSession(stage)))
  runs.push(await runStory(client, repo, () => loopingSession(stage)))
  runs.push(await runStory(client, repo, () => circlingSession(stage)))
  runs.push(await runStory(client, repo, () => hastySession(stage)))
  beginHandover(repo)
  runs.push(await runStory(client, repo, () => orchestratorSession(stage)))
  runs.push(await runStory(client, repo, () => coderSession(stage)))
  await beginOtherWork(repo)
  runs.push(await runStory(client, repo, () => curiousSession(stage)))
  // As in a clone in which kotef is not installed.
  await rm(join(repo.root, '.git/kotef/agent'))
  runs.push(await runStory(client, repo, () => withoutKotef(stage)))
  const missing = { holds: false, found: { notReached: true, seen: runs } }
  return (Object.keys(PROMISES) as PromiseName[]).map(promise => results.get(promise) ?? { promise, ...missing })
}

/** Runs the client with a model that does what the story wants; what there was to be seen of it. */
async function runStory(client: AgentClient, repo: Repo, storyOf: (begun: ModelRequest) => Story): Promise<unknown> {
  let story: Story | undefined
  let trouble: unknown = null
  const turn = async (asked: ModelRequest) => {
    // The first step is told nothing by the one before it.
    story ??= storyOf(asked)
    const step = await story.next(asked).catch((thrown: unknown) => {
      trouble = thrown instanceof Error ? thrown.stack : thrown
      return { done: true } as const
    })
    return client.spell(step.done ? { do: 'say', text: 'It is done.' } : step.value, asked.tools)
  }
  await using model = await startModelServer(client.protocol, turn)
  const printed = await runClient(client, repo, model.url)
  return { trouble, requests: model.requests, printed }
}

/** A repository that has adopted kotef, with the agent configured, and an intent that nobody works on. */
async function createGovernedRepo({ name }: AgentClient): Promise<Repo> {
  const repo = await temporaryRepo({
    'src/old.ts': 'export const old = 0\n',
    'docs/old.md': 'old\n',
    'lib/old.ts': '\n',
  })
  await kotefOrThrow(repo, 'init', '--yes', '--hooks', 'git', '--agent', name)
  // Without this, an agent in a clone that is not set up is only warned.
  const config = '.orchestration/config.yaml'
  await repo.write(config, `${await repo.read(config)}unset_clones: block\n`)
  await kotefOrThrow(repo, 'intent', 'add', '--id', 'INT-001', '--name', 'the work', '--scope', 'src/**')
  await kotefOrThrow(repo, 'intent', 'add', ...CHECKED_INTENT)
  await kotefOrThrow(repo, 'intent', 'add', ...OTHER_INTENT)
  await repo.git('add', '--all')
  await repo.git('commit', '--quiet', '--message', 'adopt kotef', '--message', 'Governance: adopt kotef')
  return repo
}

async function kotefOrThrow(repo: Repo, ...words: string[]): Promise<void> {
  const { code, stdout, stderr } = await repo.kotef(...words)
  if (code !== 0) throw new Error(`kotef ${words.join(' ')} ended with ${code}:\n${stderr}${stdout}`)
}

/** Runs the client from the prompt to its end; the last that it printed. */
async function runClient(client: AgentClient, repo: Repo, url: string): Promise<readonly string[]> {
  const home = repo.env()['HOME'] ?? ''
  const { files, env } = client.home({ url, root: repo.root })
  for (const [path, text] of Object.entries(files)) await put(join(home, path), text)
  const words = [programOf(client), ...client.words('Write the two constants of this repository.')]
  const [command = '', ...args] = client.isScript ? [process.execPath, ...words] : words
  await using started = repo.start(command, args, { env: { ...OFFLINE_ENVIRONMENT, ...env } })
  started.close()
  const late = setTimeout(() => started.signal('SIGKILL'), CLIENT_MS_MAX)
  await started.ended
  clearTimeout(late)
  return started.lines.slice(-40)
}

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

const CLIENT_MS_MAX = 120_000

// Where there is no network of its own, what a client wants to tell somebody else finds no way out either.
const OFFLINE_ENVIRONMENT = {
  ...{ HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.1,localhost' },
  ...{ DO_NOT_TRACK: '1', CI: '1', TERM: 'dumb' },
}
