import { chmod, rm, stat } from 'node:fs/promises'
import { acquireLock, releaseLock } from '../io/files/lock.ts'
import { KotefError } from '../findings/failure.ts'
import { compilePolicy } from '../policy/compile-policy.ts'
import { openWorkspace, type Workspace } from '../worktree/workspace.ts'
import { restoreHuskyFolder } from '../setup/hooks/husky.ts'
import { installSharedFiles } from '../setup/install-hooks.ts'
import { readInstalledHooks } from '../setup/hooks/installed-hooks.ts'
import { refreshHooks } from '../setup/hooks/refresh-hooks.ts'

/** A repair that needs no question: it changes no file of the user, no tracked file, and starts no program. */
export type Repair = {
  readonly kind: 'hooks' | 'scripts' | 'husky' | 'compiled' | 'executable' | 'lock' | 'leftovers'
  /** The worktrees or the files to repair. */
  readonly at: readonly string[]
}

/** Does a repair, and returns a sentence that says what was done. */
export async function performRepair({ kind, at }: Repair): Promise<string> {
  for (const it of at) await REPAIRS[kind].perform(it)
  return REPAIRS[kind].done
}

type RepairAction = { readonly perform: (at: string) => Promise<unknown>; readonly done: string }

const REPAIRS: Readonly<Record<Repair['kind'], RepairAction>> = {
  hooks: { perform: async at => refreshHooks(await openWorkspace(at)), done: "kotef's lines were written again." },
  scripts: {
    perform: async at => repairScripts(await openWorkspace(at)),
    done: 'The scripts of this version were installed.',
  },
  husky: {
    perform: async at => repairHusky(await openWorkspace(at)),
    done: "Husky's generated files were copied there.",
  },
  compiled: { perform: async at => compilePolicy(await openWorkspace(at)), done: 'It was compiled again.' },
  executable: { perform: async at => makeExecutable(at), done: 'It was made executable.' },
  lock: { perform: removeDeadLock, done: 'It was removed.' },
  leftovers: { perform: at => rm(at, { force: true, recursive: true }), done: 'They were removed.' },
}

// Also runs when one script is missing. Scripts of a newer version are not replaced by older ones.
async function repairScripts(workspace: Workspace): Promise<void> {
  const { found, version } = await readInstalledHooks(workspace)
  if (found !== 'newer') return installSharedFiles(workspace)
  throw new KotefError('usage', `The hooks' scripts are of kotef ${version}, which is newer than this one.`, {
    hint: `Install it: \`npm i -D kotef-watch@${version}\``,
  })
}

async function repairHusky(workspace: Workspace): Promise<void> {
  if (await restoreHuskyFolder(workspace)) return
  throw new KotefError('husky-missing', 'kotef has no copy of the files that husky generates.', {
    hint: 'Run `npx husky`',
  })
}

async function makeExecutable(path: string): Promise<void> {
  await chmod(path, (await stat(path)).mode | 0o111)
}

// By acquiring the lock: it fails, and the file stays, if another process has taken the lock since.
async function removeDeadLock(path: string): Promise<void> {
  if (await acquireLock(path)) await releaseLock(path)
}
