#!/usr/bin/env node
import { createRequire } from 'node:module'

const [verb, agent, ...others] = process.argv.slice(2)

// An agent waits for its hook at every use of a tool: that is a program of its own, in one file.
if (verb === 'agent-hook' && agent !== undefined && !agent.startsWith('-') && others.length === 0) {
  try {
    createRequire(import.meta.url)('./agent-hook.cjs')
  } catch (thrown) {
    process.stderr.write(`kotef: its hook can't be loaded, install kotef-watch again: ${String(thrown)}\n`)
    // To most agents 2 is the one exit code that stops them.
    process.exitCode = 2
  }
} else await import('./command-line.ts')
