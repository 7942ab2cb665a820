import type { Git } from '../git/git.ts'

/** The default branches of a remote, as this clone knows them (`refs/heads/main`); null for all remotes. */
export async function defaultBranchesOf({ ask }: Pick<Git, 'ask'>, remote: string | null): Promise<string[]> {
  const args = ['for-each-ref', '--format=%(refname) %(symref)', `refs/remotes/${remote ?? '*'}/HEAD`]
  return ask({ args, parse: out => out.split('\n').flatMap(parseRemoteHead) })
}

/** The branch that a server's HEAD names; none while that branch is not there. */
export async function ownDefaultBranch({ ask }: Pick<Git, 'ask'>, headCommit: string | null): Promise<string[]> {
  if (headCommit === null) return []
  return ask({ args: ['symbolic-ref', '--quiet', 'HEAD'], parse: out => out.split('\n').slice(0, -1) })
}

/** True for one of the known default branches; where none is known, for one that has a usual name. */
export function isDefaultBranch(name: string, known: readonly string[]): boolean {
  return (known.length > 0 ? known : ['refs/heads/main', 'refs/heads/master']).includes(name)
}

function parseRemoteHead(line: string): string[] {
  const [head = '', target = ''] = line.split(' ')
  const folder = head.slice(0, -'HEAD'.length)
  return folder !== '' && target.startsWith(folder) ? [`refs/heads/${target.slice(folder.length)}`] : []
}
