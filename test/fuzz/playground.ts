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

/** The shells in which agents run command lines, each with the words that start it. */
export const SHELLS = { bash: ['bash'], dash: ['dash'], busybox: ['busybox', 'sh'], zsh: ['zsh'] } as const
export type Shell = keyof typeof SHELLS

/** True when a shell is on this machine. */
export function isInstalled(shell: Shell): boolean {
  const [program, ...args] = SHELLS[shell]
  return spawnSync(program, [...args, '-c', 'exit 7']).status === 7
}

/** Makes a playground for lines of a shell; the repository is deep in it, so that `..` stays within. */
export function makePlayground(shell: Shell = 'bash'): Playground {
  if (!isInstalled(shell)) throw new Error(`${shell} is not installed.`)
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
    run: lines => runLines(lines, { cwd: repo, env, shell }),
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
  const home = join(world, 'home')
  // git reads the settings of the home that a line gives it.
  const { GIT_CONFIG_GLOBAL: _, ...sealed } = sealedEnvironment({ home: join(base, 'outer') })
  return { ...sealed, HOME: home, TMPDIR: join(world, 'tmp'), PAGER: 'cat', GIT_PAGER: 'cat', TRAP: join(home, 'trap') }
}

const MAKE_REPO = `
git init -q -b main .
mkdir src lib odd
printf 'one\\ntwo x\\nthree\\n' >README.md; echo 'export const tax = 1' >lib/tax.ts; echo 'let a = 1' >src/a.ts
echo text >'a b.txt'; echo '{"a": [1, 2]}' >data.json; ln -s ../lib src/link; printf '[x]\\n\\ty = z\\n' >data.cfg
for name in -delete --output=evil -i -exec -o -w; do echo x >"odd/$name"; done
# A line may set PATH, HOME and the like to a number: what is then run from there, or read as a setting, leaves a file.
mkdir 5; printf '#!/bin/sh\necho trapped >>"%s"\n' "$TRAP" >5/ls; chmod +x 5/ls; cp 5/ls 5/.zshenv
for name in cat head wc grep sed awk sort find git env date id; do ln 5/ls "5/$name"; done
printf '[core]\n\tfsmonitor = "echo trapped >>%s; false"\n' "$TRAP" >5/.gitconfig
tar -cf a.tar src/a.ts; gzip -c README.md >a.gz; cp a.gz a.zip
if command -v zip >/dev/null; then rm a.zip; zip -q a.zip src/a.ts; fi
git add -A; git commit -qm one; git tag v1
git checkout -qb other; echo other >other.txt; echo o >>src/a.ts; git add .; git commit -qm other; git checkout -q main
echo more >>README.md; git commit -qam 'two

Intent-ID: INT-001'
git notes add -m note; git remote add origin .; git config user.name Ada
git gc -q; echo stashed >>src/a.ts; git stash -q; echo change >>src/a.ts
git status -s >/dev/null
`

/**
 * Bash reads the lines from a descriptor that they don't have, and tells by another one which process each of them is;
 * with job control each is a process group. What a line prints is thrown away.
 */
const RUN_EACH = `
set -m; ulimit -t 2 -f 4096 -c 0
while IFS= read -r -d '' line <&8; do "$@" -c "$line" 8<&- 9>&- </dev/null & echo $! >&9; wait $!; done
`

const LINE_MS_MAX = 3_000
// A job in the background may outlive its line.
const REST_MS_MAX = 5_000

type Run = { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly shell: Shell }

async function runLines(lines: readonly string[], { shell, ...at }: Run): Promise<void> {
  const stdio = Array.from({ length: 10 }, (_, n) =>
    n === 0 || (n > 2 && n < 8) ? ('ignore' as const) : ('pipe' as const),
  )
  const child = spawn('bash', ['-c', RUN_EACH, 'bash', ...SHELLS[shell]], { ...at, ...USER, stdio, detached: true })
  const pipes: readonly unknown[] = child.stdio
  const [input, output] = [pipes[8] as NodeJS.WritableStream, pipes[9] as NodeJS.ReadableStream]
  const groups: number[] = []
  let timer: NodeJS.Timeout | undefined
  const killAfter = (ms: number, killed: () => readonly number[]) => {
    clearTimeout(timer)
    timer = setTimeout(() => killed().forEach(killGroup), ms)
  }
  output.on('data', (text: Buffer) => {
    groups.push(...String(text).trim().split('\n').map(Number))
    killAfter(LINE_MS_MAX, () => groups.slice(-1))
  })
  input.on('error', () => {})
  input.end(lines.map(it => `${it}\0`).join(''))
  child.stdout?.resume()
  child.stderr?.resume()
  child.on('exit', () => killAfter(REST_MS_MAX, () => groups))
  await new Promise<void>(resolve => child.on('close', () => resolve()))
  clearTimeout(timer)
  if (groups.length < lines.length) throw new Error(`Only ${groups.length} of ${lines.length} lines were run.`)
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch {
    // It has ended.
  }
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
  const stat = lstatSync(path, { throwIfNoEntry: false })
  // Something that a line left running has removed it.
  if (!stat) return 'gone'
  if (stat.isSymbolicLink()) return `link ${readlinkSync(path)}`
  if (!stat.isFile()) return `${stat.isDirectory() ? 'folder' : 'other'} ${stat.mode}`
  return `${stat.mode} ${readFileSync(path, 'latin1')}`
}
