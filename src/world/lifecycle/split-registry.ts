import { splitRegistry } from '../../core/intents/edit-yaml.ts'
import type { Intent } from '../../core/intents/intent.ts'
import { registryParts } from '../../core/intents/registry-text.ts'
import { compilePolicy } from '../intents/policy/compile-policy.ts'
import { editRegistry } from '../intents/registry/edit-registry.ts'
import type { Workspace } from '../io/worktree/workspace.ts'

/** Moves each intent of the registry's list into a file of its own, and returns the intents that were moved. */
export async function splitIntoFiles(workspace: Workspace): Promise<Pick<Intent, 'id'>[]> {
  let moved: readonly string[] = []
  const intents = await editRegistry(
    workspace,
    text => {
      const split = splitRegistry(text)
      const known = registryParts(text).map(it => it.path)
      moved = registryParts(split).flatMap(({ path }) => (known.includes(path) ? [] : [path]))
      return split
    },
    () => [],
  )
  await compilePolicy(workspace)
  return intents.filter(({ id }) => moved.some(it => it.endsWith(`/${id}.yaml`)))
}
