import { forEachChild, type SyntaxNode } from 'unbash'
import type { Effect } from './effect.ts'

/** The text of a part of a command line: each word as spelled, and without its quotes. */
export function nodeText(node: SyntaxNode): string {
  if (node.type === 'HereDocBody') return node.text
  const texts = node.type === 'Word' ? [node.text, node.value] : node.type === 'Assignment' ? [node.text] : []
  if (node.type !== 'Word')
    forEachChild(node, child => {
      texts.push(nodeText(child))
    })
  return texts.join(' ')
}

/** The parts of governance that the text of an opaque command mentions: it may be about to switch them off. */
export function governanceMentions(text: string): Effect[] {
  return MENTIONS.flatMap(([what, pattern]) => (pattern.test(text) ? [{ kind: 'switch' as const, what }] : []))
}

const HOOK_SETTING =
  /\bhook\.(?:kotef-[\w-]+|(?:pre|post|commit|prepare|applypatch|reference)-[\w-]+)\.(?:enabled|event|command)\b/i

const MENTIONS: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['git without its hooks', /--no-veri|\bgit\s+commit\s(?:[^\n;|&]{0,200}\s)?-[aqsv]*n[aqsvm]*\b/],
  ['core.hooksPath', /core\.?hooks_?path|\bhooksPath\b/i],
  ['GIT_CONFIG', /\bGIT_CONFIG/],
  ['the variable KOTEF', /\bKOTEF\b['"\]]*\s*[=:,]+\s*['"]?(?:0|false|off)\b/],
  ["git's hooks in its settings", HOOK_SETTING],
  ['the variable HUSKY', /\bHUSKY\b['"\]]*\s*[=:,]+\s*['"]?(?:0|false|off)\b/],
  ["git's own files", /\.git\/+(?:hooks|config|kotef|info)\b|\.gitconfig\b/],
  ["git's own files", /\brev-parse\s[^\n;|&]{0,200}--(?:absolute-)?git-(?:common-)?(?:dir|path)\b/],
  [
    "an agent's hooks",
    /\.(?:claude|codex|cursor|gemini|opencode|husky|kilo|clinerules)\/|\.github\/hooks|\.mcp\.json|disableAllHooks/,
  ],
  ["kotef's refs", /refs\/kotef|notes\/kotef|notes\s+--ref[= ]kotef/],
  [
    'a command of kotef for persons',
    /(?:kotef\S{0,200}|main\.c?js)['"\s,]+(?:-[-\w=]*['"\s,]+)*(?:uninit|approve|trace\W+close|(?:watch\W+)?--stop)\b/,
  ],
  ['a command of kotef for persons', /(?:kotef\S{0,200}|main\.c?js)['"\s,]+(?:agent-hook|attest|mine|session\W+end)\b/],
  ['a command of kotef for persons', /\bintent['"\s,]+(?:start|complete|abandon|block|reopen)['"\s,]+INT-/],
  ['killing the daemon', /\b(?:kill|pkill|killall|SIGTERM|SIGKILL)\b.{0,200}kotef|kotef.{0,200}\bp?kill(?:all)?\b/is],
  ['the registry', /\.orchestration\/+(?:active_intents|config)\.yaml/],
]
