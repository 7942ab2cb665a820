import { appendFile, watch } from 'node:fs/promises'
import { join } from 'node:path'
import { blamePath } from '../../src/world/provenance/blame.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import { flushedWrites, governedRepo } from './governed-repo.ts'
import { runCliOrThrow } from './hooked-repo.ts'
import { recordAgentWrite } from './recorded-write.ts'
import type { Repo } from './repo.ts'

const NAMES = ['repo', 'ben', 'cleo', 'dan']

/** What each round is done in: four clones of one remote, of which the first one has a daemon. */
type Clones = { readonly repo: Repo; readonly roots: readonly string[]; readonly origin: string }

/**
 * In each round four clones commit and push at the same moment, to one branch; a push that is rejected is made again
 * after a `git pull --rebase`. Notes are shared by the hooks alone. What is wrong in the end: commits without a note on
 * the server, lines without their author, and notes that do not come back after they were wiped there.
 */
export async function pushAtOnce({ rounds }: { readonly rounds: number }): Promise<string[]> {
  await using repo = await governedRepo(Object.fromEntries(NAMES.map(it => [`src/${it}`, 'the first line\n'])), {
    agent: 'aider',
  })
  await using daemon = repo.start('kotef-watch')
  await daemon.line(/kotef is watching/)
  const clones = await openClones(repo)
  const base = (await repo.git('rev-parse', 'HEAD')).trim()
  for (let round = 1; round <= rounds; round++)
    await Promise.all(clones.roots.map((_, who) => workOnce(clones, who, round)))
  const wrong = await unnotedCommits(clones, base)
  if (wrong.length > 0) return wrong
  return [...(await wrongAuthors(clones)), ...(await lostNotes(clones))]
}

async function openClones(repo: Repo): Promise<Clones> {
  const origin = join(repo.base, 'origin.git')
  const roots = NAMES.map(it => join(repo.base, it))
  await run(
    repo,
    repo.root,
    `git init -q --bare --initial-branch=main ../origin.git; mkdir ../origin.git/refs/notes
    git remote add origin ../origin.git
    git push -q --no-verify -u origin main`,
  )
  for (const root of roots.slice(1))
    await run(repo, repo.root, `git clone -q ../origin.git ${root}; cd ${root}; kotef init --yes --hooks git`)
  for (const root of roots.slice(1))
    await runCliOrThrow({ ...repo, root }, 'intent', 'start', 'INT-001', '--agent', 'aider')
  return { repo, roots, origin }
}

/** A clone writes one line to its file, commits and pushes. */
async function workOnce({ repo, roots }: Clones, who: number, round: number): Promise<void> {
  const [root = '', path] = [roots[who], `src/${NAMES[who]}`]
  const added = `what an agent has written in round ${round}\n`
  const before = await run(repo, root, `cat ${path}`)
  await appendFile(join(root, path), added)
  if (who === 0) await flushedWrites(repo)
  else await recordAgentWrite({ root }, path, { before, added })
  await run(
    repo,
    root,
    `git commit -qam 'round ${round}'
    until git push -q origin main 2>../pushed-${who}; do
      grep -qE 'rejected|cannot lock|failed to update' ../pushed-${who}; git pull -q --rebase origin main
    done`,
  )
}

/** Resolves when each commit since the beginning has its note on the server; else the commits without one. */
async function unnotedCommits({ repo, origin }: Clones, base: string): Promise<string[]> {
  const commits = (await run(repo, origin, `git rev-list ${base}..main`)).split('\n').filter(it => it !== '')
  const missing = async (): Promise<string[]> => {
    const noted = await run(repo, origin, 'git notes --ref=kotef list || :')
    return commits.filter(it => !noted.includes(it))
  }
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(NOTES_MS_MAX)])
  // Each push of notes replaces the file of their reference. Asking for a change begins to watch.
  const pushes = watch(join(origin, 'refs/notes'), { signal })[Symbol.asyncIterator]()
  let left: string[]
  let isInTime = true
  do {
    const pushed = pushes.next().then(
      () => true,
      () => false,
    )
    left = await missing()
    if (left.length === 0) stop.abort()
    isInTime = await pushed
  } while (left.length > 0 && isInTime)
  return left.map(it => `${it} has no note on the server`)
}

// The last of the processes in the background tries for so long, if all of them always meet.
const NOTES_MS_MAX = 60_000

/** In a new clone, after one sync, each line but the first ones is an agent's. */
async function wrongAuthors({ repo, origin }: Clones): Promise<string[]> {
  const fresh = join(repo.base, 'fresh')
  await run(repo, repo.base, `git clone -q ${origin} fresh`)
  await runCliOrThrow({ ...repo, root: fresh }, 'sync')
  const workspace = await openWorkspace(fresh)
  const wrong: string[] = []
  for (const name of NAMES) {
    const lines = await blamePath(workspace, { path: `src/${name}`, revision: null })
    const unknown = lines.slice(1).filter(it => it.author.contributor.type !== 'ai')
    wrong.push(...unknown.map(it => `src/${name}:${it.line} has no author`))
  }
  return wrong
}

/** Each clone, after one more sync, brings all notes back to a server that has lost them. */
async function lostNotes({ repo, roots, origin }: Clones): Promise<string[]> {
  const listed = () => run(repo, origin, 'git notes --ref=kotef list || :')
  for (const root of roots) await runCliOrThrow({ ...repo, root }, 'sync')
  const whole = await listed()
  const wrong: string[] = []
  for (const root of roots) {
    await run(repo, origin, 'git update-ref -d refs/notes/kotef')
    await runCliOrThrow({ ...repo, root }, 'sync')
    if ((await listed()) !== whole) wrong.push(`the notes did not come back from ${root}`)
  }
  return wrong
}

async function run(repo: Repo, cwd: string, commands: string): Promise<string> {
  const { code, stdout, stderr } = await repo.run('sh', ['-ec', commands], { cwd })
  if (code !== 0) throw new Error(`${commands}\nended with ${code} in ${cwd}:\n${stderr}${stdout}`)
  return stdout
}
