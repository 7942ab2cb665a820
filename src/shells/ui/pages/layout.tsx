import type { ComponentChildren, JSX } from 'preact'
import { IntentPlaces, LivePages, placesOf } from './frame-context.ts'
import { links } from './links.ts'

/** One page: its title, its place in the navigation, and its content. */
export type Page = PageContent & { readonly section: PageSection }

/** What is found for a page. */
export type PageContent = {
  readonly title: string
  readonly body: JSX.Element
  /** How many things wait for a person: the tab shows it. */
  readonly waiting?: number
  /** 404 for a page that says that there is nothing at the address. */
  readonly status?: 404
  /** The ids of the intents, in the order of the registry. */
  readonly intents?: readonly string[]
}

/** The entries of the navigation. */
export type PageSection = 'now' | 'records' | 'intents' | 'ranges' | 'handover' | 'stats'

/** How a page is served. */
export type PageFrame = {
  /** The address that all others are relative to, such as `/key/`; null when that is the page's own. */
  readonly base: string | null
  /** The address of this page, relative to that. */
  readonly here: string
  /** The name of the repository, shown beside the navigation. */
  readonly repository: string
  /** True for a page that a server keeps up to date; an exported one is as it was. */
  readonly isLive: boolean
  /** The Content-Security-Policy of a page that no server sends with headers; else null. */
  readonly policy: string | null
  /** When an exported page was made, in words; else null. */
  readonly asOf: string | null
}

const SECTIONS: readonly (readonly [PageSection, label: string, href: string])[] = [
  ['now', 'Now', links.now()],
  ['records', 'Records', links.records()],
  ['intents', 'Intents', links.intents()],
  ['ranges', 'Commits', links.ranges()],
  ['handover', 'Handover', links.handovers()],
  ['stats', 'Stats', links.stats()],
]

/** The document around a page: head, skip link, navigation, and the place where the client announces news. */
export function Layout({ page, frame }: { readonly page: Page; readonly frame: PageFrame }): JSX.Element {
  return (
    <html lang="en">
      <Head page={page} frame={frame} />
      <body>
        <a class="skip" href={`${frame.here}#main`}>
          Skip to the content
        </a>
        <header class="bar">
          <a class="brand" href={links.now()}>
            kotef
          </a>
          <nav aria-label="Pages">
            {SECTIONS.map(([section, label, href]) => (
              <a href={href} aria-current={section === page.section ? 'page' : undefined}>
                {label}
              </a>
            ))}
          </nav>
          <span class="repository">{frame.repository}</span>
          {frame.asOf !== null && <span class="quiet">{frame.asOf}</span>}
          {frame.isLive && <span class="connection" id="connection" role="status" />}
        </header>
        <main id="main" tabIndex={-1}>
          <LivePages.Provider value={frame.isLive}>
            <IntentPlaces.Provider value={placesOf(page.intents ?? [])}>{page.body}</IntentPlaces.Provider>
          </LivePages.Provider>
        </main>
      </body>
    </html>
  )
}

function Head({ page, frame }: { readonly page: Page; readonly frame: PageFrame }): JSX.Element {
  // Nobody can answer on an exported page.
  const waiting = frame.isLive ? (page.waiting ?? 0) : 0
  return (
    <head>
      <meta charset="utf-8" />
      {frame.policy !== null && <meta http-equiv="Content-Security-Policy" content={frame.policy} />}
      {frame.base !== null && <base href={frame.base} />}
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{`${waiting > 0 ? `(${waiting}) ` : ''}${page.title} · ${frame.repository} · kotef`}</title>
      <link rel="icon" type="image/svg+xml" href={waiting > 0 ? 'assets/icon-waiting.svg' : 'assets/icon.svg'} />
      <link rel="stylesheet" href="assets/client.css" />
      {frame.isLive && <script type="module" src="assets/client.js" />}
    </head>
  )
}

/** A page's heading, with what belongs beside it, such as a badge. */
export function PageTitle({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="page-title">
      <h1>{title}</h1>
      {children}
    </div>
  )
}

/** What only a page from a server has, such as a form. */
export function LiveOnly({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return <LivePages.Consumer>{(isLive: boolean) => (isLive ? children : null)}</LivePages.Consumer>
}
