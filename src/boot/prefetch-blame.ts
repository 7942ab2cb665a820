import { resolveFile } from '../cli/repository-path.ts'
import { type BlameChunk, blameArgs, parseBlame } from '../git/blame.ts'
import { askGitDirectly } from '../io/git/run-git.ts'

/**
 * Has git begin with `kotef blame [--json] <file>` while all that is to be told of it is still being loaded. Null for
 * any other words; comes to null where git fails, who may then be asked for the reason.
 */
export function prefetchBlame(words: readonly string[], cwd: string): Promise<readonly BlameChunk[] | null> | null {
  const [verb, ...others] = words
  const [given, ...more] = others.filter(it => it !== '--json')
  if (verb !== 'blame' || given === undefined || given.startsWith('-') || more.length > 0) return null
  const query = (file: string) => ({ args: blameArgs(file, { revision: null, ranges: [] }), parse: parseBlame })
  return resolveFile(cwd, given)
    .then(it => askGitDirectly(cwd, query(it)))
    .catch(() => null)
}
