import { pathsOfWorktree } from '../../core/git/index-entries.ts'
import { globList } from '../../core/base/globs.ts'
import type { Workspace } from '../io/worktree/workspace.ts'

/** Globs that match files which usually belong to nobody's work. */
export type ChoreProposal = {
  /** For the scope of a standing intent. */
  readonly scope: readonly string[]
  /** Files that a program writes, so large: they may go with any intent. */
  readonly rides: readonly string[]
}

/** What a standing intent could own in a repository: only globs that match a file, tracked or new. */
export async function proposeChores({ git }: Pick<Workspace, 'git'>): Promise<ChoreProposal> {
  const paths = await git.ask(pathsOfWorktree)
  const matching = (globs: readonly string[]) =>
    globs.flatMap(glob =>
      SPELLINGS.map(spelled => spelled(glob)).filter((it, n, all) => all.indexOf(it) === n && isMatched(it, paths)),
    )
  return { scope: matching(CHORES), rides: matching(LOCK_FILES) }
}

// Scopes are case-sensitive: a project may have README.md, Readme.md or readme.md.
const SPELLINGS = [
  (glob: string) => glob,
  (glob: string) => glob.replace(/^[A-Z_]+(?=\*)/, name => `${name.slice(0, 1)}${name.slice(1).toLowerCase()}`),
  (glob: string) => glob.replace(/^[A-Z_]+(?=\*)/, name => name.toLowerCase()),
]

function isMatched(glob: string, paths: readonly string[]): boolean {
  const matches = globList([glob])
  return paths.some(it => matches(it)?.kind === 'in')
}

const CHORES = [
  ...['README*', 'LICENSE*', 'CHANGELOG*', 'CONTRIBUTING*', 'CODE_OF_CONDUCT*'],
  ...['package.json', 'pyproject.toml', 'Cargo.toml', 'go.mod', 'Gemfile', 'composer.json', 'Makefile', 'Dockerfile'],
  ...['.gitignore', '.gitattributes', '.editorconfig', '.github/workflows/**', '.gitlab-ci.yml'],
]

/** The name of the standing intent that is proposed. */
export const CHORES_NAME = 'chores'

/** True for a glob that is proposed for the scope of this intent, in some repository. */
export function isChoreGlob(glob: string): boolean {
  return CHORES.some(it => SPELLINGS.some(spelled => spelled(it) === glob))
}

/** The lists of resolved dependencies that package managers write. */
export const LOCK_FILES: readonly string[] = [
  ...['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock'],
  ...['poetry.lock', 'uv.lock', 'Cargo.lock', 'go.sum', 'Gemfile.lock', 'composer.lock'],
]

/** The command that adds a standing intent for a proposal. */
export function choresCommand({ scope }: ChoreProposal): string {
  return `kotef intent add --standing --name ${CHORES_NAME}${scope.map(it => ` --scope '${it}'`).join('')}`
}
