import type { GitQuery } from '../../git/query.ts'
import type { AgentFreedom, Config, OpaqueCommandPolicy } from '../config.ts'
import type { Session } from '../session.ts'
import { POLICY_ENTRIES } from '../../base/governance-files.ts'
import { parseObject } from '../../base/payload.ts'
import type { Policy } from './policy.ts'

/** The policy and the live sessions as the git hooks read them: `<git-dir>/kotef/compiled/state.json`. */
export type CompiledPolicy = {
  readonly version: 12
  /** The version of kotef that compiled it. */
  readonly kotef: string
  readonly policy: Policy
  /** What agents' hooks do about a command whose writes kotef can't determine. */
  readonly opaqueCommands: OpaqueCommandPolicy
  /** Which files outside every scope an agent may write. */
  readonly freedom: AgentFreedom
  /** Whether several sessions may work on one intent. */
  readonly claims: Config['claims']
  readonly sessions: readonly LiveSession[]
  /** The branch whose own intent the compiled scope is of, as in `FastPathFile`. */
  readonly head: string
  /** Identifies the sources that it was compiled from; see `sourcesStamp`. */
  readonly stamp: string
}

/** A session that was live when the policy was compiled; it is over when its process, if it is known, is gone. */
export type LiveSession = Pick<Session, 'id' | 'intent' | 'kind' | 'agent' | 'pid'>

export const COMPILED_POLICY_VERSION = 12

/** The text of a compiled policy. */
export function compiledPolicyText(compiled: CompiledPolicy): string {
  return linesTwice(compiled)
}

/**
 * A value that a verdict depends on, as it is kept: one line, and the same again. Of a damaged one the lines differ,
 * and comparing them takes less time than a checksum.
 */
export function linesTwice(value: unknown): string {
  const line = `${JSON.stringify(value)}\n`
  return line + line
}

/** Parses a compiled policy; null for a damaged one, and for one of another version of the format. */
export function parseCompiledPolicy(text: string | null): CompiledPolicy | null {
  try {
    const [line = '', again] = (text ?? '').split('\n')
    if (line !== again) return null
    const compiled = JSON.parse(line) as CompiledPolicy
    return compiled.version === COMPILED_POLICY_VERSION && isComplete(compiled) ? compiled : null
  } catch {
    return null
  }
}

/** Which kotef compiled a policy, in a format of any version; null when that can't be read. */
export function compilerOf(text: string): Partial<Pick<CompiledPolicy, 'version' | 'kotef'>> | null {
  return parseObject(text.split('\n', 1)[0] ?? '')
}

function isComplete({ policy, opaqueCommands, claims, freedom, sessions, head, stamp }: CompiledPolicy): boolean {
  const lists = [policy.governance, policy.forbidden, policy.intentignore, ...policy.intents.map(it => it.owned_scope)]
  const names = policy.intents.flatMap(it => [it.id, it.name, it.status])
  const settings = [opaqueCommands, claims, freedom.temporary, freedom.ignored]
  const texts = [...settings, head, stamp, ...names, ...lists.flatMap(it => [...it])]
  return lists.every(Array.isArray) && Array.isArray(sessions) && texts.every(it => typeof it === 'string')
}

/** The name of the link, beside `state.json`, that keeps the identity of the n-th policy file. */
export function sourceLinkName(n: number): string {
  return `source-${n + 1}`
}

/** Asks for HEAD's entries of the policy files; fails while HEAD is unborn. */
export const policyInHead: GitQuery<string> = {
  args: ['ls-tree', '-z', '--full-tree', 'HEAD', '--', ...POLICY_ENTRIES],
  parse: out => out,
}

/** A policy file, and its content on disk; null when there is no such file. */
export type PolicySource = readonly [path: string, content: Uint8Array | null]

/**
 * A stamp of the policy's sources: their contents on disk and HEAD's entries. Equal stamps mean an equal policy. The
 * stamp has the contents and not their hash, because loading a hash function takes longer than comparing them.
 */
export function sourcesStamp(contents: readonly PolicySource[], inHead: string): string {
  return JSON.stringify([contents.map(([path, it]) => [path, it && Buffer.from(it).toString('latin1')]), inHead])
}

/** The current policy, as far as calls are judged by it. */
export type CallPolicy = Pick<CompiledPolicy, 'policy' | 'opaqueCommands' | 'claims' | 'freedom'>
