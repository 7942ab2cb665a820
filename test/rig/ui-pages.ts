import { renderToString } from 'preact-render-to-string'
import { pageRoutes } from '../../src/shells/ui/server/routes.ts'
import type { Workspace } from '../../src/world/io/worktree/workspace.ts'

/** The HTML of a page of `kotef ui` by its address, with all facts that take long; null when nothing is there. */
export async function pageAt(workspace: Workspace, address: string): Promise<string | null> {
  const [path = '', query = ''] = address.replace(/#.*/, '').split('?')
  for (const route of pageRoutes) {
    const params = paramsOf(route.path, `/${path}`)
    if (params === null) continue
    const page = await route.page(workspace, { params, query: withoutEmpty(query), isWhole: true })
    return page && renderToString(page.body)
  }
  return null
}

// As the server: a form sends its empty fields too.
function withoutEmpty(query: string): URLSearchParams {
  return new URLSearchParams([...new URLSearchParams(query)].filter(([, value]) => value !== ''))
}

function paramsOf(pattern: string, path: string): Record<string, string> | null {
  const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const expression = pattern.replace(/:\w+\{\.\+\}/g, '(.+)').replace(/:\w+/g, '([^/]+)')
  const [, ...values] = new RegExp(`^${expression}$`).exec(path) ?? []
  if (values.length === 0 && path !== pattern) return null
  return Object.fromEntries(names.map((it, n) => [it, decodeURIComponent(values[n] ?? '')]))
}

/** The numbers of a page that are links, with their addresses. */
export function countsIn(html: string): { n: number; href: string }[] {
  const links = html.matchAll(/<a class="count" href="([^"]*)" aria-label="(\d+) /g)
  return [...links].map(([, href = '', n]) => ({ n: Number(n), href: href.replaceAll('&amp;', '&') }))
}

/** How many items the list at an address has, on all its pages. */
export async function lengthOfList(workspace: Workspace, address: string): Promise<number | null> {
  const html = await pageAt(workspace, address)
  if (html === null) return null
  const [, anchor] = /#(.*)/.exec(address) ?? []
  const part = anchor === undefined ? html : (html.split(`id="${anchor}"`)[1]?.split('</section>')[0] ?? '')
  const rows = [...part.matchAll(/<tr>|<li class="record/g)].length - [...part.matchAll(/<thead>/g)].length
  const [, next] = /<a rel="next" href="([^"]*)"/.exec(part) ?? []
  return rows + (next === undefined ? 0 : ((await lengthOfList(workspace, next.replaceAll('&amp;', '&'))) ?? 0))
}
