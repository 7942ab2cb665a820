import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { type FactSource, type Gatherer, gatherSync } from '../../core/git/gatherer.ts'
import { gitSync } from '../../world/io/git/git-sync.ts'
import { stagedChanges } from '../../core/git/changes.ts'
import { policyInHead } from '../../core/intents/scope/compiled-policy.ts'
import { readEndSync, readRegularFileSync } from '../../world/io/files/regular-file.ts'

/** Git, with the index that the commit is made from. */
const GIT = gitSync(prefetchedAnswer)

/** Asks git in the hook's worktree; null when git answers with an error. */
export const tryAskGitSync = GIT.tryAsk

/** Runs a gatherer in the hook's worktree, which is the current folder. */
export function gatherHere<T>(gatherer: Gatherer<T>): T {
  return gatherSync(SYNC_SOURCE, gatherer)
}

const SYNC_SOURCE: FactSource = {
  ask: GIT.ask,
  tryAsk: tryAskGitSync,
  read: (path, bytesMax) => (leadsSomewhere(path) ? readRegularFileSync(path, { bytesMax }) : null),
  readEnd: onceForEach((path, bytesMax) => (leadsSomewhere(path) ? readEndSync(path, bytesMax) : null)),
  list: listHere,
  exists: onceForEach(pathIsThere),
}

// A hook judges one moment: several of its facts come from the end of the ledger, or from the operation in progress.
function onceForEach<Rest extends unknown[], Answer>(look: (path: string, ...rest: Rest) => Answer): typeof look {
  const answers = new Map<string, Answer>()
  return (path, ...rest) => {
    const key = JSON.stringify([path, ...rest])
    if (!answers.has(key)) answers.set(key, look(path, ...rest))
    return answers.get(key) as Answer
  }
}

function listHere(path: string): string[] {
  return leadsSomewhere(path) ? readdirSync(path) : []
}

function pathIsThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

// Other readers also take a link whose target is missing for a missing file.
function leadsSomewhere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

/** The questions to git of nearly every judgement of a commit, in the order in which the shell asks them. */
export const PREFETCHED: readonly (readonly string[])[] = [policyInHead.args, stagedChanges('HEAD').args]

/**
 * The output of git for these arguments, if the shell asked git while this program was starting; null for any other
 * question, and when git failed. The shell sets KOTEF_ASKED, and writes the answers to stdin.
 */
function prefetchedAnswer(args: readonly string[]): string | null {
  const question = args.join('\0')
  const n = PREFETCHED.findIndex(it => it.join('\0') === question)
  return n === -1 ? null : (prefetchedAnswers()[n] ?? null)
}

let cachedAnswers: readonly (string | null)[] | null = null

function prefetchedAnswers(): readonly (string | null)[] {
  cachedAnswers ??= process.env['KOTEF_ASKED'] === '1' ? parsePrefetched(readPrefetched()) : []
  return cachedAnswers
}

function readPrefetched(): string {
  try {
    return readFileSync(0, 'utf8')
  } catch {
    return ''
  }
}

/** An answer is git's fields, each ending in NUL and never empty, then an empty field, then git's exit code. */
function parsePrefetched(text: string): (string | null)[] {
  const found: (string | null)[] = []
  for (let from = 0, end = 0; (end = emptyField(text, from)) >= 0;) {
    const stop = text.indexOf('\0', end + 1)
    found.push(text.slice(end + 1, stop) === '0' ? text.slice(from, end) : null)
    from = stop === -1 ? text.length : stop + 1
  }
  return found
}

/** The index of the NUL that ends the next empty field, or -1. */
function emptyField(text: string, from: number): number {
  if (text.startsWith('\0', from)) return from
  const last = text.indexOf('\0\0', from)
  return last === -1 ? -1 : last + 1
}
