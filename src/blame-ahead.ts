import { fileNamed } from './cli/repository-path.ts'
import { type Blamed, blameOf, parseBlame } from './diff/blame.ts'
import { askLightly } from './io/git-lightly.ts'

/**
 * Has git begin with `kotef blame [--json] <file>` while all that is to be told of it is still being loaded. Null for
 * any other words; comes to null where git fails, who may then be asked for the reason.
 */
export function blameAhead(words: readonly string[], cwd: string): Promise<readonly Blamed[] | null> | null {
  const [verb, ...others] = words
  const [given, ...more] = others.filter(it => it !== '--json')
  if (verb !== 'blame' || given === undefined || given.startsWith('-') || more.length > 0) return null
  const query = (file: string) => ({ args: blameOf(file, { revision: null, ranges: [] }), parse: parseBlame })
  return fileNamed(cwd, given)
    .then(it => askLightly(cwd, query(it)))
    .catch(() => null)
}
