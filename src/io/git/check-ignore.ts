import { runGit } from './run-git.ts'

/** Those of some directories that gitignore ignores. A directory with a tracked file in it is not ignored. */
export async function findIgnored(root: string, directories: readonly string[]): Promise<string[]> {
  // In a large tree git takes long to find out whether a directory has a tracked file, so it is asked only for those
  // that a line of gitignore matches.
  return checkIgnore(root, { paths: await checkIgnore(root, { paths: directories, options: ['--no-index'] }) })
}

type CheckIgnoreOptions = { readonly paths: readonly string[]; readonly options?: readonly string[] }

// Git stops at a path that it refuses, such as one behind a symlink. Then the rest counts as not ignored.
async function checkIgnore(root: string, { paths, options = [] }: CheckIgnoreOptions): Promise<string[]> {
  if (paths.length === 0) return []
  const { stdout } = await runGit(['--no-optional-locks', 'check-ignore', '--stdin', '-z', ...options], {
    cwd: root,
    // Without `./`, git would stop at a name that begins like the magic of a pathspec.
    input: paths.map(it => `./${it}\0`).join(''),
  })
  const found = stdout.toString('utf8').split('\0')
  return found.flatMap(it => (it.startsWith('./') ? it.slice(2) : []))
}
