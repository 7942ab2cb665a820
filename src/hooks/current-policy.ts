import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { KotefError } from '../findings/failure.ts'
import { POLICY_FILES } from '../paths/governance-files.ts'
import { policyInHead, type CompiledPolicy, COMPILED_POLICY_VERSION, sourcesStamp } from '../scope/compiled-policy.ts'
import { VERSION } from '../io/files/package.ts'
import { checkFastPathFile } from './check-fast-path-file.ts'
import { askYamlHelper } from './ask-yaml-helper.ts'
import { tryAskGitSync } from './gather-here.ts'
import type { HookContext } from './hook-context.ts'

/** What holds now, and what there is to say about how it was found. */
export type CurrentPolicy = { readonly compiledPolicy: CompiledPolicy; readonly remarks: readonly string[] }

/** The compiled state; made anew when its sources have changed since, or when it is not as it was made. */
export function currentPolicyHere(context: HookContext): CurrentPolicy {
  const stamp = currentPolicyStamp()
  const found = readCompiledPolicy(context)
  const active = checkFastPathFile(context)
  const remarks = [...active.flaws, ...versionSkew(found)]
  if (found?.stamp === stamp && remarks.length === 0 && !active.isStale) return { compiledPolicy: found, remarks }
  askYamlHelper(context, ['compile'])
  const state = readCompiledPolicy(context)
  if (state?.version === COMPILED_POLICY_VERSION) return { compiledPolicy: state, remarks }
  throw new KotefError('hooks-damaged', 'What was compiled for the hooks can not be read.')
}

function versionSkew(found: CompiledPolicy | null): string[] {
  if (!found || (found.version === COMPILED_POLICY_VERSION && found.kotef === VERSION)) return []
  const by = `kotef ${found.kotef ?? 'of an earlier version'}`
  return [
    `the policy was compiled by ${by}, the hooks are of ${VERSION}: compiled anew. Align them: \`npx kotef init\``,
  ]
}

function currentPolicyStamp(): string {
  return sourcesStamp(POLICY_FILES.map(readPolicyFile), tryAskGitSync(policyInHead) ?? '')
}

function readPolicyFile(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch {
    return null
  }
}

function readCompiledPolicy({ compiled }: HookContext): CompiledPolicy | null {
  const path = join(compiled, 'state.json')
  try {
    // What is no file may have no end, or wait for somebody to write.
    return statSync(path).isFile() ? (JSON.parse(readFileSync(path, 'utf8')) as CompiledPolicy) : null
  } catch {
    return null
  }
}
