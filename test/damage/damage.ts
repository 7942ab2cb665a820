import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ADAPTERS } from '../../src/core/agents/decode.ts'
import { askGate, writeTool } from '../rig/agent-gate.ts'
import { runAgentHook } from '../rig/agent-hooks.ts'
import { runCli } from '../rig/command-line.ts'
import { copyGoverned } from '../rig/hooked-repo.ts'
import { type Random, randomFrom } from '../rig/random.ts'
import type { Repo } from '../rig/repo.ts'
import { damageableRepo, writePayload } from './damageable-repo.ts'
import { mutated } from './mutations.ts'

/** Mutations of each file, the seed of their choice, and a part of the names of the files. */
type Terms = { readonly rounds: number; readonly seed: number; readonly only: string }

/** What the mutations of one file led to: `told` counts those of which somebody was told. */
export type Tally = {
  readonly name: string
  mutations: number
  reported: number
  slowestMs: number
  readonly wrong: string[]
}

/** Damages each file that kotef reads. Whatever it holds, nothing out of scope may pass, and every program ends. */
export async function* damageFiles({ rounds, seed, only }: Terms): AsyncGenerator<Tally> {
  await using template = await damageableRepo()
  const groups = new Map(filesOf(template.root).map(it => [groupOf(it), it]))
  for (const [name, path] of groups) {
    if (!name.includes(only)) continue
    await using repo = await copyGoverned(template)
    const [random, kept, tally] = [randomFrom(seed + name.length * 7919), keep(repo.root), newTally(name)]
    for (let n = 0; n < rounds; n++) {
      kept.restore()
      const { how, bytes } = mutated(readFileSync(join(repo.root, path)), random)
      writeFileSync(join(repo.root, path), bytes)
      await judge(repo, { tally, what: `round ${n}, ${how}`, n, random })
    }
    yield tally
  }
}

/** Damages what an agent tells its hook. */
export async function* damagePayloads({ rounds, seed }: Terms): AsyncGenerator<Tally> {
  await using template = await damageableRepo()
  for (const agent of Object.keys(ADAPTERS)) {
    await using repo = await copyGoverned(template)
    const [random, tally] = [randomFrom(seed + agent.length), newTally(`a payload of ${agent}`)]
    for (let n = 0; n < rounds; n++) {
      const { how, bytes } = mutated(Buffer.from(writePayload(repo, 'lib/b.ts')), random)
      const answer = await timed(tally, how, runAgentHook(repo, agent, bytes))
      tally.mutations += 1
      if (answer === null) continue
      if (answer.code !== 0 || answer.stdout !== '') tally.reported += 1
      if (isBug(answer)) tally.wrong.push(`${how}: ${answer.stdout}${answer.stderr}`)
    }
    yield tally
  }
}

const ROUND_MS_MAX = 10_000
const ROUNDS_PER_VERB = 4
const ROUNDS_PER_COMMIT = 20

const VERBS: readonly (readonly string[])[] = [
  ['status'],
  ['intent', 'list'],
  ['verify', 'HEAD~1..HEAD'],
  ['context', '--intent', 'INT-001'],
  ['log'],
  ['blame', 'src/a.ts'],
  ['contract', 'INT-001', '--ticket', 'ticket.md'],
  ['lesson', 'list'],
  ['session', 'list'],
  ['runs', 'list'],
  ['scope', 'src/a.ts', 'src/secret/k'],
  ['handover', 'check'],
  ['handover', 'status'],
  ['show', 'INT-001'],
  ['why', 'src/a.ts:1'],
  ['report', 'HEAD~1..HEAD'],
  ['trace', 'verify'],
  ['where', 'src'],
  ['trace', 'export'],
]

type Round = { readonly tally: Tally; readonly what: string; readonly n: number; readonly random: Random }

// `lib/b.ts` is outside the scope of the session's intent, and staged.
async function judge(repo: Repo, { tally, what, n, random }: Round): Promise<void> {
  tally.mutations += 1
  const wrong = (found: string) => void tally.wrong.push(`${what}: ${found}`)
  const gate = await timed(tally, `${what}: gate`, askGate(repo, 'claude', writeTool(join(repo.root, 'lib/b.ts'))))
  if (gate && gate.kind !== 'denied') wrong(`the gate: ${gate.kind}`)
  if (gate && gate.refusal['error_type'] !== 'scope-violation') tally.reported += 1
  if (n % ROUNDS_PER_VERB === 0) {
    const words = random.pick(VERBS)
    const name = words.join(' ')
    const answer = await timed(tally, `${what}: ${name}`, runCli(repo, ...words))
    if (answer?.exit === BUG_EXIT) wrong(`${name}: ${answer.text}`)
  }
  if (n % ROUNDS_PER_COMMIT !== 0) return
  const words = ['20', 'git', 'commit', '-qm', 'out of scope']
  const commit = await timed(tally, `${what}: git commit`, repo.run('timeout', words))
  if (commit?.code === 0 || commit?.code === TIMEOUT_EXIT) wrong(`git commit ended with ${commit.code}`)
  if (commit && isBug(commit)) wrong(`git commit: ${commit.stderr}`)
}

const BUG_EXIT = 70
const TIMEOUT_EXIT = 124

function isBug({ code, stdout, stderr }: { code: number | null; stdout: string; stderr: string }): boolean {
  return code === BUG_EXIT || /bug in kotef/.test(stdout + stderr)
}

async function timed<T>(tally: Tally, what: string, work: Promise<T>): Promise<T | null> {
  const began = performance.now()
  const answer = await work.catch((thrown: unknown) => {
    tally.wrong.push(`${what}: threw ${String(thrown)}`)
    return null
  })
  const tookMs = Math.round(performance.now() - began)
  tally.slowestMs = Math.max(tally.slowestMs, tookMs)
  if (tookMs > ROUND_MS_MAX) tally.wrong.push(`${what}: took ${tookMs} ms`)
  return answer
}

const newTally = (name: string): Tally => ({ name, mutations: 0, reported: 0, slowestMs: 0, wrong: [] })

/** Each file that kotef reads, by its path from the top, but for programs and logs. */
function filesOf(root: string): string[] {
  const below = (place: string): string[] =>
    readdirSync(join(root, place), { recursive: true, withFileTypes: true })
      .filter(it => it.isFile())
      .map(it => relative(root, join(it.parentPath, it.name)))
  const found = PLACES.filter(it => existsSync(join(root, it))).flatMap(below)
  return [...found, '.intentignore', 'ticket.md'].filter(it => !PROGRAMS.test(it)).sort()
}

const PLACES = ['.orchestration', '.sdd', '.agents-work', '.git/kotef', '.git/refs/kotef', '.git/refs/notes']
const PROGRAMS =
  /\.(?:cjs|sh|log|gitignore)$|\.git\/kotef\/(?:pre-|post-|prepare-|commit-msg|agent$|program|node|merge-|version)/

/** Files of which there are many: one of them stands for all. */
function groupOf(path: string): string {
  return path
    .replace(/[0-9a-f]{32,64}|[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>')
    .replace(/(snapshots|own-writes)\/.*/, '$1/*')
}

/** Keeps what the files have now, and puts it back. */
function keep(root: string): { restore(): void } {
  const paths = [...filesOf(root), '.git/index', '.git/HEAD', '.git/refs/heads/main']
  const kept = paths.filter(it => existsSync(join(root, it))).map(it => [it, readFileSync(join(root, it))] as const)
  const names = new Set(paths)
  return {
    restore: () => {
      for (const it of filesOf(root)) if (!names.has(it)) rmSync(join(root, it), { force: true })
      for (const [path, bytes] of kept) {
        const at = join(root, path)
        const isSame = existsSync(at) && statSync(at).isFile() && readFileSync(at).equals(bytes)
        if (!isSame) writeFileSync(at, bytes)
      }
    },
  }
}
