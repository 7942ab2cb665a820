import { normalize } from 'node:path/posix'
import type { Redirection } from 'unbash'
import type { Target } from '../../tool-targets.ts'
import type { ProgramRun } from './program-runs.ts'
import { staticText } from './static-text.ts'

/** The effects of a command line; relative targets start in the folder in which it is started. */
export type ShellEffects = {
  /** `write`: it writes its targets and nothing else in the worktree; `opaque`: it may write other files too. */
  readonly kind: 'read' | 'write' | 'opaque'
  readonly targets: readonly Target[]
  /** Why it is opaque; null when it is not. */
  readonly why: string | null
  /** The parts of it that would switch governance off. */
  readonly switches: readonly string[]
  /** True when git must run its hooks for it, unless the environment switches them off. */
  readonly asksHooks: boolean
  /** The folders that it works in, besides the one in which it is started. */
  readonly folders: readonly string[]
  readonly loads: readonly Load[]
  /** True when a shell or an interpreter would wait for input. */
  readonly interactive: boolean
  /** The programs that it runs, as far as they are known. */
  readonly runs: readonly ProgramRun[]
}

/** What a program loads from the folder in which it runs, or at a path that it names, and may run. */
type Load = { readonly what: LoadedThing; readonly path: string }
type LoadedThing = 'config of git' | 'modules of Python' | 'JSON of Node' | 'remotes of git' | 'repository of a remote'

/** One effect of a part of a command; a part that only reads has none. */
export type Effect =
  | ({ readonly kind: 'write' } & Target)
  /** Changes the repository, but no file of the worktree; git's own hooks judge it. */
  | { readonly kind: 'record' }
  /** Makes git run its hooks, unless the environment switches them off. */
  | { readonly kind: 'hooked' }
  | { readonly kind: 'opaque'; readonly why: string }
  /** Works in a folder, which may be in another repository. */
  | { readonly kind: 'folder'; readonly path: string }
  | ({ readonly kind: 'load' } & Load)
  /** Puts a file there that may be a link. */
  | { readonly kind: 'moved'; readonly path: string }
  | { readonly kind: 'switch'; readonly what: string }
  /** Has git find other settings of the user, by a variable: in them there may be other hooks. */
  | { readonly kind: 'settings'; readonly what: string }
  | { readonly kind: 'wait' }

/** One opaque effect, as a list. */
export function opaqueEffects(why: string): Effect[] {
  return [{ kind: 'opaque', why }]
}

/** A write to each path; a device that stores nothing is not written. */
export function writeEffects(paths: readonly string[], more: Omit<Target, 'path'> = {}): Effect[] {
  return paths.flatMap((path): Effect[] => {
    if (/^\/dev\/(?:null|stdout|stderr|tty)$/.test(path)) return []
    if (path.startsWith('=')) return opaqueEffects('in zsh it is the path of a program')
    if (/^\/dev\/(?:stdin|fd\/.*)$|^\/proc\//.test(normalize(path))) return opaqueEffects(REOPENS)
    return [{ kind: 'write', path, ...more }]
  })
}

// Linux opens the file behind a descriptor again, also for writing when it was opened for reading.
const REOPENS = 'it writes the file behind a descriptor'

/** The folders in which a command may run, relative to the line's own (`''`); null when they can't be followed. */
export type Cwds = readonly string[] | null

/** The effects of a part of a line, and the shell's folders after its success and its failure. */
export type StepResult = { readonly effects: readonly Effect[]; readonly onSuccess: Cwds; readonly onFailure: Cwds }

// Each branch may double them; real lines have one or two.
const CWDS_MAX = 8

/** The folders of both; null when there are too many to follow. */
export function unionOfCwds(some: Cwds, others: Cwds): Cwds {
  if (!some || !others) return null
  const all = [...new Set([...some, ...others])]
  return all.length > CWDS_MAX ? null : all
}

/** Effects with their paths relative to the line's folder, for a command that runs in each of `at`. */
export function effectsFromLineStart(effects: readonly Effect[], at: Cwds): Effect[] {
  return effects.flatMap((effect): Effect[] => {
    if (!('path' in effect) || isAbsolute(effect.path)) return [effect]
    // After an exit that fails, the folder is any one of those before.
    if (effect.kind === 'load' && !at?.length)
      return opaqueEffects(`it loads the ${effect.what} from a folder that is only known when it runs`)
    // Git reads it from the top of the worktree, which is not known here.
    if (effect.kind === 'load' && effect.what === 'repository of a remote') return [effect]
    if (!at)
      return effect.kind === 'write' ? opaqueEffects('it writes in a folder that is only known when it runs') : []
    if (at.length === 0 && effect.kind === 'write') return opaqueEffects('it follows an exit, which may fail')
    return at.map(folder => ({ ...effect, path: pathInFolder(folder, effect.path) }))
  })
}

/** A path in a folder. `..` is kept: the folder may be a link, which is not known here. */
export function pathInFolder(folder: string, path: string): string {
  if (path === '') return folder
  return folder === '' || isAbsolute(path) ? path : `${folder}/${path}`
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || path.startsWith('~/')
}

/** The files that the redirects of a command write. */
export function redirectEffects(redirects: readonly Redirection[]): Effect[] {
  // The descriptors that lead where output went before.
  const outputs = new Set(['1', '2'])
  return redirects.flatMap(it => {
    if (it.type !== 'Redirect') return []
    const path = it.target ? staticText(it.target) : null
    const isInput = it.operator.startsWith('<') && it.operator !== '<>'
    const onto = descriptorOf(it, isInput)
    if (it.operator.endsWith('&') && path !== null && /^\d*-?$/.test(path)) {
      const isOutput = path === '-' || outputs.has(path.replace(/-$/, ''))
      if (isOutput && path !== '-') outputs.add(onto)
      return isOutput || onto === '0' ? [] : opaqueEffects(REOPENS)
    }
    if (isInput && !/^[12]$/.test(onto)) return []
    return path === null
      ? opaqueEffects('it writes a file whose name is only known when it runs')
      : writeEffects([path])
  })
}

function descriptorOf({ descriptor }: Redirection, isInput: boolean): string {
  if (!descriptor) return isInput ? '0' : '1'
  return descriptor.type === 'FileDescriptor' ? String(descriptor.value) : descriptor.name
}
