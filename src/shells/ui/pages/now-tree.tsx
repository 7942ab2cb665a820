import type { ComponentChildren, JSX } from 'preact'
import { links } from './links.ts'
import { type NowFacts, waitingCount } from './now-facts.ts'
import { Count, DataText, When } from './parts.tsx'

/** The state of the worktree as tiles: where HEAD is, who watches, and how much there is of what may need a look. */
export function TreeTiles({ facts }: { readonly facts: NowFacts }): JSX.Element {
  const { tree, counts, now } = facts
  const outside = tree.changes.filter(it => it.isOutside).length
  const untraced = tree.changes.filter(it => it.isUntraced).length
  const waiting = waitingCount(facts)
  return (
    <dl class="tiles" data-live="tree">
      <Tile title="Branch">
        <Head facts={facts} />
      </Tile>
      <Tile title="Watcher" isBad={tree.watchedSince === null}>
        {tree.watchedSince === null ? 'Not running' : <Watcher since={tree.watchedSince} now={now} />}
      </Tile>
      <Tile title="Changed files">
        <Count n={tree.changes.length} href={links.changes()} of="changed files" />
      </Tile>
      <Tile title="Out of scope" isBad={outside > 0}>
        <Count n={outside} href={links.changes({ state: 'outside' })} of="changed files out of scope" />
      </Tile>
      <Tile title="Without a record" isBad={untraced > 0}>
        <Count n={untraced} href={links.changes({ state: 'untraced' })} of="changed files without a record" />
      </Tile>
      <Tile title="Waiting for you" isBad={waiting > 0}>
        <Count n={waiting} href={`${links.now()}#s-waiting-for-a-person`} of="things that wait for you" />
      </Tile>
      <Tile title="Violations" isBad={counts.violations > 0}>
        <Count n={counts.violations} href={links.records({ event: 'violation' })} of="violations" />
      </Tile>
      <Tile title="Records">
        <Count n={counts.records} href={links.records()} of="records" />
      </Tile>
    </dl>
  )
}

function Watcher({ since, now }: { readonly since: string; readonly now: number }): JSX.Element {
  return (
    <>
      On
      <span class="quiet">
        since <When at={since} now={now} />
      </span>
    </>
  )
}

function Head({ facts: { tree } }: { readonly facts: NowFacts }): JSX.Element {
  return (
    <>
      <DataText text={tree.branch ?? 'detached'} />
      {tree.head !== null && (
        <a class="oid" href={links.commit(tree.head)}>
          {tree.head.slice(0, 8)}
        </a>
      )}
    </>
  )
}

type TileProps = { readonly title: string; readonly isBad?: boolean; readonly children: ComponentChildren }

function Tile({ title, isBad = false, children }: TileProps): JSX.Element {
  return (
    <div class={isBad ? 'tile is-bad' : 'tile'}>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  )
}
