import type { AttributeValue, Attributes } from './signals.ts'

/**
 * Every attribute that a log, span or metric can have, by its short name in this room. The names are those of
 * OpenTelemetry's semantic conventions where it has one, and begin with `kotef.` elsewhere. docs/export.md has all.
 */
export const ATTRIBUTE_NAMES = {
  uid: 'log.record.uid',
  revision: 'vcs.ref.head.revision',
  path: 'file.path',
  session: 'session.id',
  agent: 'gen_ai.agent.name',
  model: 'gen_ai.request.model',
  provider: 'gen_ai.provider.name',
  exit: 'process.exit.code',
  pid: 'process.pid',
  event: 'kotef.event',
  intent: 'kotef.intent.id',
  author: 'kotef.author.kind',
  attribution: 'kotef.attribution',
  doubt: 'kotef.doubt',
  source: 'kotef.source',
  operation: 'kotef.file.operation',
  opaque: 'kotef.file.opaque',
  from: 'kotef.file.from',
  files: 'kotef.file.count',
  added: 'kotef.lines.added',
  removed: 'kotef.lines.removed',
  change: 'kotef.lines.change',
  class: 'kotef.mutation_class',
  role: 'kotef.handover.role',
  rule: 'kotef.rule',
  commit: 'kotef.commit',
  write: 'kotef.write.id',
  before: 'kotef.status.before',
  after: 'kotef.status.after',
  check: 'kotef.check.status',
  request: 'kotef.request.id',
  kind: 'kotef.request.kind',
  via: 'kotef.request.via',
  writes: 'kotef.session.writes',
  violations: 'kotef.session.violations',
  status: 'kotef.run.status',
  steps: 'kotef.run.steps',
  overflow: 'otel.metric.overflow',
} as const

type ShortName = keyof typeof ATTRIBUTE_NAMES

/** What a resource is described by: the program, this clone, and the repository. docs/export.md has these too. */
export const RESOURCE_ATTRIBUTES = [
  'service.name',
  'service.version',
  'service.instance.id',
  'vcs.repository.name',
  'vcs.repository.url.full',
] as const

/**
 * Values under the names of their attributes. A value that is absent is left out, as is one of another type: another
 * program may have written the record.
 */
export function attributesOf(...parts: readonly AttributeValues[]): Attributes {
  const named: Record<string, AttributeValue> = {}
  for (const values of parts) {
    for (const key in values) {
      const known = attributeValue(values[key as ShortName])
      if (known !== null) named[ATTRIBUTE_NAMES[key as ShortName]] = known
    }
  }
  return named
}

/** Values under the short names of their attributes. */
export type AttributeValues = Readonly<Partial<Record<ShortName, unknown>>>

function attributeValue(value: unknown): AttributeValue | null {
  if (typeof value === 'string') return value === '' ? null : telemetryText(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  return typeof value === 'boolean' ? value : null
}

/** A text of bounded length that every encoder of UTF-8 takes. */
export function telemetryText(text: string): string {
  // A cut may leave half of a surrogate pair, and JSON may contain one.
  return text.slice(0, TEXT_CHARACTERS_MAX).toWellFormed()
}

// Receivers have limits of their own; PATH_MAX of Linux is as long.
const TEXT_CHARACTERS_MAX = 4_096

/** A model's name, and who offers it where the name says so: `anthropic/claude-opus`. */
export function modelAttributes(model: unknown): { model?: string; provider?: string } {
  if (typeof model !== 'string' || model === '') return {}
  const [, provider, name] = /^([a-z0-9_.-]+)\/(.+)$/i.exec(model) ?? []
  return provider && name ? { provider, model: name } : { model }
}
