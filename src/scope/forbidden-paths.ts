/**
 * The globs that a KOTEF.md forbids to every intent: the list items under its heading `## Forbidden Paths`. The glob is
 * the item's text in backticks, or else the whole item; a plain path includes everything below it. Comments and fenced
 * code do not count.
 */
export function forbiddenPaths(markdown: string): string[] {
  return sectionOf(markdown.replace(/<!--.*?-->/gs, '').replace(/^(```|~~~).*?^\1/gms, ''))
    .map(line => /^\s*(?:[-*+]|\d+[.)])\s+(.*)$/.exec(line)?.[1])
    .filter(item => item !== undefined)
    .map(item => globOf(item))
    .filter(glob => glob !== '')
}

function sectionOf(markdown: string): string[] {
  const lines = markdown.split(/\r?\n/)
  const start = lines.findIndex(it => /^##\s+Forbidden Paths\s*#*\s*$/i.test(it))
  if (start === -1) return []
  const rest = lines.slice(start + 1)
  const end = rest.findIndex(it => /^##?\s/.test(it))
  return end === -1 ? rest : rest.slice(0, end)
}

function globOf(item: string): string {
  const text = /`([^`]+)`/.exec(item)?.[1] ?? item.replace(/\s+(?:#|-|\u2013|\u2014)\s.*$/, '')
  const path = text
    .trim()
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/$/, '/**')
  return path === '' || /[*?{}!@+]/.test(path) ? path : `${path}/**`
}
