import { AssertionError } from 'node:assert'
import { isDeepStrictEqual } from 'node:util'
import type { ProgramResult } from './run-program.ts'
import { copyGoverned } from './hooked-repo.ts'
import { type Repo, temporaryRepo } from './repo.ts'

/** A story told in commands: what must succeed or fail, and what is printed. test/README.md has the format. */
export type Transcript = {
  /** The promise: the comment in the first line. */
  readonly title: string
  readonly steps: readonly Step[]
  readonly files: ReadonlyMap<string, string>
}

export type Step = {
  readonly line: number
  readonly command: string
  readonly succeeds: boolean
  /** Null when the transcript does not say. */
  readonly stdout: readonly string[] | null
  readonly stderr: readonly string[] | null
}

/** Reads a transcript; a line that it can't read is thrown, with its number. */
export function readTranscript(text: string): Transcript {
  const { story, files } = splitParts(text)
  const lines = story.split('\n')
  const title = lines[0]?.match(/^# (.+)/)?.[1]
  if (!title) throw new Error('line 1: expected `# ` and the promise that this transcript keeps.')
  return { title, steps: readSteps(lines), files }
}

/** Many short stories about copies of one repository, and the shell functions that their commands may call. */
export type Page = { readonly groups: readonly Group[]; readonly functions: string }
type Group = { readonly title: string; readonly rows: readonly Pick<Transcript, 'title' | 'steps'>[] }

/** Reads a page: a line `== group`, and below it rows that begin as a transcript does. */
export function readPage(text: string): Page {
  const { story, files } = splitParts(text)
  const groups: { title: string; rows: { title: string; steps: Step[] }[] }[] = []
  for (const [index, line] of story.split('\n').entries()) {
    const [, sign, title = ''] = line.match(/^(==|#) (.+)/) ?? []
    const row = groups.at(-1)?.rows.at(-1)
    if (sign === '==') groups.push({ title, rows: [] })
    else if (sign === '#' && groups.length > 0) groups.at(-1)?.rows.push({ title, steps: [] })
    else if (line.trim() !== '' && row) readLine(row.steps, line, index + 1)
    else if (line.trim() !== '')
      throw new Error(`line ${index + 1}: expected \`== \` and a group, or \`# \` and a promise.`)
  }
  return { groups, functions: files.get('functions') ?? '' }
}

function splitParts(text: string): { readonly story: string; readonly files: Transcript['files'] } {
  const [story = '', ...parts] = text.split(/^-- (.+) --\n/m)
  const files = new Map<string, string>()
  for (let index = 0; index < parts.length; index += 2) files.set(parts[index] ?? '', parts[index + 1] ?? '')
  return { story, files }
}

function readSteps(lines: readonly string[]): Step[] {
  const steps: Step[] = []
  for (const [index, line] of lines.entries())
    if (line.trim() !== '' && !line.startsWith('#')) readLine(steps, line, index + 1)
  return steps
}

function readLine(steps: Step[], text: string, line: number): void {
  const [, sign, rest = ''] = text.match(/^([$!>]| {2}1>| {2}2>)(?: (.*))?$/) ?? []
  const last = steps.at(-1)
  if (sign === '$' || sign === '!') steps.push(newStep({ line, command: rest, succeeds: sign === '$' }))
  else if (sign && last) steps[steps.length - 1] = addOutput(last, sign.trim(), rest)
  else throw new Error(`line ${line}: expected a command or its output, found ${JSON.stringify(text)}.`)
}

function newStep(step: Pick<Step, 'line' | 'command' | 'succeeds'>): Step {
  return { ...step, stdout: null, stderr: null }
}

function addOutput(step: Step, sign: string, rest: string): Step {
  if (sign === '>') return { ...step, command: `${step.command}\n${rest}` }
  if (sign === '1>') return { ...step, stdout: [...(step.stdout ?? []), rest] }
  return { ...step, stderr: [...(step.stderr ?? []), rest] }
}

/** Plays a transcript in a repository of its own; the first step that does not keep its word is thrown. */
export async function playTranscript({ steps, files }: Transcript): Promise<void> {
  await using repo = await repoFor(files)
  for (const step of steps) checkStep(step, await repo.run('sh', ['-c', step.command]), repo)
}

/** Plays a row of a page in a copy of the page's repository: kotef says nothing on stderr unless the row tells it. */
export async function playRow(repo: Repo, functions: string, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    const result = await repo.run('sh', ['-ec', functions + step.command])
    const silent = step.stderr === null && result.stderr.includes('kotef')
    checkStep(silent ? { ...step, stderr: [] } : step, result, repo)
  }
}

const REGISTRY = '.orchestration/active_intents.yaml'

// A story that brings a registry begins after the adoption; its other files lie in the worktree, uncommitted.
async function repoFor(files: ReadonlyMap<string, string>): Promise<Repo> {
  const registry = files.get(REGISTRY)
  const repo = registry === undefined ? await temporaryRepo() : await copyGoverned(await adoptedWith(registry))
  await repo.git('config', 'core.abbrev', '40')
  for (const [path, text] of files) if (path !== REGISTRY) await repo.write(path, text)
  return repo
}

// The same registry is adopted once a worker.
const adopted = new Map<string, Promise<Repo>>()

function adoptedWith(registry: string): Promise<Repo> {
  const known = adopted.get(registry) ?? adopt(registry)
  adopted.set(registry, known)
  return known
}

async function adopt(registry: string): Promise<Repo> {
  const repo = await temporaryRepo()
  await repo.write(REGISTRY, registry)
  const { code, stderr } = await repo.kotef('init', '--yes')
  if (code !== 0) throw new Error(`kotef init failed:\n${stderr}`)
  await repo.git('add', '--all')
  await repo.git('commit', '--quiet', '--message', 'adopt kotef', '--message', 'Governance: adopt kotef')
  return repo
}

function checkStep(step: Step, { code, stdout, stderr }: ProgramResult, { root }: Repo): void {
  const shown = (text: string) => linesOf(normalise(text, root))
  const seen = { succeeds: code === 0, stdout: shown(stdout), stderr: shown(stderr) }
  const expectation = {
    succeeds: step.succeeds,
    stdout: expectedOutput(step.stdout, seen.stdout),
    stderr: expectedOutput(step.stderr, seen.stderr),
  }
  if (isDeepStrictEqual(seen, expectation)) return
  throw new AssertionError({ message: `line ${step.line}: ${step.command}`, actual: seen, expected: expectation })
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}

// Output that fits stands for itself, so that a comparison shows only what is amiss.
function expectedOutput(expected: readonly string[] | null, actual: string[]): readonly string[] {
  return expected === null || fits(expected, actual) ? actual : expected
}

function fits([expected, ...others]: readonly string[], actual: readonly string[]): boolean {
  if (expected === undefined) return actual.length === 0
  if (expected !== '...')
    return actual.length > 0 && linePattern(expected).test(actual[0] ?? '') && fits(others, actual.slice(1))
  return fits(others, actual) || (actual.length > 0 && fits([expected, ...others], actual.slice(1)))
}

function linePattern(expected: string): RegExp {
  const literal = expected.split('...').map(part => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${literal.join('.*')}$`)
}

/** What differs from one run to the next, by name. */
export function normalise(text: string, root: string): string {
  return text
    .replaceAll(root, '<repo>')
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uuid>')
    .replaceAll(/\b[0-9a-f]{40}\b/g, '<oid>')
    .replaceAll(/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?Z?/g, '<time>')
    .replaceAll(/\b\d\d:\d\d:\d\d(\.\d+)?\b/g, '<time>')
    .replaceAll(/(\bpid"?[ :=]+)\d+/g, '$1<pid>')
}
