import type { ModelAction, SpelledAction, ModelProtocol } from '../models/protocol.ts'

/** A coding agent as npm has it, and how it is made to work here, by itself, with the model of the story. */
export type AgentClient = {
  /** As `kotef init --agent` knows it. */
  readonly name: string
  readonly package: string
  readonly version: string
  /** Its program, below the node_modules that npm put it into. */
  readonly program: string
  /** True for one that is a script of Node's. */
  readonly isScript?: boolean
  readonly protocol: ModelProtocol
  /** The model of the story as Agent Trace spells it; `-` where no hook of the client tells of it. */
  readonly model: string
  /** What a person has set up for themselves: files of the home, and variables. */
  readonly home: (place: ClientSite) => ClientHome
  /** What is told to the program, once. */
  readonly words: (prompt: string) => readonly string[]
  /** An action as its model has to spell it; `tools` are those that it may call. */
  readonly spell: (action: ModelAction, tools: readonly string[]) => SpelledAction
}

export type ClientSite = { readonly url: string; readonly root: string }

export type ClientHome = {
  readonly files: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string>>
}

/** The tool of kotef's that ends with this name, however the client calls its server. */
export function kotefTool(tools: readonly string[], name: string): string {
  return tools.find(it => it.endsWith(name)) ?? name
}

/** A document for a settings file. */
export function jsonDocument(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
