#!/usr/bin/env node
import { join } from 'node:path'
import { keepNow, runCompiled } from './io/compiled.ts'

type CommandLine = typeof import('./command-line.ts')

/** The verbs that need no YAML and no schemas: a program without those is loaded in half the time. */
declare const LIGHT_VERBS: readonly string[]

const words = process.argv.slice(2)
const [verb = '', agent, ...others] = words
let loaded: object | null = null
let begunAs: string | null = null

const SHORT_MS = 10_000

// An agent waits for its hook at every use of a tool: that is a program of its own.
if (verb === 'agent-hook' && agent !== undefined && !agent.startsWith('-') && others.length === 0) {
  try {
    // To let a file be read takes the smallest part of it.
    const judged = (it: object): string | null => ((it as typeof import('./agent-hook.ts')).isWarm() ? 'judged' : null)
    runCompiled(join(__dirname, 'agent-hook.cjs'), { require, load }, judged)
  } catch (thrown) {
    process.stderr.write(`kotef: its hook can't be loaded, install kotef-watch again: ${String(thrown)}\n`)
    // To most agents 2 is the one exit code that stops them.
    process.exitCode = 2
  }
} else {
  // Git takes as long for it as all the rest, and need not wait until that is loaded.
  const blamed = verb === 'blame' ? neighbour('blame-ahead').blameAhead(words, process.cwd()) : null
  void (LIGHT_VERBS.includes(verb) ? lightLine() : commandLine()).main(words, { blamed, begun })
}

function neighbour(name: 'blame-ahead'): typeof import('./blame-ahead.ts') {
  return runCompiled(join(__dirname, `${name}.cjs`), { require }) as typeof import('./blame-ahead.ts')
}

function load(name: string): unknown {
  return commandLine().later(name)
}

function begun(): void {
  begunAs = `${verb}ing`
  keepNow()
}

function lightLine(): CommandLine {
  return runCompiled(join(__dirname, 'light-line.cjs'), { require, load }, usedOf) as CommandLine
}

function commandLine(): CommandLine {
  loaded ??= runCompiled(join(__dirname, 'command-line.cjs'), { require }, usedOf)
  return loaded as CommandLine
}

// In time V8 forgets what it does not need; a word that is no verb comes to nothing.
function usedOf(): string | null {
  const isVerb = performance.now() < SHORT_MS && /^[a-z-]{1,20}$/.test(verb)
  const use = begunAs ?? (process.exitCode === 0 ? verb : null)
  return isVerb ? use : null
}
