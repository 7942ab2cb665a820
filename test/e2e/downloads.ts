import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { installPackages } from '../rig/npm-packages.ts'
import { repositoryRoot } from '../rig/packed-kotef.ts'
import type { AgentClient } from './clients/client.ts'

/** Where a client's program lies, or is going to lie once it has been downloaded: outside of all that is committed. */
export function programOf({ package: name, version, program }: AgentClient): string {
  return join(folderOf({ name, version }), 'node_modules', program)
}

/** Downloads a client, unless it was before; what npm said, when the program is not to be had. */
export function download(client: AgentClient): string | null {
  const { package: name, version } = client
  const program = programOf(client)
  try {
    if (!existsSync(program)) installPackages(folderOf({ name, version }), `${name}@${version}`)
    return existsSync(program) ? null : `${name}@${version} has no program for ${process.platform} on ${process.arch}.`
  } catch (thrown) {
    return String((thrown as { stderr?: unknown }).stderr ?? thrown)
  }
}

function folderOf({ name, version }: { readonly name: string; readonly version: string }): string {
  const cache = process.env['KOTEF_E2E_CACHE'] ?? join(repositoryRoot, 'node_modules/.cache/kotef/e2e')
  return join(cache, `${name.replace('/', '+')}@${version}`)
}
