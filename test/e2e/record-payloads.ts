import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Repo } from '../rig/repo.ts'

/** Has every payload that the agent's hooks get written to a folder as well, as it came: one file each. */
export async function recordPayloads({ root }: Repo, folder: string): Promise<void> {
  const agent = join(root, '.git/kotef/agent')
  await mkdir(folder, { recursive: true })
  await rename(agent, `${agent}-itself`)
  await writeFile(agent, recordingScript(folder))
}

// Two hooks may run at once.
function recordingScript(folder: string): string {
  return `itself=\${0%/*}/agent-itself
[ "$1" = agent-hook ] || exec sh "$itself" "$@"
heard=$(mktemp '${folder}/'"$2-$(date +%s%N)-XXXXXX")
cat > "$heard"
exec sh "$itself" "$@" < "$heard"
`
}
