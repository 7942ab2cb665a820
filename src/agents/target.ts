/** A path that a call would write, as the call spells it. */
export type Target = {
  readonly path: string
  /** When the path is a folder, these names in it are written instead. */
  readonly into?: readonly string[]
  /** True when a folder stands for everything below it. */
  readonly tree?: boolean
  /** True for a word that may not be a path: it is one if a file or folder of that name exists. */
  readonly maybe?: boolean
}
