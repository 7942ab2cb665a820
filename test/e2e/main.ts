import { resolve } from 'node:path'
import { programOptions, refuseOptions } from '../rig/program-options.ts'
import { runStandalone } from '../rig/standalone-run.ts'
import { rerunWithoutNetwork } from './without-network.ts'
import { CLIENTS } from './clients/clients.ts'
import type { AgentClient } from './clients/client.ts'
import { download } from './downloads.ts'
import { runStories } from './run-client.ts'
import { PROMISES } from './story.ts'

type Problems = Readonly<Record<string, string | null>>

const USAGE =
  `The clients are ${Object.keys(CLIENTS).join(', ')}; --record FOLDER keeps what they send: ` +
  'npm run e2e:agents -- claude'
const options = { record: { type: 'string' } } as const
const { positionals, values } = programOptions(USAGE, { allowPositionals: true, options })
const folder = values.record === undefined ? null : resolve(values.record)
const names = positionals.length === 0 ? Object.keys(CLIENTS) : positionals
const unknown = names.filter(it => !Object.hasOwn(CLIENTS, it))
const print = (line: string): void => void process.stdout.write(`${line}\n`)

if (unknown.length > 0) refuseOptions(`There is no client ${unknown.join(', ')}. ${USAGE}`)
await start()

// Once everything is there, nothing more is wanted of the network.
async function start(): Promise<void> {
  const reported = process.env['KOTEF_E2E_PROBLEMS']
  const problems: Problems = reported ? (JSON.parse(reported) as Problems) : downloadClients()
  const code = reported ? null : rerunWithoutNetwork({ KOTEF_E2E_PROBLEMS: JSON.stringify(problems) })
  if (code !== null) process.exitCode = code
  else await runStandalone(() => run(problems))
}

function downloadClients(): Problems {
  return Object.fromEntries(chosenClients().map(it => [it.name, download(it)]))
}

function chosenClients(): AgentClient[] {
  return Object.values(CLIENTS).filter(it => names.includes(it.name))
}

async function run(problems: Problems): Promise<void> {
  let [passed, failed] = [0, 0]
  for (const client of chosenClients()) {
    print(`${client.name}: ${client.package} ${client.version}`)
    const problem = problems[client.name] ?? null
    const kept = problem === null ? await runAndPrint(client) : 0
    if (problem !== null) print(`  not ok  it can't be downloaded: ${problem}`)
    passed += kept
    failed += Object.keys(PROMISES).length - kept
  }
  print(`${passed} passed, ${failed} failed`)
  if (failed > 0) process.exitCode = 1
}

/** Plays a client's story, and prints what became of each promise; how many were kept. */
async function runAndPrint(client: AgentClient): Promise<number> {
  const results = await runStories(client, folder)
  for (const { promise, holds, found } of results) {
    print(`  ${holds ? 'ok    ' : 'not ok'}  ${PROMISES[promise]}`)
    const text = (typeof found === 'string' ? found : JSON.stringify(found, null, 2)) ?? ''
    if (!holds) print(`          ${text.slice(0, TEXT_MAX).replaceAll('\n', '\n          ')}`)
  }
  return results.filter(it => it.holds).length
}

const TEXT_MAX = 4_000
