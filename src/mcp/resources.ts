import { type Resource, ResourceNotFoundError } from '@modelcontextprotocol/server'
import { escapeInvisible } from '../text/printable.ts'
import { loadPromptSection } from '../provenance/intent-context.ts'
import { loadRegistry } from '../policy/load-policy.ts'
import { type Host, selectedIntent } from './host.ts'

const REGISTRY_URI = 'kotef://registry'
const GOVERNANCE_URI = 'kotef://governance'

/** The resources that a client can read. */
export const resources: Resource[] = [
  {
    uri: REGISTRY_URI,
    name: 'registry',
    description: 'The intents of this repository, as YAML.',
    mimeType: 'text/plain',
  },
  {
    uri: GOVERNANCE_URI,
    name: 'governance',
    description: 'The context of the selected intent; before the selection, how to select one.',
    mimeType: 'text/plain',
  },
]

/** The text of a resource; throws for an unknown one. */
export async function resourceText(host: Host, uri: string): Promise<string> {
  if (uri !== REGISTRY_URI && uri !== GOVERNANCE_URI) throw new ResourceNotFoundError(uri)
  const workspace = await host.open()
  if (uri === REGISTRY_URI) return escapeInvisible((await loadRegistry(workspace)).text)
  return loadPromptSection(workspace, await selectedIntent(host.identity, workspace))
}
