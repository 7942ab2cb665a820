// Records `kotef demo` as docs/demo.svg: `npm run pictures` after each change of what the demo prints.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

const COLUMNS = 104
const ROWS = 26
const CHARACTER = 7.83
const LINE = 19
const PADDING = 18
const BAR = 30
// Seconds: a command is read before its output comes, and the last screen stays.
const COMMAND = 0.9
const OUTPUT = 0.06
const END = 4
// The first screen has what is set up, and the film ends with the answer.
const BEGIN = /^# The agent writes/
const REST = /^# Each write is a line of the ledger/

const printed = execFileSync(process.execPath, ['dist/main.cjs', 'demo'], { encoding: 'utf8' })
const all = printed.replaceAll(/\/[^\s]*?kotef-demo-[^/\s]*/g, '~').split('\n')
const begin = all.findIndex(it => BEGIN.test(it))
const end = all.findIndex(it => REST.test(it))
if (begin < 0 || end < 0) throw new Error('The demo has no place at which the film begins, or ends.')
const lines = all
  .slice(0, end)
  .join('\n')
  .trimEnd()
  .split('\n')
  .map(text => ({ text: shortened(text), kind: kindOf(text) }))

function shortened(text) {
  return text.length <= COLUMNS ? text : `${text.slice(0, COLUMNS - 1)}…`
}

function kindOf(text) {
  if (text.startsWith('# ')) return 'why'
  if (text.startsWith('$ ')) return 'command'
  if (/^kotef: commit stopped|^ {2}block|^[\d:]+ {2}violation/.test(text)) return 'refused'
  return 'output'
}

let now = 0
const shown = lines.map((line, row) => {
  const at = now
  if (row >= begin) now += line.kind === 'command' ? COMMAND : OUTPUT
  return { ...line, row, at }
})
const total = now + END
const percent = at => `${((at / total) * 100).toFixed(2)}%`
const escaped = text => text.replace(/[&<>"]/g, it => `&#${it.charCodeAt(0)};`)

// One animation for each line, and one that moves the lines up: no script runs in a picture.
const appears = shown.map(
  ({ row, at }) => `@keyframes l${row}{0%,${percent(at)}{opacity:0}${percent(at + 0.01)},100%{opacity:1}}`,
)
const offsets = shown.filter(it => it.row >= ROWS).map(({ row, at }) => [at, -(row - ROWS + 1) * LINE])
const steps = offsets.map(([at, y]) => `${percent(at)}{transform:translateY(${y}px)}`)
const last = offsets.at(-1)?.[1] ?? 0

const width = Math.ceil(COLUMNS * CHARACTER + 2 * PADDING)
const height = ROWS * LINE + 2 * PADDING + BAR
const texts = shown.map(({ text, kind, row }) => {
  const y = row * LINE + 14
  const body = kind === 'command' ? `<tspan class="prompt">$</tspan>${escaped(text.slice(1))}` : escaped(text)
  return `<text class="${kind} l${row}" y="${y}" style="animation-name:l${row}">${body}</text>`
})

writeFileSync(
  'docs/demo.svg',
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="kotef demo, recorded in a terminal">
<style>
text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#c9d1d9;white-space:pre;animation:${total.toFixed(1)}s linear infinite}
.command{fill:#f0f6fc;font-weight:600}.prompt{fill:#3fb950}.why{fill:#8b949e;font-style:italic}.refused{fill:#ff7b72}
.lines{animation:scroll ${total.toFixed(1)}s step-end infinite}
@keyframes scroll{0%{transform:translateY(0)}${steps.join('')}100%{transform:translateY(${last}px)}}
@media (prefers-reduced-motion:reduce){text{animation:none}.lines{animation:none;transform:translateY(${last}px)}}
${appears.join('\n')}
</style>
<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>
<g fill="#30363d"><circle cx="20" cy="17" r="5"/><circle cx="38" cy="17" r="5"/><circle cx="56" cy="17" r="5"/></g>
<svg x="${PADDING}" y="${BAR + PADDING / 2}" width="${width - 2 * PADDING}" height="${ROWS * LINE + PADDING}" overflow="hidden"><g class="lines">
${texts.join('\n')}
</g></svg>
</svg>
`,
)
