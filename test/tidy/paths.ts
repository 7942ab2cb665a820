/** The room of src that a file lies in: its floor and its folder, for a shell of several parts the part as well. */
export function roomOf(path: string): string {
  return /^src\/(shells\/(?:ui|otlp)\/[^/]+|[^/]+\/[^/]+)\//.exec(path)?.[1] ?? ''
}

/** The path of what a relative import names. */
export function pathOf(from: string, importer: string): string {
  return new URL(from, `file:///${importer}`).pathname.slice(1)
}

/** The package that an import names. */
export function packageOf(from: string): string {
  return from.split('/', from.startsWith('@') ? 2 : 1).join('/')
}
