import type { Random } from '../rig/random.ts'

/** What is put into an expansion: lines to run, some of which write. */
export type Commands = { readonly random: Random; readonly reading: () => string; readonly writing: () => string }

/** An expansion of the shell with others in it, at most `depth` deep; many are wrong in one shell or another. */
export function expansionOf(commands: Commands, depth: number): string {
  const { random } = commands
  const inner = () => wordOf(commands, depth - 1)
  const name = random.pick(NAMES)
  return random.pick<() => string>([
    () => `\${${name}}`,
    ...repeated(4, () => `\${${name}${random.pick(OPERATORS)}${inner()}}`),
    ...repeated(
      4,
      () => `\${${name}${random.pick(['/', '//', '/#', '/%'])}${inner()}${random.pick(['/', ''])}${inner()}}`,
    ),
    ...repeated(2, () => `\${${name}[${inner()}]${random.pick(['', '', ':-x', '/a/b'])}}`),
    () => `\${${name}:${inner()}${random.pick(['', ':1', `:${inner()}`])}}`,
    () => `\${${random.pick(FLAGS_BEFORE)}${name}${random.pick(['', '@Q', '@P', '*', '@'])}}`,
    ...repeated(3, () => `$(${scriptOf(commands, depth)})`),
    () => `\`${scriptOf(commands, depth)}\``,
    ...repeated(2, () => `${random.pick(['<', '>', '='])}(${scriptOf(commands, depth)})`),
    ...repeated(2, () => `$((${random.pick(['1 + ', '', 'x = ', 'PATH = '])}${inner()}))`),
    () => `$[${inner()}]`,
    () => `\${ ${scriptOf(commands, depth)}; }`,
    ...repeated(3, () => `"${inner()}"`),
    ...repeated(2, () => `'${inner()}'`),
    () => `$'${inner()}'`,
    () => `$${name}${random.pick(['', `[${inner()}]`, ':h', ':t'])}`,
    () => `{${inner()},${inner()}}`,
  ])()
}

/** A format of `printf` with arguments: some formats set a variable, and some compute a number. */
export function printfArguments({ random }: Commands): string {
  const directive = () => `%${random.pick(FLAGS)}${random.pick(['n', 'n', 's', 'd', 'x', 'b', 'q', 'c', '', '(%s)T'])}`
  const format = `${random.pick(['12345', 'ab', ''])}${directive()}${random.pick(['', 'x', directive()])}`
  const name = () => random.pick([...VARIABLES, 'PATH=5', 'HOME=5', '1', '"$x"', 'a[PATH=5]'])
  const quoted = random.pick([
    `'${format}'`,
    `"${format}"`,
    format.replaceAll('%', random.pick(['\\u0025', '\\x25', '%'])),
  ])
  return [quoted, ...Array.from({ length: random.below(4) }, name)].join(' ')
}

/** The name of a variable, mostly one that shells or programs read. */
export const VARIABLES = [
  'PATH',
  'HOME',
  'IFS',
  'ENV',
  'BASH_ENV',
  'ZDOTDIR',
  'GIT_DIR',
  'PS4',
  'path',
  'x',
  'SECONDS',
  'file',
]

// Of a variable without a value, a shell expands no pattern.
const NAMES = [...repeated(6, 'PWD'), ...repeated(6, 'HOME'), 'x', 'a', '@', '1', '#', '?']
const OPERATORS = [
  ':-',
  '-',
  ':=',
  '=',
  ':+',
  '+',
  ':?',
  '#',
  '##',
  '%',
  '%%',
  '^',
  '^^',
  ',',
  ',,',
  '@',
  ':',
  '::=',
  ':#',
]
const FLAGS_BEFORE = ['!', '#', '=', '~', '^', '+', '(e)', '(P)', '']
const ENDS = ['/', '}', ']', ':', '"', "'", '\\)', '#']
const FLAGS = ['', '', '5', '-', '*', '.3', '1$', '5$', 'h', 'll', '#', '.*', '0']
const CHARACTERS = [
  '/',
  '}',
  '{',
  ')',
  '(',
  ';',
  "'",
  '"',
  '\\',
  ']',
  '[',
  '#',
  ' ',
  '`',
  '$',
  '&',
  '\n',
  ':',
  '*',
  '!',
  '~',
  '\\\n',
]
const TEXTS = [
  'a',
  'x',
  '/',
  '$(ls /; ',
  'ls }; ',
  '[$(',
  'a[',
  '*(e:',
  '1',
  '=5',
  'PATH=5',
  '{a,b}',
  ' #',
  "'}'",
  '"}"',
  '\\}',
]

function wordOf(commands: Commands, depth: number): string {
  const { random } = commands
  const piece = (): string =>
    random.pick<() => string>([
      ...repeated(3, () => (depth > 0 ? expansionOf(commands, depth) : 'a')),
      ...repeated(2, () => random.pick(TEXTS)),
      ...repeated(4, () => closedEarly(commands)),
      () => random.pick(CHARACTERS),
      () => `${random.pick(['; ', '', ' | ', '\n', '/; ', '}; '])}${commands.writing()}`,
    ])()
  return Array.from({ length: random.below(4) }, piece).join('')
}

/** A substitution that writes behind a character at which a parser may take it for ended. */
function closedEarly({ random, writing }: Commands): string {
  const begin = `${random.pick(['ls', 'pwd', 'cat README.md'])} ${random.pick(ENDS)}`
  const script = `${begin}${random.pick(['; ', '\n', ' | ', ' && '])}${writing()}`
  return random.pick([
    `$(${script})`,
    `$(${script})`,
    `\`${script}\``,
    `<(${script})`,
    `"$(${script})"`,
    `$(${writing()})}]`,
  ])
}

function scriptOf(commands: Commands, depth: number): string {
  const { random, reading, writing } = commands
  const word = () => wordOf(commands, depth - 1)
  return random.pick<() => string>([
    ...repeated(3, reading),
    ...repeated(3, () => `echo ${word()}`),
    ...repeated(2, () => `ls /; ${writing()}`),
    () => `ls }; ${writing()}`,
    () => `case x in ${random.pick(['(', ''])}x) ${reading()};; y) ${writing()};; esac`,
    () => `cat <<E\n${word()}\nE\n`,
    () => `# ${word()}\n${reading()}`,
    () => `${reading()} # ) ${writing()}\n`,
    () => `<${random.pick(['README.md', word()])}`,
    writing,
  ])()
}

function repeated<T>(count: number, item: T): T[] {
  return Array.from({ length: count }, () => item)
}
