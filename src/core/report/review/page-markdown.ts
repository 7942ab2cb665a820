import { markdownCode, singleLine } from '../../base/markup.ts'
import {
  limitedTo,
  type PageBlock,
  type PageLimits,
  type PageLine,
  type PagePart,
  type PagePoint,
  partWords,
} from './page.ts'

/** A page as Markdown of GitHub and GitLab; each text from a repository is a code span. */
export function pageMarkdown(blocks: readonly PageBlock[], limits: PageLimits): string {
  return blocks.map(it => blockMarkdown(it, limits)).join('\n\n')
}

function blockMarkdown(block: PageBlock, limits: PageLimits): string {
  switch (block.kind) {
    case 'heading':
      // A comment is a part of a page of the forge, which has larger headings itself.
      return `${'#'.repeat(block.level + 2)} ${lineMarkdown(block.line, limits)}`
    case 'paragraph':
      return lineMarkdown(block.line, limits)
    case 'list':
      return listMarkdown(block.points, limits)
    case 'folded':
      return `<details><summary>${block.title}</summary>\n\n${listMarkdown(block.points, limits)}\n\n</details>`
  }
}

function listMarkdown(points: readonly PagePoint[], limits: PageLimits): string {
  const shown = limitedTo(limits.pointsMax, points, count => ({ line: [`… and ${count} more`] }))
  const lineOf = (it: PageLine) => lineMarkdown(it, limits)
  return shown
    .flatMap(({ line, below = [] }) => [`- ${lineOf(line)}`, ...below.map(it => `  - ${lineOf(it)}`)])
    .join('\n')
}

function lineMarkdown(line: PageLine, { charactersMax }: PageLimits): string {
  return line.map(it => partMarkdown(it, charactersMax)).join(' ')
}

function partMarkdown(part: PagePart, charactersMax: number): string {
  return typeof part !== 'string' && 'data' in part
    ? markdownCode(singleLine(part.data, charactersMax))
    : partWords(part)
}
