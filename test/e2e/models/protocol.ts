/** What the model of the story does next. Paths are absolute. */
export type ModelAction =
  | { readonly do: 'write'; readonly path: string; readonly text: string }
  | { readonly do: 'shell'; readonly command: string }
  | { readonly do: 'kotef'; readonly tool: string; readonly input: Readonly<Record<string, string>> }
  | { readonly do: 'say'; readonly text: string }

/** An action as one client's model spells it; `input` is a text where the tool takes no JSON. */
export type SpelledAction =
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> | string; readonly space?: string }
  | { readonly text: string }

/** What a client asks of its model. */
export type ModelRequest = {
  /** All that the model gets to read. */
  readonly text: string
  /** What the last tool answered; an empty text when no tool was called yet. */
  readonly toolResult: string
  /** The tools that it may call. */
  readonly tools: readonly string[]
}

/** How a client speaks with its model. What comes of it is a stream of events. */
export type ModelProtocol = {
  /** Null for what is not a turn of the conversation, such as the wish for a title. */
  readonly decode: (path: string, body: AnyJson) => ModelRequest | null
  /** The events of an answer; `model` and `id` are told where the protocol has them. */
  readonly encode: (
    said: SpelledAction,
    about: { readonly id: string; readonly model: string },
  ) => readonly StreamEvent[]
}

/** One event of a stream: Gemini and chat completions name none. */
export type StreamEvent = { readonly event?: string; readonly data: unknown }

// JSON of another program, of which the reader knows the shape.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyJson = any
