import { basename } from 'node:path/posix'
import type { Target } from '../../tool-targets.ts'
import { type Effect, opaqueEffects, writeEffects } from './effect.ts'
import {
  type Arg,
  hasOption,
  mayBeSeveral,
  type OptionForm,
  optionValues,
  type ParsedArguments,
  parseArguments,
} from './arguments.ts'

/** The effects of a program that writes the files it is given; null for any other program. */
export function writerEffects(name: string, args: readonly Arg[]): Effect[] | null {
  const [form, effectsOf] = WRITE_PROGRAMS.get(name) ?? []
  if (form === undefined || !effectsOf) return null
  const words = parseArguments(args, form)
  if (words)
    return [...effectsOf(words), ...backupEffects(words), ...(REPLACES.test(name) ? replacedDevices(args) : [])]
  const unknown = args.filter(it => it.text === null)
  return [
    ...opaqueEffects(`${name} has options that kotef does not know`),
    ...unknown.flatMap(it => unknownFileEffects(it.source)),
  ]
}

/** The copies that programs keep of what they write over. */
function backupEffects(words: ParsedArguments): Effect[] {
  return hasOption(words, 'b', 'S', 'suffix') ? opaqueEffects('it keeps a copy of what was there') : []
}

// These take a file's name away, or change its mode; all others write into it.
const REPLACES = /^(?:rm|rmdir|unlink|mv|ln|install|chmod|chown|chgrp|rsync)$/

/** A device stores nothing that is written into it, but it can be replaced and removed. */
export function replacedDevices(paths: readonly Arg[]): Effect[] {
  return paths.some(it => it.text?.startsWith('/dev/')) ? opaqueEffects('it replaces or changes a device') : []
}

type WriteProgram = readonly [form: OptionForm, effects: (words: ParsedArguments) => Effect[]]

/** A write to each argument; one that is only known at run time is opaque. */
export function writeEffectsTo(args: readonly Arg[], more: Omit<Target, 'path'> = {}): Effect[] {
  return args.flatMap(({ text, source }) => (text === null ? unknownFileEffects(source) : writeEffects([text], more)))
}

/** The name of a file, as an argument. */
export function fileArg(text: string | null): Arg {
  return { text, isOperand: true, source: text ?? '' }
}

// The known part of the source may still show that they are git's own.
function unknownFileEffects(source: string): Effect[] {
  const effects = opaqueEffects('it writes files whose names are only known when it runs')
  return /(?:^|[/"'])\.git(?:[/"']|$)/.test(source)
    ? [...effects, { kind: 'switch', what: "git's own files" }]
    : effects
}

const allOperands = ({ operands }: ParsedArguments) => writeEffectsTo(operands)
/** The sources and the destination of a copy: the value of `-t`, or the last operand. */
function destination(words: ParsedArguments): { readonly sources: readonly Arg[]; readonly to: Arg | null } {
  const [target] = optionValues(words, 't', 'target-directory')
  if (target !== undefined) return { sources: words.operands, to: fileArg(target) }
  return { sources: words.operands.slice(0, -1), to: words.operands.at(-1) ?? null }
}

function copyEffects(words: ParsedArguments): Effect[] {
  const { sources, to } = destination(words)
  if (to && sources.length === 0 && mayBeSeveral(to)) return unknownFileEffects(to.source)
  if (!to || sources.length === 0) return []
  const into = sources.map(it => basename(it.text ?? ''))
  const isKnown = sources.every(it => it.text !== null)
  // With the folders of a source, `..` in its name leads out of the destination.
  const isTree = hasOption(words, 'r', 'R', 'a', 'd', 'P', 'recursive', 'archive', 'parents')
  const odd = isTree || !isKnown ? opaqueEffects('it copies files that are only known when it runs') : []
  return [...writeEffectsTo([to], { into: into.filter(it => it !== '' && it !== '.' && it !== '..') }), ...odd]
}

function moveEffects(words: ParsedArguments): Effect[] {
  return [
    ...writeEffectsTo(destination(words).sources, { tree: true, removes: true }),
    ...copyEffects(words),
    ...movedEffects(words),
  ]
}

// What is moved, or linked to, may be a symbolic link.
function movedEffects(words: ParsedArguments): Effect[] {
  const path = destination(words).to?.text ?? null
  return path === null ? [] : [{ kind: 'moved', path }]
}

function linkEffects(words: ParsedArguments): Effect[] {
  const [only, ...others] = words.operands
  const isHere = only && others.length === 0 && !hasOption(words, 't', 'target-directory')
  const here = isHere && only.text !== null ? basename(only.text) : null
  const made = here === null ? [...copyEffects(words), ...movedEffects(words)] : writeEffects([here])
  // By a hard link the source can be written under another name, and by a symbolic link the file that it leads to.
  if (!hasOption(words, 's', 'symbolic'))
    return [...writeEffectsTo(isHere ? [only] : destination(words).sources), ...made]
  return [...made, ...opaqueEffects('it makes a link')]
}

function installEffects(words: ParsedArguments): Effect[] {
  return hasOption(words, 'd', 'directory') ? writeEffectsTo(words.operands) : copyEffects(words)
}

const TARGET_OPTIONS = '--target-directory= --suffix='
const COPY_OPTIONS =
  '--recursive --force --verbose --no-clobber --archive --update --no-target-directory --parents ' + TARGET_OPTIONS

const WRITE_PROGRAMS: ReadonlyMap<string, WriteProgram> = new Map<string, WriteProgram>([
  ['touch', ['acfhmr:d:t: --reference= --date= --time=', allOperands]],
  ['mkdir', ['pvm: --parents --verbose --mode=', ({ operands }) => writeEffectsTo(operands, { folder: true })]],
  ['rmdir', ['v --verbose', allOperands]],
  ['unlink', ['', ({ operands }) => writeEffectsTo(operands, { removes: true })]],
  ['mkfifo', ['', allOperands]],
  ['mknod', ['m: --mode=', ({ operands }) => writeEffectsTo(operands.slice(0, 1))]],
  ['tee', ['aip --append', allOperands]],
  ['truncate', ['cos:r: --size= --reference=', allOperands]],
  [
    'rm',
    ['firRdvI --recursive --force --verbose --dir', words => treeEffects(words, words.operands, { removes: true })],
  ],
  ...['chmod', 'chown', 'chgrp'].map((name): [string, WriteProgram] => [
    name,
    [
      'cfvR --recursive --verbose',
      words =>
        treeEffects(
          words,
          words.operands.filter((it, i) => i > 0 || mayBeSeveral(it)),
        ),
    ],
  ]),
  ['cp', [`abdfiHLnPprRuvxTS:t: ${COPY_OPTIONS}`, copyEffects]],
  ['mv', [`bfinuvTS:t: ${COPY_OPTIONS}`, moveEffects]],
  ['ln', [`sfnvirbLPTS:t: --symbolic ${COPY_OPTIONS}`, linkEffects]],
  ['install', [`bCcDdpsvTg:m:o:S:t: --directory --verbose ${TARGET_OPTIONS}`, installEffects]],
  ['rsync', ['avrzuntpPh --archive --verbose --delete', rsyncEffects]],
])

function treeEffects(words: ParsedArguments, paths: readonly Arg[], more: Omit<Target, 'path'> = {}): Effect[] {
  return writeEffectsTo(paths, { tree: hasOption(words, 'r', 'R', 'recursive'), ...more })
}

function rsyncEffects(words: ParsedArguments): Effect[] {
  const to = words.operands.at(-1)
  return [...(to ? writeEffectsTo([to]) : []), ...opaqueEffects('it copies files that are only known when it runs')]
}
