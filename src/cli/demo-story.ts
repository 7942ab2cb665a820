/** One step of the demo: the command a user types, its exit code, and the comment above it. */
export type Step = { readonly command: string; readonly code: number; readonly why?: string }

const step = (command: string, { code = 0, why }: { code?: number; why?: string } = {}): Step =>
  why === undefined ? { command, code } : { command, code, why }

/** The main job, from an empty repository to the ledger record of a line. README.md shows its output. */
export const STORY: readonly Step[] = [
  step('git init --quiet --initial-branch=main', { why: 'A new repository, governed by kotef.' }),
  step('kotef init --yes --hooks git'),
  step("kotef intent add --id INT-001 --name 'Refunds' --scope 'src/**' --constraint 'DO NOT store cards'"),
  step("git add -A && git commit --quiet -m 'adopt kotef' -m 'Governance: adopt kotef'"),
  step('kotef intent start INT-001 --agent aider', { why: 'Declare an agent that has no hooks of its own.' }),
  step('kotef-watch --detach'),
  step("mkdir -p src lib && printf 'export function refund(cents) {\\n  return -cents\\n}\\n' > src/refund.ts", {
    why: 'The agent writes one file inside its scope and one outside.',
  }),
  step("echo 'export const rate = 0.2' > lib/tax.ts"),
  step('kotef flush && kotef trace --limit 3', {
    why: 'Each write is a line of the ledger. The second is outside the scope, and is flagged.',
  }),
  step("git add -A && git commit -m 'Add refunds'", { code: 1, why: 'The commit is refused. Nothing is lost.' }),
  step("git reset --quiet lib && git commit --quiet -m 'Add refunds' && git log -1 --format='%s%n%n%b'", {
    why: 'Without that file the commit passes, and its message names the intent.',
  }),
  step("git log --format='%(trailers:key=Intent-ID,valueonly,separator=%x2C) %s'"),
  step('grep src/refund.ts .orchestration/agent_trace.jsonl', {
    why: 'What the ledger says about those lines: one Agent Trace record, on one line.',
  }),
  step('kotef trace verify && kotef watch --stop'),
]
