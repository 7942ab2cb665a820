import { ignoredPaths } from '../diff/ignored.ts'
import { matchingAmong } from '../io/check-ignore.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** What gitignore ignores of what stands there now. */
export async function ignoredNow({ git, root }: Workspace): Promise<string[]> {
  const listed = await git.ask(ignoredPaths)
  // Git also lists a directory because all that is in it is ignored. The next file in it need not be.
  const directories = listed.filter(it => it.endsWith('/')).map(plain)
  const matching = new Set(await matchingAmong(root, directories))
  return listed.filter(it => !it.endsWith('/') || matching.has(plain(it))).map(plain)
}

function plain(path: string): string {
  return path.replace(/\/$/, '')
}
