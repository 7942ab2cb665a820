import { parsePayload } from '../../base/payload.ts'

/** The files in which packages declare their dependencies, as far as they are read: those of npm and of Composer. */
export const DEPENDENCY_MANIFESTS = ['package.json', 'composer.json'] as const

/** True for a file that declares dependencies, in any folder. */
export function isManifest(path: string): boolean {
  return DEPENDENCY_MANIFESTS.some(it => path === it || path.endsWith(`/${it}`))
}

/** The names of the dependencies that a manifest declares; none for a text that is not one. */
export function dependenciesIn(text: string): string[] {
  const manifest = parsePayload(text)
  return SECTIONS.flatMap(it => {
    const section = manifest?.[it]
    return section !== null && typeof section === 'object' && !Array.isArray(section) ? Object.keys(section) : []
  })
}

/** The packages that a manifest knows: its dependencies, and the one that it is of. */
export function packagesIn(text: string): string[] {
  return [...nameIn(text), ...dependenciesIn(text)]
}

function nameIn(text: string): string[] {
  const name = parsePayload(text)?.['name']
  return typeof name === 'string' ? [name] : []
}

const SECTIONS = [
  ...['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'],
  ...['require', 'require-dev'],
]

/** A manifest before and after a change; null where there is no file. */
export type ChangedManifest = { readonly path: string; readonly before: string | null; readonly after: string | null }

/**
 * For each changed manifest, the dependencies that neither these had before nor other manifests of the project have:
 * one that moves is not new, and neither is a package of the project itself.
 */
export function newDependencies(
  manifests: readonly ChangedManifest[],
  others: readonly string[] = [],
): Map<string, string[]> {
  const texts = [...manifests.map(it => it.before ?? ''), ...others]
  const own = manifests.flatMap(it => nameIn(it.after ?? ''))
  const known = new Set([...own, ...texts.flatMap(packagesIn)])
  const added = manifests.map(it => [it.path, dependenciesIn(it.after ?? '').filter(name => !known.has(name))] as const)
  return new Map(added.filter(([, names]) => names.length > 0).map(([path, names]) => [path, [...new Set(names)]]))
}
