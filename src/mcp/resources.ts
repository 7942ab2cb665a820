import { type Resource, ResourceNotFoundError } from '@modelcontextprotocol/server'
import { laidBare } from '../report/printable.ts'
import { promptSectionOf } from '../provenance/intent-context.ts'
import { loadRegistry } from '../workspace/policy.ts'
import { type Host, selectedBy } from './host.ts'

const REGISTRY = 'kotef://registry'
const GOVERNANCE = 'kotef://governance'

/** What a client can read. */
export const resources: Resource[] = [
  { uri: REGISTRY, name: 'registry', description: 'The intents of this repository, as YAML.', mimeType: 'text/plain' },
  {
    uri: GOVERNANCE,
    name: 'governance',
    description: 'The context of the selected intent; before the selection, how to select one.',
    mimeType: 'text/plain',
  },
]

/** The text of a resource. */
export async function textOf(host: Host, uri: string): Promise<string> {
  if (uri !== REGISTRY && uri !== GOVERNANCE) throw new ResourceNotFoundError(uri)
  const workspace = await host.open()
  if (uri === REGISTRY) return laidBare((await loadRegistry(workspace)).text)
  return promptSectionOf(workspace, await selectedBy(host.voice, workspace))
}
