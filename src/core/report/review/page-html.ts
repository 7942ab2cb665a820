import { htmlText, singleLine } from '../../base/markup.ts'
import {
  limitedTo,
  type PageBlock,
  type PageLimits,
  type PageLine,
  type PagePart,
  type PagePoint,
  partWords,
} from './page.ts'

/** A page as one file of HTML, without a script and without anything that a browser would fetch. */
export function pageHtml(title: string, blocks: readonly PageBlock[], limits: PageLimits): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${CONTENT_POLICY}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${htmlText(title)}</title>`,
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    ...blocks.map(it => blockHtml(it, limits)),
    '</body>',
    '</html>',
  ].join('\n')
}

// Should a text ever get through unescaped, a browser still runs and fetches nothing.
const CONTENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

const STYLE = [
  ':root{color-scheme:light dark}',
  'body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}',
  'code{font-family:ui-monospace,monospace;font-size:.9em;white-space:pre-wrap;overflow-wrap:anywhere}',
  'li{margin:.2rem 0}',
].join('')

function blockHtml(block: PageBlock, limits: PageLimits): string {
  switch (block.kind) {
    case 'heading':
      return `<h${block.level}>${lineHtml(block.line, limits)}</h${block.level}>`
    case 'paragraph':
      return `<p>${lineHtml(block.line, limits)}</p>`
    case 'list':
      return listHtml(block.points, limits)
    case 'folded':
      return `<details><summary>${htmlText(block.title)}</summary>\n${listHtml(block.points, limits)}\n</details>`
  }
}

function listHtml(points: readonly PagePoint[], limits: PageLimits): string {
  const shown = limitedTo(limits.pointsMax, points, count => ({ line: [`… and ${count} more`] }))
  return `<ul>\n${shown.map(it => pointHtml(it, limits)).join('\n')}\n</ul>`
}

function pointHtml({ line, below = [] }: PagePoint, limits: PageLimits): string {
  const lines = below.map(it => `<li>${lineHtml(it, limits)}</li>`).join('')
  return `<li>${lineHtml(line, limits)}${lines === '' ? '' : `<ul>${lines}</ul>`}</li>`
}

function lineHtml(line: PageLine, { charactersMax }: PageLimits): string {
  return line.map(it => partHtml(it, charactersMax)).join(' ')
}

function partHtml(part: PagePart, charactersMax: number): string {
  if (typeof part !== 'string' && 'data' in part)
    return `<code>${htmlText(singleLine(part.data, charactersMax))}</code>`
  return htmlText(partWords(part))
}
