import type { GitQuery } from '../git/query.ts'
import type { Config, OpaqueCommandPolicy } from '../intents/config.ts'
import type { Session } from '../intents/session.ts'
import { POLICY_FILES } from '../paths/governance-files.ts'
import type { Policy } from './policy.ts'

/** What the git hooks judge by, in place of YAML and session files: `<git-dir>/kotef/compiled/state.json`. */
export type CompiledPolicy = {
  readonly version: 3
  /** The version of kotef that compiled it. */
  readonly kotef: string
  readonly policy: Policy
  /** What agents' hooks do about a command whose writes can't be read off it. */
  readonly opaqueCommands: OpaqueCommandPolicy
  /** May another session work on an intent that one holds? */
  readonly claims: Config['claims']
  readonly sessions: readonly LiveSession[]
  /** Says what all this was compiled from. */
  readonly stamp: string
}

export type LiveSession = Pick<Session, 'id' | 'intent' | 'kind' | 'agent'>

export const COMPILED_POLICY_VERSION = 3

/** A compiled state as its text has it; null for what is none, or is of a kotef before this one. */
export function parseCompiledPolicy(text: string | null): CompiledPolicy | null {
  try {
    const compiled = JSON.parse(text ?? '') as CompiledPolicy
    return compiled.version === COMPILED_POLICY_VERSION && isComplete(compiled) ? compiled : null
  } catch {
    return null
  }
}

function isComplete({ policy, opaqueCommands, claims, sessions, stamp }: CompiledPolicy): boolean {
  const lists = [policy.governance, policy.forbidden, policy.intentignore, ...policy.intents.map(it => it.owned_scope)]
  const names = policy.intents.flatMap(it => [it.id, it.name, it.status])
  const texts = [opaqueCommands, claims, stamp, ...names, ...lists.flatMap(it => [...it])]
  return lists.every(Array.isArray) && Array.isArray(sessions) && texts.every(it => typeof it === 'string')
}

/** The name, beside the compiled state, that keeps a policy file's identity: one number a file of the list above. */
export function sourceLinkName(n: number): string {
  return `source-${n + 1}`
}

/** Asks what HEAD has of these files; fails while HEAD is unborn. */
export const policyInHead: GitQuery<string> = {
  args: ['ls-tree', '-z', '--full-tree', 'HEAD', '--', ...POLICY_FILES],
  parse: out => out,
}

/**
 * A stamp of the policy's sources: their contents on disk, and what HEAD has. Equal stamps mean an equal policy. The
 * contents stand in it as they are: to load what hashes takes longer than to compare them.
 */
export function sourcesStamp(contents: readonly (Uint8Array | null)[], inHead: string): string {
  return JSON.stringify([contents.map(it => it && Buffer.from(it).toString('latin1')), inHead])
}
