import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Random, randomFrom } from '../rig/random.ts'

type OperationTarget = { readonly root: string; readonly seed: number; readonly paths: string[] }

/** Writes, removes, renames (folders as well) and recreates files at random; `paths` are the files that stand there. */
export async function operateRandomly({ root, seed, paths }: OperationTarget, times: number): Promise<void> {
  const random = randomFrom(seed)
  for (let n = 0; n < times; n++) {
    operate({ root, random, paths, n })
    // Now and then the daemon comes to see something half-way.
    if (n % 100 === 99) await delay(random.below(40))
  }
}

type OperationStep = { readonly root: string; readonly random: Random; readonly paths: string[]; readonly n: number }

function operate(turn: OperationStep): void {
  const { root, random, paths, n } = turn
  const kind = random.below(100)
  const at = random.below(paths.length)
  const path = paths[at]
  if (path === undefined || kind < 20) return void paths.push(putFile(root, newPath(turn), textOf(turn)))
  if (kind < 55) return void putFile(root, path, textOf(turn))
  if (kind < 65) return renameFolder(turn, dirname(path))
  if (kind >= 80) rmSync(join(root, path))
  if (kind >= 90) return void putFile(root, path, `again ${n}\n`)
  if (kind >= 80) return void paths.splice(at, 1)
  paths[at] = newPath(turn)
  move(root, path, paths[at])
}

function renameFolder({ root, paths, n, random }: OperationStep, folder: string): void {
  const to = `bench/m${random.below(30)}`
  if (existsSync(join(root, to))) return void paths.push(putFile(root, `${folder}/n${n}.ts`, `new ${n}\n`))
  move(root, folder, to)
  paths.forEach((path, at) => {
    if (path.startsWith(`${folder}/`)) paths[at] = to + path.slice(folder.length)
  })
}

function newPath({ random, n }: OperationStep): string {
  return `bench/d${random.below(30)}/n${n}.ts`
}

function textOf({ random, n }: OperationStep): string {
  return `text ${n}\n`.repeat(1 + random.below(50))
}

/** Writes a file, with the folders that it needs. */
export function putFile(root: string, path: string, text: string): string {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
  return path
}

function move(root: string, from: string, to: string): void {
  mkdirSync(dirname(join(root, to)), { recursive: true })
  renameSync(join(root, from), join(root, to))
}
