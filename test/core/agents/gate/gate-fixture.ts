import { normalize } from 'node:path/posix'
import { parseToolCall, type ToolCall } from '../../../../src/core/agents/gate/parse-tool-call.ts'
import { readShell } from '../../../../src/core/agents/gate/shell/read-shell.ts'
import {
  type GateFacts,
  type GateVerdict,
  judgeWithFacts,
  judgeWithoutFacts,
} from '../../../../src/core/agents/gate/judge-tool.ts'
import type { Target } from '../../../../src/core/agents/tool-targets.ts'
import { toolUse } from '../../../../src/core/agents/tool-use.ts'
import { NOTHING_FREE, type TargetFact } from '../../../../src/core/agents/gate/judge-target.ts'
import type { TargetLocation } from '../../../../src/core/agents/gate/target-rows.ts'
import { GOVERNANCE_GLOBS } from '../../../../src/core/intents/config.ts'

/** A use of a tool: the agent, the tool, and what it is given; a bare text is a command for a shell. */
export type Row = string | readonly [agent: string, tool: string, input: unknown]

/** What an intent has that owns `src/auth`, but for its legacy. */
export const intent = {
  id: 'INT-001',
  name: 'tokens',
  status: 'IN_PROGRESS',
  owned_scope: ['src/auth/**', '!src/auth/legacy/**', 'test/auth/**'],
} as const

/** The facts of a session that works on this intent, or, with null, on none. */
export function factsFor(call: ToolCall, selected: GateFacts['intent'] = intent): GateFacts {
  return {
    unavailable: null,
    intent: selected,
    otherHolder: null,
    runEnd: null,
    role: null,
    policy: {
      intents: [intent],
      governance: GOVERNANCE_GLOBS,
      forbidden: ['src/auth/keys/**'],
      intentignore: ['*.lock', 'secrets/'],
    },
    opaqueCommands: 'allow-and-watch',
    dependencies: new Set(['react']),
    targets: call.targets.map(placed),
    knownOids: new Map(),
    ...NOTHING_FREE,
  }
}

/** A row as the judge gets it. */
export function callIn(row: Row): ToolCall {
  const [agent, tool, input] = typeof row === 'string' ? ['claude', 'Bash', { command: row }] : row
  return parseToolCall({ agent, session: 's', ...toolUse(agent, tool, input) }, readShell)
}

/** How a row is judged once the intent is selected; with null, before. */
export function verdictOf(row: Row, selected: GateFacts['intent'] = intent): GateVerdict {
  const call = callIn(row)
  return judgeCall(call, factsFor(call, selected))
}

/** The whole judgement of a call, as the hook makes it. */
export function judgeCall(call: ToolCall, facts: GateFacts): GateVerdict {
  const known = judgeWithoutFacts(call)
  const judged = known ? { verdict: known } : judgeWithFacts(call, facts)
  if ('need' in judged) throw new Error(`The verdict needs ${judged.need}.`)
  return judged.verdict
}

/** A row as a title. */
export function titleOf(row: Row): string {
  return typeof row === 'string' ? row : `${row[0]} ${row[1]} ${JSON.stringify(row[2])}`
}

// A repository at /w, without links: where its paths are shows in their names.
function placed({ path, into = [], maybe = false }: Target): TargetFact {
  // Of words that may be no path, these stand there.
  if (maybe && !/^(?:docs|Makefile)$/.test(path)) return { spelling: path, locations: [], currentOid: null }
  const names =
    into.length > 0 && /^(?:src\/auth|docs|src|\.|\.\.|test|\/w)\/?$/.test(path)
      ? into.map(it => `${path}/${it}`)
      : [path]
  return { spelling: path, locations: names.map(placeOf), currentOid: null }
}

function placeOf(name: string): TargetLocation {
  const path = normalize(name.startsWith('/') ? name : `/w/${name}`)
  if (/(^|\/)\.git(\/|$)/.test(path)) return { kind: 'git', path }
  if (path.startsWith('/other/')) return { kind: 'worktree', path }
  return path.startsWith('/w/') ? { kind: 'inside', path: path.slice(3).replace(/\/$/, '') } : { kind: 'outside', path }
}
