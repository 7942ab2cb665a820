import type { Files } from './files.ts'

/**
 * A disk that makes and changes no file while `isInPlace` is false: it then throws. A program that runs on may be in
 * the middle of its work when its repository is removed, or another one takes its place.
 */
export function filesInPlace(files: Files, isInPlace: () => Promise<boolean>): Files {
  const guarded =
    <In extends readonly unknown[], Out>(write: (...terms: In) => Promise<Out>) =>
    async (...terms: In): Promise<Out> => {
      if (!(await isInPlace())) throw new Error('the repository is not in its place any more')
      return write(...terms)
    }
  const { append, replace, put, link, parentFolder, privateFolder, move } = files
  return {
    ...files,
    append: guarded(append),
    replace: guarded(replace),
    put: guarded(put),
    link: guarded(link),
    parentFolder: guarded(parentFolder),
    privateFolder: guarded(privateFolder),
    move: guarded(move),
  }
}
