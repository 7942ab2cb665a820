import { spawn } from 'node:child_process'
import { withoutRepositoryEnv } from './git-env.ts'

/** Which of some directories gitignore ignores. One in which something is tracked is not ignored. */
export async function findIgnored(root: string, directories: readonly string[]): Promise<string[]> {
  // In a large tree git takes long to see whether anything is tracked in a directory: it is asked where it matters.
  return checkIgnore(root, { paths: await matchGitignore(root, directories) })
}

/** Which of some directories a line of gitignore means, whatever is tracked in them. */
function matchGitignore(root: string, directories: readonly string[]): Promise<string[]> {
  return checkIgnore(root, { paths: directories, options: ['--no-index'] })
}

type CheckIgnoreOptions = { readonly paths: readonly string[]; readonly options?: readonly string[] }

// Git gives up at a path that it does not want to speak of, such as one behind a symlink: the rest is not ignored.
function checkIgnore(root: string, { paths, options = [] }: CheckIgnoreOptions): Promise<string[]> {
  if (paths.length === 0) return Promise.resolve([])
  const child = spawn('git', ['--no-optional-locks', 'check-ignore', '--stdin', '-z', ...options], {
    cwd: root,
    env: withoutRepositoryEnv(process.env),
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stdin.on('error', () => {})
  // A name that begins like magic of a pathspec would be the end of all.
  child.stdin.end(paths.map(it => `./${it}\0`).join(''))
  return new Promise(resolve => {
    child.on('error', () => resolve([]))
    child.on('close', () => resolve(output.split('\0').flatMap(it => (it.startsWith('./') ? it.slice(2) : []))))
  })
}
