/** The numbers of a page that are links: what each counts, and its address. */
export function pageCounts(html: string): Record<string, string> {
  const found = [...html.matchAll(/<a class="count" href="([^"]*)" aria-label="([^"]*)"/g)]
  return Object.fromEntries(found.map(([, href = '', label = '']) => [label, href.replaceAll('&amp;', '&')]))
}
