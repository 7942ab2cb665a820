import { type Command, Option } from 'commander'
import { addRepeatableOption, type Verb } from '../verb.ts'

/** The verbs of intents and their scopes. */
export const intentVerbs: readonly Verb[] = [
  {
    usage: 'intent add',
    summary: 'add an intent, PENDING; without --id it gets the next free number',
    example: "kotef intent add --name 'JWT migration' --scope 'src/auth/**' --check 'npm test'",
    addOptions: command => addCommitOption(addFieldOptions(command.option('--id <id>', 'such as INT-001'))),
    load: async () => ({ run: (await import('./change.ts')).add }),
  },
  {
    usage: 'intent list',
    summary: 'list all intents; * marks those with a session in this worktree',
    example: 'kotef intent list --format yaml',
    addOptions: command =>
      command.addOption(
        new Option('--format <format>', 'yaml: the registry itself, with live statuses').choices(['text', 'yaml']),
      ),
    load: async () => ({ run: (await import('./show.ts')).listAllIntents }),
  },
  {
    usage: 'intent show <id>',
    summary: 'show one intent, and its sessions in this worktree',
    example: 'kotef intent show INT-001',
    load: async () => ({ run: (await import('./show.ts')).showIntent }),
  },
  {
    usage: 'intent edit <id>',
    summary: 'replace fields of an intent; --add-scope and --remove-scope change single globs',
    example: "kotef intent edit INT-001 --add-scope 'src/session/**'",
    addOptions: command => {
      addRepeatableOption(addCommitOption(addFieldOptions(command)), '--add-scope <glob>', 'add a glob to its scope')
      return addRepeatableOption(command, '--remove-scope <glob>', 'take a glob out of its scope')
    },
    load: async () => ({ run: (await import('./change.ts')).edit }),
  },
  {
    usage: 'intent start <id>',
    summary: 'start to work on an intent in this worktree, or declare an agent without hooks that does',
    example: 'kotef intent start INT-001 --agent aider',
    addOptions: command =>
      command
        .option('--agent <name>', 'the author of all changes in the scope from now on')
        .option('--model <model>', 'the model that this agent uses')
        .option('--steal', 'take the claim from the session that holds it'),
    load: () => import('./start.ts'),
  },
  {
    usage: 'intent block <id>',
    summary: 'stop working on an intent until something else happens',
    example: "kotef intent block INT-001 --reason 'waits for the new key'",
    addOptions: addReasonOption,
    load: async () => ({ run: (await import('./change.ts')).blockOrAbandon('BLOCKED') }),
  },
  {
    usage: 'intent complete <ids...>',
    summary: 'run the checks of intents, and complete them when all criteria are met',
    example: 'kotef intent complete INT-001 --attest',
    addOptions: command =>
      addReasonOption(command).option('--attest', 'attest that every criterion without a check is met'),
    load: async () => ({ run: (await import('./change.ts')).complete }),
  },
  {
    usage: 'intent abandon <id>',
    summary: 'give up an intent for good',
    example: "kotef intent abandon INT-001 --reason 'one with the search' --successor INT-004",
    addOptions: command =>
      addReasonOption(command).option(
        '--successor <id>',
        'the intent that goes on with its work: `kotef show` names it',
      ),
    load: async () => ({ run: (await import('./change.ts')).blockOrAbandon('ABANDONED') }),
  },
  {
    usage: 'intent reopen <id>',
    summary: 'open a completed intent again, for a reason',
    example: "kotef intent reopen INT-001 --reason 'fails on CRLF' --commit",
    addOptions: addReasonOption,
    load: async () => ({ run: (await import('./change.ts')).reopen }),
  },
  {
    usage: 'intent renumber <id> [new-id]',
    summary: 'give an intent another id, also in the commits that cite it and are not pushed',
    example: 'kotef intent renumber INT-005 --commit',
    addOptions: command =>
      addCommitOption(command.option('--range <range>', 'the commits whose trailers change; without it, all of them')),
    load: () => import('./renumber.ts'),
  },
  {
    usage: 'intent split',
    summary: 'move each intent of the list into a file of its own, so that branches of a team do not conflict',
    example: 'kotef intent split --commit',
    addOptions: addCommitOption,
    load: async () => ({ run: (await import('./change.ts')).split }),
  },
  {
    usage: 'scope <path...>',
    summary: 'show which intents own a path, and by which glob, or why none does',
    example: 'kotef scope src/auth/jwt.ts',
    load: () => import('../scope.ts'),
  },
]

function addReasonOption(command: Command): Command {
  return addCommitOption(command.option('--reason <text>', 'why; the ledger records it'))
}

function addCommitOption(command: Command): Command {
  return command.option('--commit', 'commit the registry at once, with `Governance:`')
}

/** Adds the flags for an intent's fields, for `intent add` and `intent edit`. */
function addFieldOptions(command: Command): Command {
  command.option('--name <text>', 'its name').option('--description <text>', 'one paragraph')
  addRepeatableOption(command, '--scope <glob>', 'paths it may change; `!glob` excludes paths')
  addRepeatableOption(command, '--constraint <text>', 'a rule for the work on it')
  addRepeatableOption(command, '--criterion <text>', 'an acceptance criterion that a person attests')
  addRepeatableOption(command, '--check <command>', 'a command that must exit with 0 before completion')
  addRepeatableOption(command, '--non-goal <text>', 'something it does not include')
  addRepeatableOption(command, '--spec <url>', 'a related specification')
  addRepeatableOption(command, '--depends-on <id>', 'an intent to complete first')
  return command
    .option('--appetite <size>', 'Small, Batch or Big')
    .option('--kind <kind>', 'refactor: its commits may not change behaviour')
    .option('--no-kind', 'of no kind any more')
    .option('--standing', 'for chores: never completed, serves small commits of people')
    .option('--no-standing', 'for work, as any other')
    .option('--limit-files <n>', 'of a standing intent: the most paths of a commit')
    .option('--limit-lines <n>', 'of a standing intent: the most lines added and removed by a commit')
}
