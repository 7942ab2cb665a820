#!/usr/bin/env node
import { join } from 'node:path'
import { runCompiled } from './io/compiled.ts'

const [verb, agent, ...others] = process.argv.slice(2)

// An agent waits for its hook at every use of a tool: that is a program of its own, in one file, for which even the
// loader of modules would take too long.
if (verb === 'agent-hook' && agent !== undefined && !agent.startsWith('-') && others.length === 0) {
  try {
    const loading = { require, load: (file: string): Promise<unknown> => import(file) }
    // To let a file be read takes the smallest part of it.
    runCompiled(join(__dirname, 'agent-hook.cjs'), loading, it => (it as typeof import('./agent-hook.ts')).isWarm())
  } catch (thrown) {
    process.stderr.write(`kotef: its hook can't be loaded, install kotef-watch again: ${String(thrown)}\n`)
    // To most agents 2 is the one exit code that stops them.
    process.exitCode = 2
  }
} else void import('./command-line.ts')
