#!/usr/bin/env node
import { join } from 'node:path'
import { saveCompileCache, runWithCompileCache } from './compile-cache.ts'

// An agent waits for its hook at each tool call, and a person for each command. Node alone takes most of that time; the
// rest is kept short in three ways:
// - There is a bundle for each kind of call: `agent-hook`, `light-line` (verbs without YAML), `watch-line`, and
//   `command-line`, from which the others load what they seldom need (`lazy-modules.ts`).
// - A bundle runs with V8's compiled code from earlier runs (`compile-cache.ts`). The cache has to know what a run has
//   used, so `AnsweredHook.cacheUse`, `VerbCall.onStarted` and `cacheUse` exist for it alone.
// - `git blame`, the `git status` of `watch` and its thread run while their verb is being loaded (`prefetch.ts`).

type CommandLine = typeof import('./command-line.ts')

/** The smaller bundles of the command line, which load in half the time, each with its verbs. Set by the bundler. */
declare const SMALL_LINES: Readonly<Record<string, readonly string[]>>

const args = process.argv.slice(2)
const [verb = '', agent, ...others] = args
// Git takes as long to answer these as loading them takes, so both run at the same time.
const PREFETCHED_VERBS: ReadonlySet<string> = new Set(['blame', 'watch'])
const NOTHING_PREFETCHED = { blame: null, scan: null, watchThread: null }
let wholeProgram: object | null = null
let startedAs: string | null = null

// Well above the time of any verb that answers once, and below the time after which V8 discards code.
const SHORT_MS = 10_000

// An agent waits for its hook at every tool call, so the hook has a bundle of its own.
if (verb === 'agent-hook' && agent !== undefined && !agent.startsWith('-') && others.length === 0) {
  try {
    // A hook that returns early compiles a small part of the code, and is not saved.
    const useOf = (it: object): string | null => (it as typeof import('./agent-hook.ts')).cacheUse()
    runWithCompileCache(join(__dirname, 'agent-hook.cjs'), { require, load: loadLazy }, useOf)
  } catch (thrown) {
    process.stderr.write(`kotef: the agent hook can't be loaded; install kotef-watch again: ${String(thrown)}\n`)
    // Most agents refuse the tool call on exit code 2 only.
    process.exitCode = 2
  }
} else {
  const prefetched = PREFETCHED_VERBS.has(verb) ? prefetchProgram().prefetch(args, process.cwd()) : NOTHING_PREFETCHED
  const smallLines = Object.keys(SMALL_LINES).filter(it => SMALL_LINES[it]?.includes(verb))
  // Only a daemon's own process needs the daemon's code.
  const smallLine = args.includes('--stop') ? smallLines.at(-1) : smallLines[0]
  void (smallLine === undefined ? commandLine() : smallCommandLine(smallLine)).main(args, {
    prefetched,
    onStarted: markStarted,
  })
}

function prefetchProgram(): typeof import('./prefetch.ts') {
  return runWithCompileCache(join(__dirname, 'prefetch.cjs'), { require }) as typeof import('./prefetch.ts')
}

function loadLazy(name: string): unknown {
  return commandLine().loadLazyModule(name)
}

function markStarted(): void {
  startedAs = `${verb}ing`
  saveCompileCache()
}

function smallCommandLine(name: string): CommandLine {
  return runWithCompileCache(join(__dirname, `${name}.cjs`), { require, load: loadLazy }, cacheUse) as CommandLine
}

function commandLine(): CommandLine {
  wholeProgram ??= runWithCompileCache(join(__dirname, 'command-line.cjs'), { require }, cacheUse)
  return wholeProgram as CommandLine
}

// What this run was, for the compile cache: the verb, if it succeeded. V8 discards unused code after some time, so a
// long run would save less than a short one.
function cacheUse(): string | null {
  const isVerb = performance.now() < SHORT_MS && /^[a-z-]{1,20}$/.test(verb)
  const use = startedAs ?? (process.exitCode === 0 ? verb : null)
  return isVerb ? use : null
}
