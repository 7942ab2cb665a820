import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sealedEnvironment } from '../rig/sealed-environment.ts'

/** A folder with a small repository, in which command lines are run and may do no harm. */
export type Playground = AsyncDisposable & {
  /** Runs each line with a shell of its own, one after the other, until all that they started has ended. */
  run(lines: readonly string[]): Promise<void>
  /** The paths that differ from how the folder was made; it is made again when there are some. */
  changes(): string[]
}

/** The shells in which agents run command lines. */
export type Shell = 'bash' | 'dash' | 'zsh'

/** Makes a playground for lines of a shell; the repository is deep in it, so that `..` stays within. */
export function makePlayground(shell: Shell = 'bash'): Playground {
  const base = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'kf-'))
  const world = join(base, 'world')
  const repo = join(world, REPO)
  const env = environmentIn(base)
  const inShell = (script: string) => {
    const { status, stderr, stdout } = spawnSync('sh', ['-ec', script], { cwd: base, env, encoding: 'utf8', ...USER })
    if (status !== 0) throw new Error(`The repository to play in can't be made: ${stderr}`)
    return stdout
  }
  inShell(`mkdir -p template/home template/${REPO} template/tmp; cd template/${REPO}${MAKE_REPO}`)
  const reset = () => {
    inShell('chmod -R u+rwx world 2>&1 || :; rm -rf world; cp -a template world')
    inShell(`git -C world/${REPO} update-index -q --refresh`)
    return contentsOf(world)
  }
  const staged = () => inShell(`git -C world/${REPO} ls-files -sv`)
  let before = reset()
  const stagedBefore = staged()
  return {
    run: lines => runLines(lines, { cwd: repo, env: { ...env, FUZZ_SHELL: shell } }),
    changes() {
      const after = contentsOf(world)
      const paths = [...new Set([...before.keys(), ...after.keys()])].filter(it => before.get(it) !== after.get(it))
      // Reading commands of git may note in the index that a file is unchanged.
      const isRefresh = paths.join() === INDEX && after.has(INDEX) && staged() === stagedBefore
      if (paths.length > 0) before = reset()
      return isRefresh ? [] : paths.sort()
    },
    [Symbol.asyncDispose]: () => Promise.resolve(rmSync(base, { recursive: true, force: true })),
  }
}

const REPO = 'a/b/c/repo'
const INDEX = `${REPO}/.git/index`
const MEMORY = '/dev/shm'

// As root a line could remove a device; so lines are run as a user who owns nothing else.
const USER = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

function environmentIn(base: string): NodeJS.ProcessEnv {
  if (USER.uid !== undefined) chownSync(base, USER.uid, USER.gid)
  const world = join(base, 'world')
  const sealed = sealedEnvironment({ home: join(base, 'outer') })
  return { ...sealed, HOME: join(world, 'home'), TMPDIR: join(world, 'tmp'), PAGER: 'cat', GIT_PAGER: 'cat' }
}

const MAKE_REPO = `
git init -q -b main .
mkdir src lib odd
printf 'one\\ntwo x\\nthree\\n' >README.md; echo 'export const tax = 1' >lib/tax.ts; echo 'let a = 1' >src/a.ts
echo text >'a b.txt'; echo '{"a": [1, 2]}' >data.json; ln -s ../lib src/link; printf '[x]\\n\\ty = z\\n' >data.cfg
for name in -delete --output=evil -i -exec -o -w; do echo x >"odd/$name"; done
tar -cf a.tar src/a.ts; gzip -c README.md >a.gz; cp a.gz a.zip
if command -v zip >/dev/null; then rm a.zip; zip -q a.zip src/a.ts; fi
git add -A; git commit -qm one; git tag v1
git checkout -qb other; echo other >other.txt; echo o >>src/a.ts; git add .; git commit -qm other; git checkout -q main
echo more >>README.md; git commit -qam 'two

Intent-ID: INT-001'
git notes add -m note; git remote add origin .; git config user.name Ada
git gc -q; echo stashed >>src/a.ts; git stash -q; echo change >>src/a.ts; git status -s >/dev/null
`

/** Bash reads the lines from a descriptor that they don't have. What a line prints is thrown away. */
const RUN_EACH = `
ulimit -t 2 -f 4096 -c 0
while IFS= read -r -d '' line <&8; do timeout -s KILL 2 env -u FUZZ_SHELL "$FUZZ_SHELL" -c "$line" 8<&- </dev/null; done
`

// A job in the background may outlive its line.
const BATCH_MS_MAX = 10_000

async function runLines(lines: readonly string[], at: { cwd: string; env: NodeJS.ProcessEnv }): Promise<void> {
  const stdio: ('ignore' | 'pipe')[] = [
    'ignore',
    'pipe',
    'pipe',
    ...Array.from({ length: 5 }, () => 'ignore' as const),
    'pipe',
  ]
  const child = spawn('bash', ['-c', RUN_EACH], { ...at, ...USER, stdio, detached: true })
  const stop = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
  const timer = setTimeout(stop, BATCH_MS_MAX)
  const stdin: readonly unknown[] = child.stdio
  const input = stdin[8] as NodeJS.WritableStream | undefined
  input?.on('error', () => {})
  input?.end(lines.map(it => `${it}\0`).join(''))
  child.stdout?.resume()
  child.stderr?.resume()
  await new Promise<void>(resolve => child.on('close', () => resolve()))
  clearTimeout(timer)
  stop()
}

function contentsOf(folder: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(folder.length + 1)
    // Programs keep temporary files there while they run.
    if (!name.startsWith('tmp/')) found.set(name, describe(path))
  }
  return found
}

function describe(path: string): string {
  const stat = lstatSync(path)
  if (stat.isSymbolicLink()) return `link ${readlinkSync(path)}`
  if (!stat.isFile()) return `${stat.isDirectory() ? 'folder' : 'other'} ${stat.mode}`
  return `${stat.mode} ${readFileSync(path, 'latin1')}`
}
