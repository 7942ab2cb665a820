import { resolveFile } from '../cli/repository-path.ts'
import { type BlameChunk, blameArgs, parseBlame } from '../git/blame.ts'
import { askGitDirectly } from '../io/git/run-git.ts'

/**
 * Starts git for `kotef blame [--json] <file>` while the code of the verb is still being loaded: each takes about half
 * of the time. Null for any other arguments. Resolves to null when git fails; the verb then runs git again for the
 * reason.
 */
export function prefetchBlame(args: readonly string[], cwd: string): Promise<readonly BlameChunk[] | null> | null {
  const [verb, ...others] = args
  const [file, ...more] = others.filter(it => it !== '--json')
  if (verb !== 'blame' || file === undefined || file.startsWith('-') || more.length > 0) return null
  const query = (path: string) => ({ args: blameArgs(path, { revision: null, ranges: [] }), parse: parseBlame })
  return resolveFile(cwd, file)
    .then(it => askGitDirectly(cwd, query(it)))
    .catch(() => null)
}
