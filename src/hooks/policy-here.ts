import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { KotefError } from '../findings/failure.ts'
import { VERSION } from '../io/files/package.ts'
import { currentPolicy } from '../policy/current-policy.ts'
import { type CompiledPolicy, COMPILED_POLICY_VERSION, parseCompiledPolicy } from '../scope/compiled-policy.ts'
import { parseObject } from '../text/payload.ts'
import { askYamlHelper } from './ask-yaml-helper.ts'
import { checkFastPathFile } from './check-fast-path-file.ts'
import { gatherHere } from './gather-here.ts'
import type { HookContext } from './hook-context.ts'

/** The policy of the worktree, and remarks for the user about the files that it was compiled into. */
export type PolicyReading = { readonly compiledPolicy: CompiledPolicy; readonly remarks: readonly string[] }

/** The compiled policy; compiled again first when a source has changed since, or when a compiled file is damaged. */
export function currentPolicyHere(context: HookContext): PolicyReading {
  const text = readCompiledText(context)
  const fastPath = checkFastPathFile(context)
  const remarks = [...fastPath.flaws, ...versionRemarks(text)]
  const isUsable = remarks.length === 0 && !fastPath.isStale
  const current = isUsable ? gatherHere(currentPolicy(text, { root: '', inHead: null })) : null
  if (current) return { compiledPolicy: current, remarks }
  askYamlHelper(context, ['compile'])
  const compiledPolicy = parseCompiledPolicy(readCompiledText(context))
  if (compiledPolicy) return { compiledPolicy, remarks }
  throw new KotefError('hooks-damaged', "The policy that was compiled for the hooks can't be read.")
}

function versionRemarks(text: string | null): string[] {
  const found = parseObject(text ?? '')
  if (!found || (found['version'] === COMPILED_POLICY_VERSION && found['kotef'] === VERSION)) return []
  const compiler = typeof found['kotef'] === 'string' ? found['kotef'] : 'of an earlier version'
  const action = 'compiled again. Align them: `npx kotef init`'
  return [`the policy was compiled by kotef ${compiler}, the hooks are of ${VERSION}: ${action}`]
}

// Only a regular file is read: a pipe in its place would block the hook.
function readCompiledText({ compiled }: HookContext): string | null {
  const path = join(compiled, 'state.json')
  try {
    return statSync(path).isFile() ? readFileSync(path, 'utf8') : null
  } catch {
    return null
  }
}
