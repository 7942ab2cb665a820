import type { Command } from 'unbash'
import type { Arg } from './arguments.ts'
import type { Effect } from './effect.ts'

/** The folders that the shell, a program by an option, or git by its variables goes to; any variable may name one. */
export function enteredFolders({ prefix }: Command, words: readonly Arg[]): readonly Effect[] {
  const texts = words.map(it => it.text ?? withKnownFolder(it.source))
  const cd = texts.findIndex(it => !/^(?:builtin|command)$/.test(it))
  const paths = [
    ...(!/^(?:cd|pushd)$/.test(texts[cd] ?? '') ? [] : texts.slice(cd + 1).filter(it => /^[^-$]/.test(it))),
    ...(texts[0] === 'git' ? [] : optionFolders(texts)),
    ...prefix.flatMap(it => (it.type === 'Assignment' ? folderIn(it.text) : [])),
  ]
  return paths.map(path => ({ kind: 'folder', path }))
}

function optionFolders(texts: readonly string[]): string[] {
  const values = texts.map((it, n) => (OPTION.test(it) ? texts[n + 1] : VALUE.exec(it)?.[1]))
  return values.filter(it => it !== undefined && /^[^$]*\//.test(it)) as string[]
}

function folderIn(assignment: string): string[] {
  const text = withKnownFolder(assignment)
  const folder = GIT_FOLDER.exec(text)?.[1] ?? ANY_FOLDER.exec(text)?.[1]
  return folder === undefined ? [] : [folder]
}

// The shell's own variables for its folders.
function withKnownFolder(source: string): string {
  return source
    .replaceAll('"', '')
    .replace(/\$(?:HOME\b|\{HOME\})/, '~')
    .replace(/\$(?:PWD\b|\{PWD\})/, '.')
}

const OPTION = /^(?:-C|--prefix|--cwd|--directory|--dir|--project-directory)$/
const VALUE = /^--(?:prefix|cwd|directory|dir|project-directory)=(.+)$/
const GIT_FOLDER = /^GIT_(?:DIR|WORK_TREE)='?([^'$]+?)(?:\/\.git\/?)?'?$/
const ANY_FOLDER = /^[a-z]\w*='?(~?\/[^'$:]+)'?$/i
