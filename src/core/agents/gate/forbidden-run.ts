import type { EnforcedConstraint } from '../../intents/contract/enforced-constraints.ts'
import type { ProgramRun } from './shell/program-runs.ts'

/** A command that a constraint forbids, and the constraint. */
export type ForbiddenRun = { readonly command: string; readonly constraint: EnforcedConstraint }

/** The first of some runs that a constraint forbids; `known` are the dependencies that there are. */
export function forbiddenRun(
  runs: readonly ProgramRun[],
  constraints: readonly EnforcedConstraint[],
  known: ReadonlySet<string>,
): ForbiddenRun | null {
  for (const constraint of constraints) {
    const { rule } = constraint
    if (rule.kind === 'commands') {
      const command = rule.commands.find(it => runs.some(run => isRunOf(run, it)))
      if (command !== undefined) return { command, constraint }
    }
    if (rule.kind !== 'no-new-dependencies') continue
    const name = runs.flatMap(addedPackages).find(it => !known.has(it))
    if (name !== undefined) return { command: `an installation of ${name}`, constraint }
  }
  return null
}

/**
 * True for a run of the program that a text names, with its words: the first ones in order, behind options or not, and
 * its options anywhere.
 */
function isRunOf([program, ...args]: ProgramRun, command: string): boolean {
  const [wanted = '', ...words] = command.trim().split(/\s+/)
  if (program !== wanted.replace(/^.*\//, '')) return false
  const options = words.filter(it => it.startsWith('-'))
  if (!options.every(it => hasOption(args, it))) return false
  const operands = words.filter(it => !it.startsWith('-'))
  let at = 0
  for (const word of operands) {
    while (at < args.length && args[at] !== word) {
      // An option may take the next word for its value.
      const isSkipped = args[at]?.startsWith('-') === true || args[at - 1]?.startsWith('-') === true
      if (!isSkipped) return false
      at += 1
    }
    if (at === args.length) return false
    at += 1
  }
  return true
}

// `rm -rf` is `rm -fr` and `rm -r -f` too.
function hasOption(args: ProgramRun, option: string): boolean {
  if (args.includes(option)) return true
  const letters = args.flatMap(it => (/^-[a-zA-Z]{1,4}$/.test(it ?? '') ? (it ?? '').slice(1).split('') : []))
  return (
    /^-[a-zA-Z]{1,4}$/.test(option) &&
    option
      .slice(1)
      .split('')
      .every(it => letters.includes(it))
  )
}

/** The packages that some runs add to manifests. */
export function packagesAddedBy(runs: readonly ProgramRun[]): string[] {
  return runs.flatMap(addedPackages)
}

/** The packages that a run of npm, pnpm, yarn or bun adds to a manifest. */
function addedPackages([program, ...args]: ProgramRun): string[] {
  const manager = MANAGERS.get(program ?? '')
  const isValue = (n: number) => manager?.withValue.has(args[n - 1] ?? '') === true
  const words = args.filter((it, n) => !isValue(n) && (it === null || !it.startsWith('-')))
  const [verb = null, ...operands] = words.slice(program === 'yarn' && words[0] === 'workspace' ? 2 : 0)
  const isElsewhere = args.some((it, n) => NOT_DECLARED.test(isValue(n) ? `${args[n - 1]}=${it}` : (it ?? '')))
  if (verb === null || !manager?.verbs.includes(verb) || isElsewhere) return []
  return operands.flatMap(it => (it === null ? [] : packageName(it)))
}

/** The verbs that add packages, and the options whose value is the next word. */
type Manager = { readonly verbs: readonly string[]; readonly withValue: ReadonlySet<string> }

const MANAGERS: ReadonlyMap<string, Manager> = new Map(
  Object.entries({
    npm: managerOf(
      'i in ins inst install add isntall install-test it',
      '-w --workspace -C --prefix --tag --omit --include --registry --loglevel --location --cache --userconfig ' +
        '--install-strategy --before --os --cpu --libc --script-shell --save-prefix',
    ),
    pnpm: managerOf('i install add', '-F --filter -C --dir --registry --loglevel --reporter --store-dir --tag'),
    yarn: managerOf('add', '--cwd --registry --network-timeout --modules-folder --cache-folder --mutex --tag'),
    bun: managerOf('i install add a', '-F --filter --cwd --registry --backend --omit --cache-dir'),
  }),
)

function managerOf(verbs: string, withValue: string): Manager {
  return { verbs: verbs.split(' '), withValue: new Set(withValue.split(' ')) }
}

// Such an installation changes no manifest.
const NOT_DECLARED = /^(?:-g|--global|--location=global|--no-save|--save=false|--dry-run)$/

// A name in the registry of npm, perhaps with a version; a path or an address has a name that is not known here.
function packageName(word: string): string[] {
  const [, name] = /^((?:@[\w.-]+\/)?[\w.-]+)(?:@.*)?$/.exec(word) ?? []
  return name === undefined || /^\.{1,2}$/.test(name) ? [] : [name]
}
