import type { TraceRecord } from '../../../core/ledger/record.ts'
import { ATTRIBUTE_NAMES, attributesOf, type AttributeValues, modelAttributes } from './attribute-names.ts'
import { authorKindOf, eventOf, intentOf, lineCounts, modelOf } from './record-log.ts'
import type { Attributes, CounterPoint, TelemetryLog, TelemetryMetric, TelemetrySpan } from './signals.ts'

/** The counters: unit, description, and the short names of their attributes. */
export const METRICS = {
  'kotef.records': { unit: '{record}', description: 'Records of the ledger.', by: ['event'] },
  'kotef.writes': {
    unit: '{write}',
    description: 'Recorded changes of files.',
    by: ['author', 'operation', 'intent', 'model', 'provider'],
  },
  'kotef.lines': {
    unit: '{line}',
    description: 'Lines that recorded changes added and removed.',
    by: ['author', 'change', 'intent'],
  },
  'kotef.violations': { unit: '{violation}', description: 'Broken rules.', by: ['rule', 'intent'] },
  'kotef.refusals': { unit: '{refusal}', description: 'Writes of agents that were refused.', by: ['rule', 'agent'] },
  'kotef.problems': { unit: '{problem}', description: 'Changes that could not be recorded.', by: [] },
  'kotef.checks': { unit: '{check}', description: 'Runs of the checks of intents.', by: ['check', 'intent'] },
  'kotef.sessions.started': { unit: '{session}', description: 'Sessions that began.', by: ['agent'] },
  'kotef.sessions.ended': { unit: '{session}', description: 'Sessions that ended.', by: [] },
  'kotef.runs.ended': {
    unit: '{run}',
    description: 'Runs of sessions that were done or stopped.',
    by: ['status', 'rule'],
  },
} as const

type MetricName = keyof typeof METRICS

/** The value of each counter and set of attributes, under both of them as JSON. */
export type Counters = Readonly<Record<string, number>>

type Count = { readonly name: MetricName; readonly attributes: Attributes; readonly more: number }

/** The counters after some more was counted. Of very many sets of attributes the later ones are counted together. */
export function withCounts(counters: Counters, counts: readonly Count[]): Counters {
  const next: Record<string, number> = { ...counters }
  const sizes = new Map<string, number>()
  for (const key of Object.keys(next)) sizes.set(nameIn(key), (sizes.get(nameIn(key)) ?? 0) + 1)
  for (const { name, attributes, more } of counts) {
    const exact = keyOf(name, attributes)
    const size = sizes.get(name) ?? 0
    const key = Object.hasOwn(next, exact) || size < POINTS_MAX - 1 ? exact : keyOf(name, OVERFLOW)
    if (!Object.hasOwn(next, key)) sizes.set(name, size + 1)
    next[key] = (next[key] ?? 0) + more
  }
  return next
}

// The limit of the specification of OpenTelemetry, and its name for what is above it.
const POINTS_MAX = 2_000
const OVERFLOW: Attributes = { [ATTRIBUTE_NAMES.overflow]: true }

// One counter always gets its attributes in the same order.
function keyOf(name: MetricName, attributes: Attributes): string {
  return JSON.stringify([name, attributes])
}

function nameIn(key: string): string {
  return key.slice(2, key.indexOf('"', 2))
}

/** What a record adds to the counters. */
export function countsOfRecord(record: TraceRecord): Count[] {
  const { event, rule, status, agent } = eventOf(record)
  const intent = intentOf(record)
  return [
    count('kotef.records', { event }),
    ...(record.files.length > 0 ? countsOfWrite(record, intent) : []),
    ...(event === 'violation' ? [count('kotef.violations', { rule, intent })] : []),
    ...(event === 'problem' ? [count('kotef.problems', {})] : []),
    ...(event === 'check-run' ? [count('kotef.checks', { check: status, intent })] : []),
    ...(event === 'session-started' ? [count('kotef.sessions.started', { agent })] : []),
    ...(event === 'session-ended' ? [count('kotef.sessions.ended', {})] : []),
  ]
}

function countsOfWrite(record: TraceRecord, intent: string | null): Count[] {
  const author = authorKindOf(record)
  const operation = record.files[0]?.kotef.op
  const { added, removed } = lineCounts(record)
  return [
    count('kotef.writes', { author, operation, intent, ...modelAttributes(modelOf(record)) }),
    ...(added > 0 ? [count('kotef.lines', { author, change: 'added', intent }, added)] : []),
    ...(removed > 0 ? [count('kotef.lines', { author, change: 'removed', intent }, removed)] : []),
  ]
}

/** What the span of a run adds to the counters. */
export function countOfRun({ attributes }: TelemetrySpan): Count {
  const names = METRICS['kotef.runs.ended'].by
  return { name: 'kotef.runs.ended', attributes: pick(attributes, names), more: 1 }
}

/** What a refused write adds to the counters. */
export function countOfRefusal({ attributes }: TelemetryLog): Count {
  return { name: 'kotef.refusals', attributes: pick(attributes, METRICS['kotef.refusals'].by), more: 1 }
}

function pick(attributes: Attributes, names: readonly (keyof typeof ATTRIBUTE_NAMES)[]): Attributes {
  const wanted: ReadonlySet<string> = new Set(names.map(it => ATTRIBUTE_NAMES[it]))
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => wanted.has(name)))
}

function count(name: MetricName, values: AttributeValues, more = 1): Count {
  return { name, attributes: attributesOf(values), more }
}

/** The counters as metrics, in the order of the table. */
export function metricsOf(counters: Counters): TelemetryMetric[] {
  const points = new Map<string, CounterPoint[]>()
  for (const [key, value] of Object.entries(counters)) {
    const [name, attributes] = JSON.parse(key) as [string, Attributes]
    points.set(name, [...(points.get(name) ?? []), { attributes, value }])
  }
  return Object.entries(METRICS).flatMap(([name, { unit, description }]) => {
    const own = points.get(name)
    return own ? [{ name, unit, description, points: own }] : []
  })
}
