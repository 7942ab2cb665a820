import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'

/** A section that a Markdown artifact must have, and the headings by which it is known. */
export type WantedSection = { readonly name: string; readonly heading: RegExp }

const section = (name: string, heading: RegExp): WantedSection => ({ name, heading })

/** The sections of each Markdown artifact. */
export const WANTED_SECTIONS: Readonly<Record<'spec.md' | 'architecture.md' | 'report.md', readonly WantedSection[]>> =
  {
    'spec.md': [
      section('Goals', /^goals?\b/),
      section('Acceptance Criteria', /^acceptance criteria\b/),
      section('Definition of Done', /^definition of done\b/),
    ],
    'architecture.md': [
      section('Overview', /^overview\b/),
      section('Modules/components', /^(?:modules?|components?)\b/),
    ],
    'report.md': [
      section('What was done', /^(?:what was done|summary|changes)\b/),
      section('How to run', /^how to run\b/),
      section('How to test', /^how to test\b/),
      section('Known issues', /^known issues\b/),
    ],
  }

/** The sections that a document lacks, or has without content. Never throws. */
export function lackingSections(markdown: string, wanted: readonly WantedSection[]): WantedSection[] {
  const filled = filledHeadings(markdown.slice(0, CHARS_MAX))
  return wanted.filter(it => !filled.some(heading => it.heading.test(heading)))
}

// A heading without a text of its own has content when a heading below it has some.
function filledHeadings(markdown: string): string[] {
  const found: string[] = []
  let path: { readonly depth: number; readonly text: string }[] = []
  for (const node of fromMarkdown(markdown).children) {
    if (node.type === 'heading') {
      path = [...path.filter(it => it.depth < node.depth), { depth: node.depth, text: headingText(node) }]
    } else if (node.type !== 'html') found.push(...path.map(it => it.text))
  }
  return found
}

function headingText(node: Nodes): string {
  const texts: string[] = []
  const open: Nodes[] = [node]
  for (let it = open.pop(); it; it = open.pop()) {
    if ('value' in it) texts.push(it.value)
    if ('children' in it) open.push(...([...it.children].reverse() as Nodes[]))
  }
  return texts
    .join('')
    .replace(/^[\d.\s)]+/, '')
    .trim()
    .toLowerCase()
}

const CHARS_MAX = 1_048_576
