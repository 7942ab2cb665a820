import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest, the longest first, so that no worker begins one of them when the others are done. */
const SLOW_FILES = [
  'provenance/random-flows',
  'daemon/while-away',
  'daemon/git-operations',
  'daemon/git-by-hand',
  'provenance/authorship-flows',
  'provenance/rewrites',
  'daemon/slow-refs',
  'daemon/git-at-once',
  'mcp/server-identity',
  'provenance/moves',
  'script',
  'hooks/compiled',
  'daemon/late-events',
  'provenance/merges',
  'gate/opaque-commands',
  'repo/agent-hook',
  'hooks/pre-push',
]

/** Runs the slow files first, then the others as vitest has them. */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = SLOW_FILES.findIndex(it => moduleId.endsWith(`/${it}.test.ts`))
      return at < 0 ? SLOW_FILES.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
