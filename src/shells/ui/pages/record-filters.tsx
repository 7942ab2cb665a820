import type { JSX } from 'preact'
import { links, type RecordQuery } from './links.ts'

// The kinds of events that records have.
const EVENT_KINDS: readonly string[] = [
  ...[
    'write',
    'violation',
    'claimed',
    'taken-over',
    'classified',
    'check-run',
    'attested',
    'approved',
    'requested',
    'granted',
  ],
  ...['rejected', 'refused', 'session-started', 'session-ended', 'claim-stolen', 'intent-added', 'intent-edited'],
  ...['intent-renumbered', 'transition', 'skipped', 'problem', 'daemon-started', 'daemon-stopped', 'daemon-gap'],
  ...['initialised', 'ledger-closed'],
]

const AUTHORS = [
  ['ai', 'agent'],
  ['human', 'person'],
  ['mixed', 'both'],
  ['unknown', 'unknown'],
] as const

/** The filters of records, as a form whose answer is an address. */
export function RecordFilters({ query }: { readonly query: RecordQuery }): JSX.Element {
  return (
    <form
      class="filters"
      method="get"
      action={links.records()}
      role="search"
      aria-label="Filter the records"
      // Going back must not bring the fields of another filter with it.
      autocomplete="off"
    >
      <Choice name="event" label="Event" value={query.event} options={EVENT_KINDS.map(it => [it, it] as const)} />
      <Choice name="author" label="Author" value={query.author} options={AUTHORS} />
      <Field name="intent" label="Intent" value={query.intent} />
      <Field name="file" label="File" value={query.file} />
      <Field name="session" label="Session" value={query.session} />
      <Field name="since" label="Since" value={query.since} hint="2026-11-22" />
      <span class="buttons">
        <button type="submit">Filter</button>
        <a href={links.records()}>Clear</a>
      </span>
    </form>
  )
}

type FieldProps = {
  readonly name: string
  readonly label: string
  readonly value: string | undefined
  readonly hint?: string
}

function Field({ name, label, value, hint }: FieldProps): JSX.Element {
  return (
    <label>
      <span>{label}</span>
      <input type="text" name={name} value={value ?? ''} placeholder={hint} autocomplete="off" spellcheck={false} />
    </label>
  )
}

type ChoiceProps = FieldProps & { readonly options: readonly (readonly [value: string, label: string])[] }

function Choice({ name, label, value, options }: ChoiceProps): JSX.Element {
  // A kind that only another version of kotef knows stays chosen.
  const isKnown = value === undefined || options.some(([it]) => it === value)
  return (
    <label>
      <span>{label}</span>
      <select name={name} autocomplete="off">
        <option value="">any</option>
        {[...options, ...(isKnown ? [] : [[value, value] as const])].map(([it, text]) => (
          <option value={it} selected={it === value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
