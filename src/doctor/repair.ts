import { chmod, rm, stat } from 'node:fs/promises'
import { acquireLock, releaseLock } from '../io/files/lock.ts'
import { KotefError } from '../findings/failure.ts'
import { compilePolicy } from '../policy/compile-policy.ts'
import { openWorkspace, type Workspace } from '../worktree/workspace.ts'
import { restoreHuskyFolder } from '../setup/hooks/husky.ts'
import { installSharedFiles } from '../setup/install-hooks.ts'
import { readInstalledHooks } from '../setup/hooks/installed-hooks.ts'
import { refreshHooks } from '../setup/hooks/refresh-hooks.ts'

/** What can be put right without asking: nothing of the user's, nothing that git tracks, nothing that is started. */
export type Repair = {
  readonly kind: 'hooks' | 'scripts' | 'husky' | 'compiled' | 'executable' | 'lock' | 'leftovers'
  /** The worktree, or else the files, that it is about. */
  readonly at: readonly string[]
}

/** Does a repair; what was done, in words. */
export async function performRepair({ kind, at }: Repair): Promise<string> {
  for (const it of at) await REPAIRS[kind].perform(it)
  return REPAIRS[kind].done
}

type RepairAction = { readonly perform: (at: string) => Promise<unknown>; readonly done: string }

const REPAIRS: Readonly<Record<Repair['kind'], RepairAction>> = {
  hooks: { perform: async at => refreshHooks(await openWorkspace(at)), done: 'Its lines were put in place again.' },
  scripts: {
    perform: async at => repairScripts(await openWorkspace(at)),
    done: 'The scripts of this version were put in place.',
  },
  husky: { perform: async at => repairHusky(await openWorkspace(at)), done: 'What husky generated was copied there.' },
  compiled: { perform: async at => compilePolicy(await openWorkspace(at)), done: 'It was compiled anew.' },
  executable: { perform: async at => makeExecutable(at), done: 'It can be run again.' },
  lock: { perform: removeDeadLock, done: 'It was removed.' },
  leftovers: { perform: at => rm(at, { force: true, recursive: true }), done: 'They were removed.' },
}

// Called for a file that is missing as well: what a later version has put there is not taken back.
async function repairScripts(workspace: Workspace): Promise<void> {
  const { found, version } = await readInstalledHooks(workspace)
  if (found !== 'newer') return installSharedFiles(workspace)
  throw new KotefError('usage', `The hooks' scripts are of kotef ${version}, which is later than this one.`, {
    hint: `Install it: \`npm i -D kotef-watch@${version}\``,
  })
}

async function repairHusky(workspace: Workspace): Promise<void> {
  if (await restoreHuskyFolder(workspace)) return
  throw new KotefError('husky-missing', 'Nobody has kept what husky generates.', { hint: 'Run `npx husky`' })
}

async function makeExecutable(path: string): Promise<void> {
  await chmod(path, (await stat(path)).mode | 0o111)
}

// By the rules of the lock itself, so that one which somebody has taken since is left alone.
async function removeDeadLock(path: string): Promise<void> {
  if (await acquireLock(path)) await releaseLock(path)
}
