import { fingerprint, type SafeText } from '../outgoing/safe-text.ts'

/**
 * What stays the same when a command fails twice for the same reason: a hash of the command and of the end of its
 * output, without what differs from run to run. `file:line` stays: an error that moved is another error. The salt keeps
 * others from trying texts.
 */
export function errorSignature(command: string, output: string, salt: string): SafeText {
  return fingerprint(`${command}\n${normalisedTail(output)}`, salt)
}

/** The end of an output without colours, times, durations, temporary paths, process ids, ports and hashes. */
export function normalisedTail(output: string): string {
  const text = VARYING.reduce((rest, [pattern, word]) => rest.replace(pattern, word), output.slice(-TAIL_CHARS_MAX))
  const lines = text.split('\n').map(it => it.trimEnd())
  return lines
    .filter(it => it !== '')
    .slice(-TAIL_LINES_MAX)
    .join('\n')
}

// node:test prints failures on stdout and vitest on stderr, so the output is both streams.
const TAIL_CHARS_MAX = 8_000
const TAIL_LINES_MAX = 60

// In this order: a colour hides the end of a word, and a date contains numbers.
const VARYING: readonly (readonly [RegExp, string])[] = [
  // eslint-disable-next-line no-control-regex
  [/\u001b\[[\d;?]*[A-Za-z]|\u001b\][^\u0007]*\u0007|\r/g, ''],
  [/\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?/g, '<time>'],
  [/\b\d{1,2}:\d{2}:\d{2}([.,]\d+)?\b/g, '<time>'],
  [/\b\d{1,2}:\d{2} ?[AP]M\b/gi, '<time>'],
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi, '<uuid>'],
  [/(\/private)?\/(tmp|var\/folders|var\/tmp|dev\/shm)\/[^\s'"`:),]*/g, '<tmp>'],
  [/[A-Z]:\\[^\s'"`]*\\Temp\\[^\s'"`:),]*/gi, '<tmp>'],
  [/\b(\d+h )?(\d+m )?\d+(\.\d+)? ?(ms|\u00b5s|us|ns|s|sec|secs|seconds?|min|minutes?)\b/g, '<duration>'],
  [/(\bduration_ms:? )\d+(\.\d+)?/g, '$1<duration>'],
  [/(\b(?:pid|process|thread)[ =:#]+)\d+/gi, '$1<pid>'],
  // Node prints `(node:1234)` before each of its warnings, many loggers `[1234]` at the start of a line.
  [/\((node|bun|deno):\d+\)/g, '($1:<pid>)'],
  [/^\[\d+\]/gm, '[<pid>]'],
  [/\b\d+(?= (?:Killed|Terminated|Aborted|Segmentation fault|Bus error|Floating point exception)\b)/g, '<pid>'],
  [/(\b(?:attempt|retry|try|round|iteration|seed)[ =:#]+)\d+/gi, '$1<number>'],
  [/\b\d+(\.\d+)?%/g, '<number>%'],
  [/\b(req|request|run|trace|span|msg|call|job|toolu)([_-])(?=[\w-]*\d)[A-Za-z\d]{8,}\b/g, '$1$2<id>'],
  [/((?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[?::1\]?|\bport):? ?)\d{2,5}\b/gi, '$1<port>'],
  [/\b0x[\da-f]+\b/gi, '<hex>'],
  [/\b(?=[\da-f]*\d)(?=[\da-f]*[a-f])[\da-f]{7,64}\b/g, '<hex>'],
  [/\b1[5-9]\d{11}\b/g, '<time>'],
  [/\b\d+\.\d{4,}\b/g, '<number>'],
]

/** True for a failure of the network, the provider or the disk, which says nothing about the work. */
export function isInfrastructureError(output: string): boolean {
  return INFRASTRUCTURE.test(output.slice(-TAIL_CHARS_MAX))
}

const INFRASTRUCTURE = new RegExp(
  [
    String.raw`\b(ECONNRESET|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)\b`,
    String.raw`\b(ENOSPC|EDQUOT|EMFILE)\b`,
    String.raw`\b(HTTP|status|error|code)[ :=/]*(429|50[234]|529)\b`,
    String.raw`\b(429 Too Many Requests|503 Service Unavailable|502 Bad Gateway)`,
    String.raw`\b(overloaded_error|rate.?limit(ed| exceeded))`,
  ].join('|'),
  'i',
)
