import { intentVerbs } from './intent/verbs.ts'
import { sessionVerbs } from './session/verbs.ts'
import { setupVerbs } from './setup/verbs.ts'
import { traceVerbs } from './trace/verbs.ts'
import { addRepeatableOption } from './options.ts'
import type { Verb } from './verb.ts'

/** Every verb, in the order of `kotef help`. */
export const verbs: readonly Verb[] = [
  ...setupVerbs,
  ...intentVerbs,
  ...sessionVerbs,
  {
    usage: 'watch',
    summary: 'record every write in this worktree, until Ctrl-C; the same as kotef-watch',
    example: 'npx kotef-watch',
    addOptions: command =>
      command
        .option('--detach', 'run in the background; returns when it is ready')
        .option('--stop', 'stop the one in the background')
        .option('--quiet', 'print problems only'),
    load: () => import('./watch.ts'),
  },
  {
    usage: 'status',
    summary: 'intent, session, daemon, ledger, and what is wrong with the tree',
    example: 'kotef status --json',
    load: () => import('./status.ts'),
  },
  ...traceVerbs,
  {
    usage: 'blame <file>',
    summary: 'for every line of a file: which intent wanted it, and who wrote it',
    example: 'kotef blame src/pay/refund.ts -L 10,20',
    addOptions: command =>
      addRepeatableOption(command, '-L <range>', 'only these lines, as for git blame').option(
        '--rev <revision>',
        'as of this revision',
      ),
    load: () => import('./blame.ts'),
  },
  {
    usage: 'verify [range]',
    summary: 'the last word on commits, by the policy from before them: for CI and for servers',
    example: 'kotef verify origin/main..HEAD',
    addOptions: command =>
      command
        .option('--staged', 'what is staged, as it would be judged before a commit')
        .option('--pre-receive', 'what a push brings, as git tells a hook on stdin')
        .option('--ci', 'what a pipeline of GitHub or GitLab runs for')
        .option('--require-trace', 'a line whose author no record knows is a finding')
        .option('--run-checks', 'run the checks of the intents that are cited')
        .option('--allow-empty', 'no commit at all is fine')
        .option('--format <format>', 'text, json, sarif or github', 'text')
        .option('--sarif', 'the same as --format sarif'),
    load: () => import('./verify.ts'),
  },
  {
    usage: 'why <file:line>',
    summary: 'everything about one line: the intent, its constraints and criteria, the session, the record, the commit',
    example: 'kotef why src/pay/refund.ts:14',
    load: () => import('./why.ts'),
  },
  {
    usage: 'show <intent>',
    summary: 'everything about one intent: its commits, its files, and which of its lines are there today',
    example: 'kotef show INT-001',
    load: () => import('./show.ts'),
  },
  {
    usage: 'stats',
    summary: 'how many lines were added, by intent, kind of author and model',
    example: 'kotef stats --since 2026-11-01 --json',
    addOptions: command => command.option('--since <time>', 'only commits from this time on (ISO 8601)'),
    load: () => import('./stats.ts'),
  },
  {
    usage: 'sync [remote]',
    summary: 'share with a remote who wrote which line: get its notes, unite them with those here, give it both',
    example: 'kotef sync origin',
    load: () => import('./sync.ts'),
  },
  {
    usage: 'finalise',
    summary: 'note on each new commit whom its lines are from; called by the daemon',
    example: 'kotef finalise',
    hidden: true,
    load: () => import('./finalise.ts'),
  },
  {
    usage: 'flush',
    summary: 'return when everything written before the call is in the ledger',
    example: 'kotef flush --timeout 5000',
    addOptions: command => command.option('--timeout <ms>', 'give up after this many milliseconds', '10000'),
    load: () => import('./flush.ts'),
  },
  {
    usage: 'context',
    summary: 'what an agent is told of its intent: constraints, scope, what is forbidden, files and recent history',
    example: 'kotef context --intent INT-001 --format md',
    addOptions: command =>
      command
        .option('--intent <id>', 'of this intent; without it, of the one that is worked on here')
        .option('--format <format>', 'xml, md or json', 'xml'),
    load: () => import('./context.ts'),
  },
  {
    usage: 'mcp',
    summary: 'the server of the Model Context Protocol by which an agent selects its intent, on stdin and stdout',
    example: 'claude mcp add kotef -- npx kotef mcp',
    load: () => import('./mcp.ts'),
  },
  {
    usage: 'agent-hook <agent>',
    summary: 'what an agent calls around each use of a tool, so that its writes are known to be its own',
    example: 'kotef agent-hook claude < payload.json',
    load: () => import('./agent-hook.ts'),
  },
  {
    usage: 'log',
    summary: 'commits with their intents, newest first',
    example: 'kotef log --intent INT-001',
    addOptions: command =>
      command.option('--limit <n>', 'at most this many', '20').option('--intent <id>', 'only those that cite it'),
    load: () => import('./log.ts'),
  },
  {
    usage: 'explain [code]',
    summary: 'the page of a failure or of a rule; without a code, the list of pages',
    example: 'kotef explain registry-invalid',
    load: () => import('./explain.ts'),
  },
  {
    usage: 'completion <shell>',
    summary: 'print the completion script for bash, zsh, fish or powershell',
    example: 'source <(kotef completion bash)',
    load: () => import('./completion.ts'),
  },
  {
    usage: 'complete [words...]',
    summary: 'suggest the end of a command line; called by the completion script',
    example: 'kotef complete -- intent start INT',
    hidden: true,
    load: async () => ({ run: (await import('./completion.ts')).suggestCompletions }),
  },
  {
    usage: 'demo',
    summary: 'the main job, step by step, in a temporary repository',
    example: 'npx kotef demo',
    load: () => import('./demo.ts'),
  },
]
