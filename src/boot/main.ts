#!/usr/bin/env node
import { join } from 'node:path'
import { saveCompileCache, runWithCompileCache } from './compile-cache.ts'

type CommandLine = typeof import('./command-line.ts')

/** The verbs that need no YAML and no schemas: a program without those is loaded in half the time. */
declare const LIGHT_VERBS: readonly string[]

const args = process.argv.slice(2)
const [verb = '', agent, ...others] = args
let wholeProgram: object | null = null
let startedAs: string | null = null

const SHORT_MS = 10_000

// An agent waits for its hook at every use of a tool: that is a program of its own.
if (verb === 'agent-hook' && agent !== undefined && !agent.startsWith('-') && others.length === 0) {
  try {
    // To let a file be read takes the smallest part of it.
    const judged = (it: object): string | null => ((it as typeof import('./agent-hook.ts')).isWarm() ? 'judged' : null)
    runWithCompileCache(join(__dirname, 'agent-hook.cjs'), { require, load: loadLazy }, judged)
  } catch (thrown) {
    process.stderr.write(`kotef: the agent hook can't be loaded; install kotef-watch again: ${String(thrown)}\n`)
    // To most agents 2 is the one exit code that stops them.
    process.exitCode = 2
  }
} else {
  // Git takes as long for it as all the rest, and need not wait until that is loaded.
  const blamed = verb === 'blame' ? loadProgram('prefetch-blame').prefetchBlame(args, process.cwd()) : null
  void (LIGHT_VERBS.includes(verb) ? lightCommandLine() : commandLine()).main(args, {
    prefetchedBlame: blamed,
    onStarted: markStarted,
  })
}

function loadProgram(name: 'prefetch-blame'): typeof import('./prefetch-blame.ts') {
  return runWithCompileCache(join(__dirname, `${name}.cjs`), { require }) as typeof import('./prefetch-blame.ts')
}

function loadLazy(name: string): unknown {
  return commandLine().loadLazyModule(name)
}

function markStarted(): void {
  startedAs = `${verb}ing`
  saveCompileCache()
}

function lightCommandLine(): CommandLine {
  return runWithCompileCache(join(__dirname, 'light-line.cjs'), { require, load: loadLazy }, cacheUse) as CommandLine
}

function commandLine(): CommandLine {
  wholeProgram ??= runWithCompileCache(join(__dirname, 'command-line.cjs'), { require }, cacheUse)
  return wholeProgram as CommandLine
}

// In time V8 forgets what it does not need; a word that is no verb comes to nothing.
function cacheUse(): string | null {
  const isVerb = performance.now() < SHORT_MS && /^[a-z-]{1,20}$/.test(verb)
  const use = startedAs ?? (process.exitCode === 0 ? verb : null)
  return isVerb ? use : null
}
