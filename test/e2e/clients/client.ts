import type { Action, Spelled, Wire } from '../models/wire.ts'

/** A coding agent as npm has it, and how it is made to work here, by itself, with the model of the story. */
export type Client = {
  /** As `kotef init --agent` knows it. */
  readonly name: string
  readonly package: string
  readonly version: string
  /** Its program, below the node_modules that npm put it into. */
  readonly program: string
  /** True for one that is a script of Node's. */
  readonly isScript?: boolean
  readonly wire: Wire
  /** The model of the story as Agent Trace spells it; `-` where no hook of the client tells of it. */
  readonly model: string
  /** What a person has set up for themselves: files of the home, and variables. */
  readonly home: (place: Place) => Home
  /** What is told to the program, once. */
  readonly words: (prompt: string) => readonly string[]
  /** An action as its model has to spell it; `tools` are those that it may call. */
  readonly spell: (action: Action, tools: readonly string[]) => Spelled
}

export type Place = { readonly url: string; readonly root: string }

export type Home = {
  readonly files: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string>>
}

/** The tool of kotef's that ends with this name, however the client calls its server. */
export function ofKotef(tools: readonly string[], name: string): string {
  return tools.find(it => it.endsWith(name)) ?? name
}

/** A document for a settings file. */
export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
