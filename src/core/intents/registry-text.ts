import { INTENTS_FOLDER, REGISTRY_PATH } from '../base/governance-files.ts'

/** One file of a registry. */
export type RegistryPart = { readonly path: string; readonly text: string }

/**
 * The text of a whole registry: the list, then each intent's file after a line that names its path. A NUL begins that
 * line, because YAML has none. Without files it is the text of the list.
 */
export function registryText(list: string, files: readonly RegistryPart[]): string {
  return [list, ...files.flatMap(({ path, text }) => [`\0${path}\n`, text])]
    .map((it, n) => (n % 2 === 0 ? it.replaceAll('\0', '\ufffd') : it))
    .join('')
}

/** The files of a registry, the list first. */
export function registryParts(text: string): RegistryPart[] {
  const [list = '', ...files] = text.split('\0')
  const parts = files.map(it => {
    const end = it.indexOf('\n')
    return { path: it.slice(0, end), text: it.slice(end + 1) }
  })
  return [{ path: REGISTRY_PATH, text: list }, ...parts]
}

/** The registry with other texts of its parts. */
export function withParts(parts: readonly RegistryPart[]): string {
  const [list, ...files] = parts
  return registryText(list?.text ?? '', files)
}

/** The path of an intent's own file. */
export function intentFilePath(id: string): string {
  return `${INTENTS_FOLDER}/${id}.yaml`
}
