import { normalize } from 'node:path/posix'
import { type Command, parse, type Statement } from 'unbash'
import {
  type Cwds,
  type Effect,
  effectsFromLineStart,
  opaqueEffects,
  pathInFolder,
  redirectEffects,
  type StepResult,
  unionOfCwds,
  writeEffects,
} from './effect.ts'
import { agentEffects } from './agent-programs.ts'
import { findExpression } from './find-program.ts'
import { editorEffects } from './edit-programs.ts'
import { gitEffects } from './git-program.ts'
import { hazardInSh, hazardOfScript } from './hazards.ts'
import { governanceMentions, nodeText } from './governance-mentions.ts'
import { kotefEffects } from './kotef-program.ts'
import { readerEffects } from './read-programs.ts'
import { assignmentEffects, builtinEffects } from './builtins.ts'
import { plainBuiltinEffects } from './plain-builtins.ts'
import { patchTargets } from '../../patch-targets.ts'
import { type Arg, argOf } from './arguments.ts'
import { nodeEffects } from './node-program.ts'
import { numberBuiltinEffects } from './numbers.ts'
import { printsVersionOrHelp, readsPackages } from './tool-queries.ts'
import { type InnerProgram, innerProgram } from './inner-program.ts'
import { writerEffects } from './write-programs.ts'
import { enteredFolders } from './entered-folders.ts'

/** Reads a script inside another one, started in these folders. */
export type ScriptReader = (script: readonly Statement[], at: Cwds) => readonly Effect[]

/** The effects of one command, and the folders that the shell is in afterwards. */
export function commandEffects(node: Command, at: Cwds, run: ScriptReader): StepResult {
  const exported = node.name !== undefined
  const around = [
    ...node.prefix.flatMap(it =>
      it.type === 'Assignment'
        ? [...assignmentEffects(it.name, { exported, text: it.text }), ...optionMentions(it.text)]
        : [],
    ),
    ...effectsFromLineStart(redirectEffects(node.redirects), at),
  ]
  const words = node.name ? [argOf(node.name), ...node.args.map(argOf)] : []
  const own = words.length === 0 ? [] : programEffects(words, { node, at, run })
  const effects = [...around, ...own]
  const mentions = effects.some(it => it.kind === 'opaque')
    ? [...governanceMentions(argumentText(node, words)), ...folderMentions(at)]
    : []
  const { onSuccess, onFailure } = foldersAfter(words, at)
  // A redirect or an assignment may fail, and then nothing runs.
  const isSure = node.redirects.length === 0 && node.prefix.length === 0
  return {
    effects: [...effects, ...mentions, ...effectsFromLineStart(enteredFolders(node, words), at)],
    onSuccess,
    onFailure: isSure ? onFailure : unionOfCwds(onFailure, at),
  }
}

// A variable with an option as its value is meant to be used as one.
function optionMentions(assignment: string): readonly Effect[] {
  return /^\w+\+?=['"]?-/.test(assignment) ? governanceMentions(assignment) : []
}

type CommandContext = { readonly node: Command; readonly at: Cwds; readonly run: ScriptReader }

// git's arguments are read one by one elsewhere: a commit message may mention anything.
function argumentText(node: Command, [first]: readonly Arg[]): string {
  return first?.text === 'git' ? node.prefix.map(nodeText).join(' ') : nodeText(node)
}

// In a folder such as `.git`, relative paths name governance files without mentioning the folder.
function folderMentions(at: Cwds): readonly Effect[] {
  return (at ?? []).flatMap(it => governanceMentions(/\.git$/.test(it) ? `${it}/hooks` : `${it}/`))
}

/** The effects of a program, from the folder in which the line starts. */
function programEffects([first, ...args]: readonly Arg[], around: CommandContext): readonly Effect[] {
  const name = first && programName(first)
  if (!name) return opaqueEffects('the program is only known when it runs')
  const agent = agentEffects(name, args)
  if (agent) return agent
  const inner = innerProgram(name, args)
  if (inner?.kind === 'command') return innerEffects(inner, around)
  if (inner?.kind === 'script') return scriptEffects(inner, around)
  const own =
    name === 'find'
      ? findEffects(args, around)
      : (knownProgramEffects(name, args) ?? patchEffects(name, around.node, args))
  return effectsFromLineStart(own ?? unknownProgramEffects(name, args, around), around.at)
}

/** What `find` may write, by itself and by the commands that it runs. */
function findEffects(args: readonly Arg[], around: CommandContext): readonly Effect[] {
  const { rest, commands } = findExpression(args)
  const inner = commands.flatMap(({ words, isInFolder }) =>
    words.length === 0 ? opaqueEffects('') : programEffects(words, { ...around, at: isInFolder ? null : [''] }),
  )
  const reads = inner.every(it => it.kind === 'load')
  const kept = inner.filter(it => it.kind === 'switch' || it.kind === 'load')
  return [...kept, ...(readerEffects('find', reads ? rest : args) ?? [])]
}

function innerEffects(inner: Extract<InnerProgram, { kind: 'command' }>, around: CommandContext): readonly Effect[] {
  const at = around.at?.map(it => pathInFolder(it, inner.folder)) ?? null
  const all = inner.words.length === 0 ? [] : programEffects(inner.words, { ...around, at })
  const entered: Effect[] = inner.folder === '' ? [] : [{ kind: 'folder', path: inner.folder }]
  return [
    ...inner.assigned.flatMap(it => assignmentEffects(it.name, { exported: true, text: it.text })),
    ...effectsFromLineStart(entered, around.at),
    ...(inner.without.includes(CONFIG_COUNT_VARIABLE) ? all.filter(it => it.kind !== 'hooked') : all),
    ...(inner.whyOpaque === null ? [] : opaqueEffects(inner.whyOpaque)),
  ]
}

// Without this variable, git ignores the settings that an agent may have put into the environment.
const CONFIG_COUNT_VARIABLE = 'GIT_CONFIG_COUNT'

function knownProgramEffects(name: string, args: readonly Arg[]): readonly Effect[] | null {
  const [, verb] = GIT_PROGRAM.exec(name) ?? []
  const words = verb === undefined ? args : [{ text: verb, isOperand: true, source: verb }, ...args]
  if (name === 'git' || verb !== undefined)
    return [{ kind: 'load', what: 'config of git', path: '' }, ...gitEffects(words)]
  if (/^kotef(?:-watch)?$/.test(name)) return kotefEffects(name === 'kotef' ? args : argsOfWatch(args))
  if (/^(?:cd|pushd|popd)$/.test(name)) return []
  const effects =
    plainBuiltinEffects(name, args) ??
    builtinEffects(name, args) ??
    editorEffects(name, args) ??
    readerEffects(name, args) ??
    writerEffects(name, args) ??
    nodeEffects(name, args)
  // zsh would compute it as a number.
  const isNumber = numberBuiltinEffects(name, []) !== null
  const isHelp = args.length === 1 && /^--(?:version|help)$/.test(args[0]?.text ?? '')
  return effects && isHelp && !isNumber ? [] : effects
}

// Git's own programs, installed beside git or in its folder of a system. Any program can have such a name elsewhere.
const GIT_PROGRAM = new RegExp(
  String.raw`^(?:/(?:usr/(?:local/)?(?:lib|libexec|opt|Cellar)|opt/homebrew|nix/store|Library/Developer|` +
    String.raw`Applications/Xcode\.app)/(?:(?!\.\.?/)[^/]+/)*git-core/)?git-([a-z][a-z-]*)$`,
)

/** The arguments for kotef of a call as `kotef-watch`, which watches where no verb comes first. */
function argsOfWatch(args: readonly Arg[]): readonly Arg[] {
  const [first] = args
  return first && (first.isOperand || first.text === '--version') ? args : [WATCH_ARG, ...args]
}

const WATCH_ARG: Arg = { text: 'watch', isOperand: true, source: 'watch' }

/** A program's name without a system folder; null when it is only known at run time. */
function programName({ text }: Arg): string | null {
  if (text === null || text === '') return null
  return text.replace(/^\/(?:usr\/(?:local\/)?)?s?bin\/|^(?:\.\/)?node_modules\/\.bin\/(?=kotef(?:-watch)?$)/, '')
}

type InnerScript = Extract<InnerProgram, { kind: 'script' }>

function scriptEffects({ text, isSh, runsLater }: InnerScript, { at, run }: CommandContext): readonly Effect[] {
  if (text === null) return opaqueEffects('it runs a script that is only known when it runs')
  const script = parse(text)
  const why = hazardOfScript(script, text) ?? (isSh ? hazardInSh(script) : null)
  const later = runsLater ? run(script.commands, null).filter(it => it.kind === 'opaque') : []
  const odd = why === null ? [] : [...opaqueEffects(why), ...governanceMentions(text)]
  return [...run(script.commands, at), ...later, ...odd]
}

// Codex also passes its patches to a command of this name. An argument goes before the input.
function patchEffects(name: string, node: Command, [first, ...more]: readonly Arg[]): readonly Effect[] | null {
  if (name !== 'apply_patch' && name !== 'applypatch') return null
  const [input, ...others] = node.redirects.filter(it => it.type !== 'Redirect' || it.operator.startsWith('<'))
  const isBody = input?.type === 'HereDoc' && input.delimiter?.quoted && !input.descriptor && others.length === 0
  const text = first ? (more.length === 0 ? first.text : null) : isBody ? input.body.text : null
  const targets = patchTargets(text ?? '')
  return targets.length === 0 ? null : writeEffects(targets)
}

function unknownProgramEffects(name: string, args: readonly Arg[], { node }: CommandContext): readonly Effect[] {
  if (printsVersionOrHelp(name, args) || readsPackages(name, args)) return []
  const isBare = args.every(it => /^-[il]+$/.test(it.text ?? '')) && INTERPRETERS.test(name)
  const isFed = node.redirects.some(it => it.type !== 'Redirect' || it.operator === '<')
  const waits: Effect[] = isBare && !isFed ? [{ kind: 'wait' }] : []
  return [...waits, ...killEffects(name, args), ...opaqueEffects(`kotef does not know what ${name} does`)]
}

const INTERPRETERS = /^(?:(?:ba|z|da|k|fi)?sh|python[\d.]*|node|irb|ruby|perl|php|deno|bun|lua|psql|sqlite3|mysql)$/

function killEffects(name: string, args: readonly Arg[]): Effect[] {
  const words = args.map(it => it.text ?? it.source)
  const isEveryProcess = name === 'kill' && words.includes('-1') && words.length > 1
  const isDaemon =
    /^(?:pkill|killall)$/.test(name) &&
    words.some(it => /kotef|main-watch|^(?:no?|nod|node|nodejs|watch|\.\*?)$/i.test(it))
  return isEveryProcess || isDaemon ? [{ kind: 'switch', what: 'killing the daemon' }] : []
}

function isBuiltinPrefix({ text }: Arg): boolean {
  return text === 'builtin' || text === 'command'
}

/** The folders that the shell is in after a command. */
function foldersAfter([first, ...args]: readonly Arg[], at: Cwds): Omit<StepResult, 'effects'> {
  if (first?.text === 'exit' && args.length <= 1 && /^\d+$/.test(args[0]?.text ?? (args[0] ? '' : '0')))
    return { onSuccess: [], onFailure: [] }
  const isBuiltin = first !== undefined && isBuiltinPrefix(first)
  const name = (isBuiltin ? args.find(it => !isBuiltinPrefix(it)) : first)?.text ?? ''
  // These run code in the current shell, which may change the folder.
  if (/^(?:eval|source|\.|trap|pushd|popd)$/.test(name) || (isBuiltin && name === 'cd'))
    return { onSuccess: null, onFailure: null }
  if (first?.text !== 'cd') return { onSuccess: at, onFailure: at }
  const to = args.length === 1 ? (args[0]?.text ?? null) : null
  if (to === null || to === '' || to.startsWith('-') || !at) return { onSuccess: null, onFailure: at }
  return {
    onSuccess: at.map(
      it => normalize(pathInFolder(it, to)).replace(/^\.\/?$|\/$/, '') || (to.startsWith('/') ? '/' : ''),
    ),
    onFailure: at,
  }
}
