import type { Stats } from 'node:fs'
import { join } from 'node:path'
import { KotefError } from '../../core/base/failure.ts'
import { VERSION } from '../../world/io/files/package.ts'
import { isProcessAlive } from '../../world/io/process/processes.ts'
import { currentPolicy, policySourcePaths } from '../../world/intents/policy/current-policy.ts'
import {
  COMPILED_POLICY_VERSION,
  compilerOf,
  type CompiledPolicy,
  parseCompiledPolicy,
  sourceLinkName,
} from '../../core/intents/scope/compiled-policy.ts'
import { askYamlHelper, type HookContext } from './hook-context.ts'
import { isRegistryBeingRemoved } from './registry-history.ts'
import { gatherHere } from './gather-here.ts'
import { opennessFlaw, statOf } from './private-files.ts'
import { dayOf } from '../../core/intents/enforcement.ts'
import { policyOn } from '../../core/intents/scope/policy.ts'
import { ANY_HEAD, branchLine, fastPathFlaw } from '../../core/intents/scope/fast-path-file.ts'
import { REGISTRY_PATH } from '../../core/base/governance-files.ts'
import { LARGE_FILE_BYTES_MAX, readRegularFileSync } from '../../world/io/files/regular-file.ts'

/** The policy of the worktree, and remarks for the user about the files that it was compiled into. */
export type PolicyReading = { readonly compiledPolicy: CompiledPolicy; readonly remarks: readonly string[] }

/** The compiled policy; compiled again first when a source has changed since, or when a compiled file is damaged. */
export async function currentPolicyHere(context: HookContext): Promise<PolicyReading> {
  const text = readCompiledText(context)
  const fastPath = checkFastPathFile(context)
  if (isRegistryBeingRemoved()) return policyBeforeLeaving(text)
  const remarks = [...fastPath.flaws, ...versionRemarks(text)]
  const isUsable = remarks.length === 0 && !fastPath.isStale
  const current = isUsable ? gatherHere(currentPolicy(text, { root: '', inHead: null })) : null
  if (current && isForBranch(current, context)) return { compiledPolicy: inForce(current), remarks }
  await askYamlHelper(context, 'compile', null)
  const compiledPolicy = parseCompiledPolicy(readCompiledText(context))
  if (compiledPolicy) return { compiledPolicy: inForce(compiledPolicy), remarks }
  throw new KotefError('hooks-damaged', "The policy that was compiled for the hooks can't be read.")
}

// The commit that takes kotef out of a repository is judged by the policy that it removes, as it was last compiled.
function policyBeforeLeaving(text: string | null): PolicyReading {
  const compiledPolicy = parseCompiledPolicy(text)
  if (compiledPolicy) return { compiledPolicy: inForce(compiledPolicy), remarks: [] }
  throw new KotefError('registry-missing', `${REGISTRY_PATH} was removed, and no policy is compiled to judge that by.`)
}

// An agent that was killed reports no end, so the compiled policy still has its session.
function inForce(compiled: CompiledPolicy): CompiledPolicy {
  const sessions = compiled.sessions.filter(it => it.pid === null || isProcessAlive(it.pid))
  return { ...compiled, policy: policyOn(dayOf(Date.now()), compiled.policy), sessions }
}

// The fast path is compiled for one branch at a time, unless a session is live.
function isForBranch({ head }: CompiledPolicy, { gitDir }: HookContext): boolean {
  return head === ANY_HEAD || head === branchLine(readTextOrNull(join(gitDir, 'HEAD')))
}

function versionRemarks(text: string | null): string[] {
  const found = compilerOf(text ?? '')
  if (!found || (found.version === COMPILED_POLICY_VERSION && found.kotef === VERSION)) return []
  const compiler = typeof found.kotef === 'string' ? found.kotef : 'of an earlier version'
  const action = 'compiled again. Align them: `npx kotef-watch init`'
  return [`the policy was compiled by kotef ${compiler}, the hooks are of ${VERSION}: ${action}`]
}

// Only a regular file is read: a pipe in its place would block the hook.
function readCompiledText({ compiled }: HookContext): string | null {
  return readTextOrNull(join(compiled, 'state.json'))
}

function readTextOrNull(path: string): string | null {
  try {
    return readRegularFileSync(path, { bytesMax: LARGE_FILE_BYTES_MAX })?.toString('utf8') ?? null
  } catch {
    return null
  }
}

/** The flaws of the compiled scope, and whether its sources have changed since it was compiled. */
type FastPathCheck = { readonly flaws: readonly string[]; readonly isStale: boolean }

/** Checks the compiled scope as the shell does, and describes each flaw. A missing file is not a flaw. */
function checkFastPathFile({ compiled, gitDir }: Pick<HookContext, 'compiled' | 'gitDir'>): FastPathCheck {
  const path = join(compiled, 'active')
  const file = statOf(path)
  if (!file) return { flaws: [], isStale: false }
  const openFolder = opennessFlaw(statOf(compiled))
  const flaw = flawIn(path, file) ?? (openFolder === null ? null : `its folder ${openFolder}`)
  const flaws = flaw === null ? [] : [`${path} ${flaw}: judged in full, and written again`]
  return { flaws, isStale: isOutdated({ compiled, gitDir }, file) }
}

function flawIn(path: string, file: Stats): string | null {
  if (file.isSymbolicLink()) return 'is a symbolic link'
  if (!file.isFile()) return 'is not a file'
  return opennessFlaw(file) ?? flawInText(path)
}

function flawInText(path: string): string | null {
  try {
    return fastPathFlaw(
      readRegularFileSync(path, { bytesMax: LARGE_FILE_BYTES_MAX })?.toString('utf8') ?? '',
      process.cwd(),
    )
  } catch {
    return "can't be read"
  }
}

function isOutdated({ compiled, gitDir }: Pick<HookContext, 'compiled' | 'gitDir'>, file: Stats): boolean {
  const origHead = statOf(join(gitDir, 'ORIG_HEAD'))
  if (origHead && origHead.mtimeMs >= file.mtimeMs) return true
  const sources = gatherHere(policySourcePaths(''))
  if (statOf(join(compiled, sourceLinkName(sources.length)))) return true
  return sources.some((source, n) => {
    const current = statOf(source)
    const linked = statOf(join(compiled, sourceLinkName(n)))
    if (!current || !linked) return current !== linked
    return current.ino !== linked.ino || current.dev !== linked.dev || current.mtimeMs >= file.mtimeMs
  })
}
