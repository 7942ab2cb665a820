import { Option } from 'commander'
import { exportVerbs } from './export/verbs.ts'
import { intentVerbs } from './intent/verbs.ts'
import { handoverVerbs } from './handover/verbs.ts'
import { meaningVerbs } from './meaning/verbs.ts'
import { lessonVerbs } from './lesson/verbs.ts'
import { runVerbs } from './runs/verbs.ts'
import { sessionVerbs } from './session/verbs.ts'
import { setupVerbs } from './setup/verbs.ts'
import { traceVerbs } from './trace/verbs.ts'
import { addRepeatableOption, type Verb } from './verb.ts'

/** Every verb, in the order of `kotef help`. */
export const verbs: readonly Verb[] = [
  ...setupVerbs,
  ...intentVerbs,
  ...sessionVerbs,
  ...runVerbs,
  ...lessonVerbs,
  ...handoverVerbs,
  ...meaningVerbs,
  {
    usage: 'watch',
    summary: 'record every write in this worktree until Ctrl-C; same as kotef-watch',
    example: 'kotef watch --detach',
    addOptions: command =>
      command
        .option('--detach', 'run in the background; returns when it is ready')
        .option('--stop', 'stop the daemon of this worktree')
        .option('--quiet', 'print problems only')
        .addOption(new Option('--auto', 'start it in the background where it may start itself').hideHelp())
        .addOption(new Option('--idle <ms>', 'end after this time without use').hideHelp()),
    load: () => import('./watch.ts'),
  },
  {
    usage: 'status',
    summary: 'show intent, session, daemon and ledger, and files outside the scope or missing from the ledger',
    example: 'kotef status --json',
    load: () => import('./status.ts'),
  },
  ...traceVerbs,
  ...exportVerbs,
  {
    usage: 'blame <file>',
    summary: 'show the intent and the author of each line of a file',
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
    summary: 'judge commits by the policy from before them, for CI and servers',
    example: 'kotef verify origin/main..HEAD',
    addOptions: command =>
      command
        .option('--staged', 'judge the index, as a commit would')
        .option('--pre-receive', 'judge a push, which git describes to a pre-receive hook on stdin')
        .option('--ci', 'judge the commits of a GitHub or GitLab pipeline')
        .option('--each', 'judge each commit by the policy of its own parent, as for a release')
        .option('--require-trace', 'report lines whose author no record names')
        .option('--refactor-only', 'refuse each change that is not layout, or proved to behave as before')
        .option('--run-checks', 'run the checks of the cited intents')
        .option('--allow-empty', 'accept a range without commits')
        .option('--format <format>', 'text, json, sarif or github', 'text')
        .option('--sarif', 'the same as --format sarif'),
    load: () => import('./verify.ts'),
  },
  {
    usage: 'report [range]',
    summary: 'report on commits for their review: findings, then each intent with its paths, authors and commits',
    example: 'kotef report origin/main..HEAD --format html >report.html',
    addOptions: command =>
      command
        .option('--ci', 'report on the commits of a GitHub or GitLab pipeline')
        .option('--comment', 'with --ci, keep one comment with the report on the pull or merge request')
        .option('--each', 'judge each commit by the policy of its own parent, as for a release')
        .option('--require-trace', 'report lines whose author no record names')
        .option('--run-checks', 'run the checks of the cited intents')
        .option('--refactor-only', 'refuse each change that is not layout, or proved to behave as before')
        .option('--allow-empty', 'accept a range without commits')
        .addOption(
          new Option('--format <format>', 'the form of the report').choices(['md', 'html', 'json']).default('md'),
        ),
    load: () => import('./report.ts'),
  },
  {
    usage: 'why <file:line>',
    summary: 'show everything about one line: intent, constraints, criteria, session, record, commit',
    example: 'kotef why src/pay/refund.ts:14',
    load: () => import('./why.ts'),
  },
  {
    usage: 'show <intent>',
    summary: 'show an intent, its commits and files, and how many of its lines HEAD still has',
    example: 'kotef show INT-001',
    load: async () => ({ run: (await import('./history.ts')).showIntentWork }),
  },
  {
    usage: 'stats [range]',
    summary: 'count the lines that commits added, by intent, kind of author, model and person',
    example: 'kotef stats origin/main..HEAD',
    addOptions: command =>
      command.option('--since <time>', 'only commits from this time on: a date, or as for git log'),
    load: async () => ({ run: (await import('./history.ts')).stats }),
  },
  {
    usage: 'sync [remote]',
    summary: 'share the notes about authorship with a remote: fetch its notes, merge, push the result',
    example: 'kotef sync origin',
    load: () => import('./sync.ts'),
  },
  {
    usage: 'finalise',
    summary: 'write the notes of new commits; called by the daemon',
    example: 'kotef finalise',
    hidden: true,
    addOptions: command =>
      command
        .option('--watched', 'a daemon that has just ended had recorded everything')
        .option('--judge', 'judge new commits, and print the records of broken rules; write no note')
        .option('--working', 'record the classes of uncommitted changes, and do nothing else')
        .option('--catalogue', 'extend the catalogue of the ledger, and do nothing else')
        .option('--map', 'make the map of HEAD, and do nothing else'),
    load: () => import('./finalise.ts'),
  },
  {
    usage: 'flush',
    summary: 'wait until every write from before the call is in the ledger',
    example: 'kotef flush --timeout 5000',
    addOptions: command =>
      command.option('--timeout <ms>', 'give up after this many milliseconds without progress', '10000'),
    load: () => import('./flush.ts'),
  },
  {
    usage: 'context',
    summary: 'print the context of an intent for an agent: constraints, scope, forbidden paths, files, recent history',
    example: 'kotef context --intent INT-001 --format md',
    addOptions: command =>
      command
        .option('--intent <id>', 'of this intent; by default, of the intent of the live sessions here')
        .option('--format <format>', 'xml, md or json', 'xml'),
    load: () => import('./context.ts'),
  },
  {
    usage: 'contract [id]',
    summary: 'show what the work on an intent is measured by: goal, constraints, checks; with a ticket, its lines too',
    example: 'kotef contract INT-001 --ticket docs/ticket.md',
    addOptions: command => command.option('--ticket <file>', 'a Markdown file with the goal, constraints and checks'),
    load: () => import('./contract.ts'),
  },
  {
    usage: 'check [id]',
    summary: "run an intent's checks on the files as they stand; a pass is kept while no file changes",
    example: 'kotef check INT-001',
    addOptions: command => command.option('--no-cache', 'run each check, also one that passed on the same files'),
    load: () => import('./check.ts'),
  },
  {
    usage: 'attest [id]',
    summary: 'say, as a person at a terminal, which criteria without a check the files as they are meet',
    example: 'kotef attest INT-001',
    load: () => import('./attest.ts'),
  },
  {
    usage: 'mine <paths...>',
    summary: 'say, as a person at a terminal, that you wrote what is not committed there, and no agent',
    example: 'kotef mine README.md',
    load: () => import('./mine.ts'),
  },
  {
    usage: 'select <id>',
    summary: 'select an intent for the session of an agent, and print its context; for agents without MCP',
    example: 'kotef select INT-001 --session "$SESSION" --agent aider',
    addOptions: command =>
      command
        .option('--session <id>', "the agent's own id of its run")
        .option('--agent <name>', 'its name', 'generic')
        .option('--model <model>', 'the model that it uses')
        .option('--role <agent>', 'its role in a session of the handover, such as Coder')
        .option('--handover <session>', 'that session; by default the only one that is open')
        .option('--dispatch <file>', 'take role and session from this message to the agent'),
    load: () => import('./select.ts'),
  },
  {
    usage: 'mcp',
    summary: 'serve the Model Context Protocol on stdin and stdout, for agents to select their intent',
    example: 'claude mcp add kotef -- kotef mcp',
    load: () => import('./mcp.ts'),
  },
  {
    usage: 'lsp',
    summary: 'serve the Language Server Protocol on stdin and stdout, for editors to show scope, intent and author',
    example: 'kotef lsp',
    addOptions: command =>
      command.addOption(new Option('--stdio', 'the default; editors add it by themselves').hideHelp()),
    load: () => import('./lsp.ts'),
  },
  {
    usage: 'ui',
    summary: 'show intents, sessions, writes, authors and findings as pages in the browser, live and read-only',
    example: 'kotef ui',
    addOptions: command =>
      command
        .option('--port <port>', 'listen on this port; by default, on any free one')
        .option('--no-open', 'print the address, and open no browser')
        .option('--kill', 'stop the server of this worktree')
        .option('--export <folder>', 'write the pages as files, for an archive or a site'),
    load: () => import('./ui.ts'),
  },
  {
    usage: 'agent-hook <agent>',
    summary: 'answer the hook of an agent around each use of a tool, so that its writes are attributed to it',
    example: 'kotef agent-hook claude < payload.json',
    load: () => import('./agent-hook.ts'),
  },
  {
    usage: 'log [range]',
    summary: 'list commits with their intents, newest first',
    example: 'kotef log origin/main..HEAD --intent INT-001',
    addOptions: command =>
      command.option('--limit <n>', 'at most this many', '20').option('--intent <id>', 'only commits that cite it'),
    load: async () => ({ run: (await import('./history.ts')).log }),
  },
  {
    usage: 'explain [code]',
    summary: 'print the page about an error or a rule; without a code, the list of pages',
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
    summary: 'play the main job, step by step, in a temporary repository',
    example: 'kotef demo',
    load: () => import('./demo.ts'),
  },
]
