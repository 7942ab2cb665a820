/** How an answer is read: lines with their authors, a list of what happened, or sentences with a verdict. */
export type LineKind = 'blame' | 'list' | 'verdict'

/** A line with the colours of a terminal: verdicts, commits as in git, intents, agents. Its words say the same. */
export function paintLine(line: string, kind: LineKind): string {
  if (kind === 'list') return paintList(line)
  if (kind === 'verdict')
    return paintIds(VERDICTS.reduce((text, [colour, words]) => paintAll(text, words, colour), line))
  const [head = ''] = /^.*?\d\) /.exec(line) ?? []
  return `${paintList(head)}${line.slice(head.length)}`
}

function paintList(text: string): string {
  const withAgents = paintAll(paintIds(text), /\bai\b(?= [\w.-]| *$|\s{2})/g, 'magenta')
  return paintAll(withAgents, /^ *(?:violation|block)\b|(?<=^[\d:]{8} +)violation\b/, 'red')
}

function paintIds(text: string): string {
  const withOids = paintAll(text, /(?<=^ *|\bcommit +|\.\.|\()[0-9a-f]{10}(?![0-9a-f])/g, 'yellow')
  return paintAll(withOids, /\b[A-Z][A-Z0-9]*-\d+\b/g, 'cyan')
}

type Colour = keyof typeof CODES

/** The words of a verdict: at the beginning of a line, or at the place that a sentence of kotef has for them. */
const VERDICTS: readonly (readonly [Colour, RegExp])[] = [
  ['red', /(?<=^ *)(?:block|problem|wrong|failed|timeout|error|stopped|damaged|violation)(?= )/],
  ['yellow', /(?<=^ *)(?:warn|review|note|stale|conflict|request)(?= )/],
  ['green', /(?<=^ *)(?:ok|fixed|passed)(?= )/],
  // What became of a commit, a merge or a push.
  ['red', /(?<=^kotef: \w+ )stopped(?=, )|(?<=^push {5})will be stopped/],
  ['yellow', /(?<=^kotef: \w+ )goes through for review(?=, )|(?<=^push {5})is not stopped/],
  ['red', /(?<=[:,] )[1-9]\d* problems?(?=[.,]|$)/],
  ['yellow', /(?<=[:,] )[1-9]\d* things? to look at(?=[.,]|$)/],
  ['green', /(?<= (?:commits?|staged) )judged(?=(?:; [^,]*)?\.$)/],
  // Checks, and the contract of a handover.
  ['green', /(?<=: \d+ checks? )passed(?=\.$)|(?<=: )keeps to the contract(?=\.$)/],
  ['red', /(?<=: \d+ of \d+ checks? )did not pass(?=\.$)/],
  // Who owns a path, and the status of an intent.
  ['green', /(?<=^ {2}\S+ {2}\S+ {2})owns it(?= by )/],
  ['red', /(?<=^ {2}\S+ {2}\S+ {2})(?:excludes it|closed)(?=:? )/],
  ['yellow', /(?<=^ {2})no owner(?=: )/],
  ['green', /(?<=^[* ]? ?[\w-]+ +)COMPLETED(?= )/],
  ['red', /(?<=^[* ]? ?[\w-]+ +)BLOCKED(?= )/],
  ['yellow', /(?<=^[* ]? ?[\w-]+ +)IN_PROGRESS(?= )/],
  // What is not as it should be in a worktree, and its sessions.
  ['yellow', /^(?:not in the ledger|outside (?:the|every) intent)(?=:$)|(?<=^daemon {3})not running/],
  ['yellow', /(?<=; )(?:its process is gone|stale)(?=$|: )/],
  // How a run of an agent stands.
  ['green', /(?<=^\S+ {2}[\w-]+ {2})(?:running|done)(?=[,:]|$)/],
  ['yellow', /(?<=^\S+ {2}[\w-]+ {2})(?:paused|done in part)(?=[,:]|$)/],
  ['red', /(?<=^\S+ {2}[\w-]+ {2})stopped(?=[,:]|$)/],
]

const CODES = { red: 31, green: 32, yellow: 33, magenta: 35, cyan: 36 } as const

function paintAll(text: string, words: RegExp, colour: Colour): string {
  return text.replace(words, it => `\u001B[${CODES[colour]}m${it}\u001B[39m`)
}
