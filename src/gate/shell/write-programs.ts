import { basename } from 'node:path/posix'
import type { Target } from '../../agents/target.ts'
import { type Effect, opaqueEffects, writeEffects } from './effect.ts'
import { type OptionForm, type ParsedArguments, parseArguments } from './arguments.ts'
import { isDevice } from './redirects.ts'
import type { Arg } from './word.ts'

/** The effects of a program that writes the files it is given; null for any other program. */
export function writerEffects(name: string, args: readonly Arg[]): Effect[] | null {
  const writer = WRITE_PROGRAMS.get(name)
  if (!writer) return null
  const words = parseArguments(args, writer.form)
  if (words) return writer.effects(words)
  const unknown = args.filter(it => it.text === null)
  return [
    ...opaqueEffects(`${name} has options that kotef does not know`),
    ...unknown.flatMap(it => unknownFileEffects(it.source)),
  ]
}

type WriteProgram = { readonly form: OptionForm; readonly effects: (words: ParsedArguments) => Effect[] }

/** A write to each argument; one that is only known at run time is opaque. */
export function writeEffectsTo(args: readonly Arg[], more: Omit<Target, 'path'> = {}): Effect[] {
  return args.flatMap(({ text, source }) => {
    if (text === null) return unknownFileEffects(source)
    return isDevice(text) ? [] : writeEffects([text], more)
  })
}

// The known part of the source may still show that they are git's own.
function unknownFileEffects(source: string): Effect[] {
  const effects = opaqueEffects('it writes files whose names are only known when it runs')
  return /(?:^|[/"'])\.git(?:[/"']|$)/.test(source)
    ? [...effects, { kind: 'switch', what: "git's own files" }]
    : effects
}

const allOperands = ({ operands }: ParsedArguments) => writeEffectsTo(operands)
const hasOption = ({ options }: ParsedArguments, ...names: readonly string[]) =>
  options.some(([name]) => names.includes(name))

/** The sources and the destination of a copy: the value of `-t`, or the last operand. */
function destination(words: ParsedArguments): { readonly sources: readonly Arg[]; readonly to: Arg | null } {
  const target = words.options.find(([name]) => name === 't' || name === 'target-directory')?.[1]
  if (target !== undefined && target !== null)
    return { sources: words.operands, to: { text: target, isOperand: true, source: target } }
  return { sources: words.operands.slice(0, -1), to: words.operands.at(-1) ?? null }
}

function copyEffects(words: ParsedArguments): Effect[] {
  const { sources, to } = destination(words)
  if (!to || sources.length === 0) return []
  const into = sources.map(it => basename(it.text ?? ''))
  const isKnown = sources.every(it => it.text !== null)
  const isTree = hasOption(words, 'r', 'R', 'a', 'recursive', 'archive')
  const odd = isTree || !isKnown ? opaqueEffects('it copies files that are only known when it runs') : []
  return [...writeEffectsTo([to], { into: into.filter(it => it !== '' && it !== '.' && it !== '..') }), ...odd]
}

function moveEffects(words: ParsedArguments): Effect[] {
  return [...writeEffectsTo(destination(words).sources, { tree: true }), ...copyEffects(words)]
}

function linkEffects(words: ParsedArguments): Effect[] {
  const [only, ...others] = words.operands
  const isHere = only && others.length === 0 && !hasOption(words, 't', 'target-directory')
  const made = isHere && only.text !== null ? writeEffects([basename(only.text)]) : copyEffects(words)
  // A hard link lets the agent write the source by another name; a symbolic link whatever it leads to.
  if (!hasOption(words, 's', 'symbolic'))
    return [...writeEffectsTo(isHere ? [only] : destination(words).sources), ...made]
  return [...made, ...opaqueEffects('it makes a link')]
}

function installEffects(words: ParsedArguments): Effect[] {
  return hasOption(words, 'd', 'directory') ? writeEffectsTo(words.operands) : copyEffects(words)
}

const COPY_LONG_OPTIONS = [
  'recursive',
  'force',
  'verbose',
  'no-clobber',
  'archive',
  'update',
  'no-target-directory',
  'parents',
]
const TARGET_LONG_OPTIONS = ['target-directory', 'suffix']

const WRITE_PROGRAMS: ReadonlyMap<string, WriteProgram> = new Map<string, WriteProgram>([
  [
    'touch',
    { form: { flags: 'acfhm', values: 'rdt', longValues: ['reference', 'date', 'time'] }, effects: allOperands },
  ],
  [
    'mkdir',
    { form: { flags: 'pv', values: 'm', long: ['parents', 'verbose'], longValues: ['mode'] }, effects: allOperands },
  ],
  ['rmdir', { form: { flags: 'v', long: ['verbose'] }, effects: allOperands }],
  ['unlink', { form: { flags: '' }, effects: allOperands }],
  ['mkfifo', { form: { flags: '' }, effects: allOperands }],
  ['tee', { form: { flags: 'aip', long: ['append'] }, effects: allOperands }],
  ['truncate', { form: { flags: 'co', values: 'sr', longValues: ['size', 'reference'] }, effects: allOperands }],
  [
    'rm',
    {
      form: { flags: 'firRdvI', long: ['recursive', 'force', 'verbose', 'dir'] },
      effects: words => writeEffectsTo(words.operands, { tree: hasOption(words, 'r', 'R', 'recursive') }),
    },
  ],
  ...['chmod', 'chown', 'chgrp'].map((name): [string, WriteProgram] => [
    name,
    {
      form: { flags: 'cfvR', long: ['recursive', 'verbose'] },
      effects: words => writeEffectsTo(words.operands.slice(1), { tree: hasOption(words, 'R', 'recursive') }),
    },
  ]),
  [
    'cp',
    {
      form: { flags: 'abdfiHLnPprRuvxT', values: 'St', long: COPY_LONG_OPTIONS, longValues: TARGET_LONG_OPTIONS },
      effects: copyEffects,
    },
  ],
  [
    'mv',
    {
      form: { flags: 'bfinuvT', values: 'St', long: COPY_LONG_OPTIONS, longValues: TARGET_LONG_OPTIONS },
      effects: moveEffects,
    },
  ],
  [
    'ln',
    {
      form: {
        flags: 'sfnvirbLPT',
        values: 'St',
        long: [...COPY_LONG_OPTIONS, 'symbolic'],
        longValues: TARGET_LONG_OPTIONS,
      },
      effects: linkEffects,
    },
  ],
  [
    'install',
    {
      form: { flags: 'bCcDdpsvT', values: 'gmoSt', long: ['directory', 'verbose'], longValues: TARGET_LONG_OPTIONS },
      effects: installEffects,
    },
  ],
  ['rsync', { form: { flags: 'avrzuntpPh', long: ['archive', 'verbose', 'delete'] }, effects: rsyncEffects }],
])

function rsyncEffects(words: ParsedArguments): Effect[] {
  const to = words.operands.at(-1)
  return [...(to ? writeEffectsTo([to]) : []), ...opaqueEffects('it copies files that are only known when it runs')]
}
