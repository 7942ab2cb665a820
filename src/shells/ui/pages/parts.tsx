import { idsOfName } from '../../../core/authorship/line-intent.ts'
import type { ComponentChildren, JSX } from 'preact'
import { localTime } from '../../../core/report/local-time.ts'
import { escapeInvisible, printable } from '../../../core/base/printable.ts'
import { HintText } from './command-text.tsx'
import { IntentPlaces, LivePages } from './frame-context.ts'
import { links } from './links.ts'

/** Text from a repository: characters that can't be seen, or that reorder a line, are shown as escapes. */
export function DataText({ text }: { readonly text: string }): JSX.Element {
  return <bdi>{escapeInvisible(text)}</bdi>
}

/** A number that is a link to the list of what it counts; `of` names that for a screen reader. */
export function Count({ n, href, of }: { readonly n: number; readonly href: string; readonly of: string }) {
  return (
    <a class="count" href={href} aria-label={`${n} ${of}`}>
      {groupedDigits(n)}
    </a>
  )
}

/** A number with its digits in groups of three: `1,234,567`. */
export function groupedDigits(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+(?!\d))/g, ',')
}

type TableProps = {
  readonly caption: string
  /** The titles of the columns; one that begins with `#` is of numbers, and has them at the right. */
  readonly columns: readonly string[]
  readonly rows: readonly (readonly ComponentChildren[])[]
  /** Shown when there is no row. */
  readonly empty: string
}

/** A table with a caption for screen readers. A narrow window scrolls it by itself. */
export function Table({ caption, columns, rows, empty }: TableProps): JSX.Element {
  if (rows.length === 0) return <Empty text={empty} />
  const classOf = (n: number) => (columns[n]?.startsWith('#') ? 'number' : undefined)
  return (
    <div class="table" role="group" aria-label={caption} tabIndex={0}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((it, n) => (
              <th scope="col" class={classOf(n)}>
                {it.replace(/^#/, '')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(cells => (
            <tr>
              {cells.map((cell, n) => (
                <td class={classOf(n)}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Shown in place of a list without entries; a command in its text has backticks. */
export function Empty({ text }: { readonly text: string }): JSX.Element {
  return (
    <p class="empty">
      <HintText text={text} />
    </p>
  )
}

/** A part of a page under a heading, with a count or link beside it. */
export function Section(props: {
  readonly title: string
  readonly beside?: ComponentChildren
  /** True for a part that the client keeps up to date: its children are replaced by those of the page's next answer. */
  readonly isLive?: boolean
  readonly children: ComponentChildren
}): JSX.Element {
  const id = `s-${props.title.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`
  return (
    <section aria-labelledby={id} data-live={props.isLive ? id : undefined}>
      <div class="section-title">
        <h2 id={id}>{props.title}</h2>
        {props.beside}
      </div>
      {props.children}
    </section>
  )
}

/** A moment: how long ago, with the whole time on hover. `at` is ISO 8601, `now` in milliseconds since 1970. */
export function When({ at, now }: { readonly at: string; readonly now: number }): JSX.Element {
  const { day, time } = localTime(at)
  return (
    <time datetime={escapeInvisible(at)} title={escapeInvisible(`${day} ${time}`.trim())}>
      <LivePages.Consumer>
        {(isLive: boolean) => (isLive ? distanceText(at, now) : escapeInvisible(`${day} ${time.slice(0, 5)}`.trim()))}
      </LivePages.Consumer>
    </time>
  )
}

/** How long ago, in the largest unit; the day for more than a week. */
export function distanceText(at: string, now: number): string {
  const { day } = localTime(at)
  const seconds = Math.floor((now - Date.parse(at)) / 1000)
  if (Number.isNaN(seconds) || seconds > 7 * 86_400) return escapeInvisible(day)
  if (seconds < 60) return seconds < -60 ? escapeInvisible(day) : 'just now'
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`
  if (seconds < 48 * 3600) return `${Math.floor(seconds / 3600)} h ago`
  return `${Math.floor(seconds / 86_400)} days ago`
}

/** Who wrote: a kind, and for an agent its model. `isDoubtful` is a write that another may have made. */
export type AuthorName = {
  readonly kind: 'human' | 'ai' | 'mixed' | 'unknown' | 'kotef'
  readonly model: string | null
  readonly isDoubtful?: boolean
}

/** The badge of an author. Its text says the kind, so that colour is never the only carrier of it. */
export function AuthorBadge({ author }: { readonly author: AuthorName }): JSX.Element {
  const { kind, model, isDoubtful = false } = author
  return (
    <span class={`badge author-${kind}`} title={isDoubtful ? 'Another may have written it.' : undefined}>
      {AUTHOR_WORDS[kind]}
      {isDoubtful && '?'}
      {model !== null && (
        <span class={`model ${hueOfModel(model)}`}>
          <DataText text={model} />
        </span>
      )}
    </span>
  )
}

const AUTHOR_WORDS = { human: 'person', ai: 'agent', mixed: 'both', unknown: 'unknown', kotef: 'kotef' } as const

/** A path, as a link to its file. */
export function PathLink({ path }: { readonly path: string }): JSX.Element {
  return (
    <a class="path" href={links.file(path)}>
      <bdi>{printable(path)}</bdi>
    </a>
  )
}

/** An intent's id, in the colour of the intent, as a link to its page. */
export function IntentLink({ id }: { readonly id: string }): JSX.Element {
  return (
    <IntentPlaces.Consumer>
      {(places: ReadonlyMap<string, number>) => (
        <a class={`intent ${hueOf(id, places)}`} href={links.intent(id)}>
          <DataText text={id} />
        </a>
      )}
    </IntentPlaces.Consumer>
  )
}

/** The intent of lines, or those of which it is one, by the name that `intentName` gives. */
export function IntentNames({ name }: { readonly name: string | null }): JSX.Element {
  if (name === null) return <span class="quiet">no intent</span>
  const ids = idsOfName(name)
  return <>{ids.flatMap((id, n) => [...(n === 0 ? [] : [' or ']), <IntentLink id={id} />])}</>
}

/** The classes with the colour of an intent: by its place in the registry, so that a hundred of them have a hundred. */
export function hueOf(id: string, places: ReadonlyMap<string, number>): string {
  const place = (places.get(id) ?? textHash(id)) % 100
  return `place tens-${Math.floor(place / 10)} units-${place % 10}`
}

/** The class with the colour of an agent's model, which is none of the blues: those are a person's. */
export function hueOfModel(model: string): string {
  return `hue-${MODEL_HUES[textHash(model) % MODEL_HUES.length]}`
}

const MODEL_HUES = [1, 2, 3, 4, 6, 8, 9, 10, 11]

function textHash(text: string): number {
  let hash = 0
  for (const it of text) hash = (hash * 31 + (it.codePointAt(0) ?? 0)) % 65_521
  return hash
}

/** A place that the client fills: what it shows, and the facts for it. `children` are shown without a script. */
export function Island(props: {
  readonly name: string
  readonly facts: unknown
  readonly children?: ComponentChildren
}) {
  return (
    <div data-island={props.name} data-facts={JSON.stringify(props.facts)}>
      {props.children}
    </div>
  )
}
