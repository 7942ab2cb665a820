import { packageOf, pathOf, roomOf } from './paths.ts'
import { limits, pureRooms } from './rooms.ts'
import { type Import, type Source, visit } from './source.ts'

/** The files that import each other in a circle, types included, each circle once. */
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
  const next = neighbours(sources, it => it.runs)
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

function neighbours(
  sources: readonly Source[],
  isCounted: (it: Import) => boolean = () => true,
): Map<string, string[]> {
  const own = (source: Source) => source.imports.filter(it => it.from.startsWith('.') && isCounted(it))
  return new Map(sources.map(it => [it.path, own(it).map(({ from }) => pathOf(from, it.path))]))
}

/** The names that several files export: each with its files, so that a reader who searches for a name finds one. */
export function namesExportedTwice(sources: readonly Source[], exempt: readonly string[]): string[] {
  const files = new Map<string, string[]>()
  for (const source of sources)
    for (const name of new Set(exportedNames(source))) files.set(name, [...(files.get(name) ?? []), source.path])
  return [...files].flatMap(([name, paths]) =>
    paths.length > 1 && !exempt.includes(name) ? [`${name}: ${paths.join(', ')}`] : [],
  )
}

/** The names that a file exports. */
export function exportedNames(source: Source): string[] {
  const names: string[] = []
  visit(source, {
    ExportNamedDeclaration({ declaration, specifiers }) {
      for (const { exported } of specifiers) names.push('name' in exported ? exported.name : exported.value)
      const declared = declaration?.type === 'VariableDeclaration' ? declaration.declarations : [declaration]
      for (const it of declared) if (it && 'id' in it && it.id && 'name' in it.id) names.push(it.id.name)
    },
  })
  return names
}

/** The long files of pure rooms that no test imports itself. */
export function untestedPureFiles(sources: readonly Source[], tests: readonly Source[]): string[] {
  const tested = new Set(tests.flatMap(({ path, imports }) => imports.map(it => pathOf(it.from, path))))
  return sources
    .filter(it => pureRooms.includes(roomOf(it.path)))
    .filter(it => it.text.split('\n').length - 1 > limits.untestedPureFile && !tested.has(it.path))
    .map(it => it.path)
}

/** The rooms that the map has a line for, below the heading of a floor, in its order: `name/`, then what it is. */
export function roomsOnMap(page: string, floor: string): string[] {
  const [, part = ''] = new RegExp(`^### ${floor}/.*\\n([^]*?)(?=^#|$(?![^]))`, 'm').exec(page) ?? []
  return [...part.matchAll(/^- `([a-z-]+(?:\/[a-z-]+)?)\/`/gm)].map(it => it[1] ?? '')
}

/** The invariants on the map: the items of its floors that are not the line of a room, each in one line. */
export function invariantsOnMap(page: string): string[] {
  const [, part = ''] = /^## Three floors\n([^]*?)(?=^## |$(?![^]))/m.exec(page) ?? []
  const items = part.split(/^ *- /m).slice(1)
  return items
    .filter(it => !/^`[a-z/-]+\/` /.test(it))
    .map(it => (it.split(/\n\n|\n(?=#)/)[0] ?? '').replaceAll(/\s+/g, ' ').trim())
}
