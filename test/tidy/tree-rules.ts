import { packageOf, pathOf } from './paths.ts'
import type { Source } from './source.ts'

/** The files that load each other in a circle, each circle once. */
export function circlesAmong(sources: readonly Source[]): string[] {
  const next = neighbours(sources)
  const settled = new Set<string>()
  const found: string[] = []
  const walk = (path: string, way: readonly string[]): void => {
    if (way.includes(path)) return void found.push([...way.slice(way.indexOf(path)), path].join(' -> '))
    if (settled.has(path)) return
    for (const it of next.get(path) ?? []) walk(it, [...way, path])
    settled.add(path)
  }
  for (const { path } of sources) walk(path, [])
  return found
}

/** How an entry comes to load a library that it must not: the way, file by file; null when it does not. */
export function wayTo(library: string, entry: string, sources: readonly Source[]): string | null {
  const next = neighbours(sources)
  const ways: string[][] = [[entry]]
  const seen = new Set<string>()
  for (let way = ways.shift(); way; way = ways.shift()) {
    const path = way.at(-1) ?? ''
    if (seen.has(path)) continue
    seen.add(path)
    const source = sources.find(it => it.path === path)
    if (source?.imports.some(it => it.runs && packageOf(it.from) === library)) return [...way, library].join(' -> ')
    for (const it of next.get(path) ?? []) ways.push([...way, it])
  }
  return null
}

function neighbours(sources: readonly Source[]): Map<string, string[]> {
  const own = (source: Source) => source.imports.filter(it => it.runs && it.from.startsWith('.'))
  return new Map(sources.map(it => [it.path, own(it).map(({ from }) => pathOf(from, it.path))]))
}

/** The rooms that a map page has a line for: `- name/ …`, `| name/ …`, or a line of a drawing. */
export function roomsOnMap(page: string): string[] {
  return [...page.matchAll(/^[-| ]*`?([a-z-]+)\/`?(?=\s)/gm)].map(it => it[1] ?? '').sort()
}
