import type { RecordFacts } from '../pages/record-row.tsx'

/** An event of the server: a record of the ledger, or that something else may have changed. */
export type LiveEvent =
  | { readonly kind: 'record' | 'violation'; readonly record: RecordFacts; readonly id: string }
  | { readonly kind: 'state' | 'gap'; readonly id: string }

type Listener = {
  /** The byte of the ledger up to which the page has its records; null when it shows none. */
  readonly from: string | null
  changed(event: LiveEvent): void
  connected(isConnected: boolean): void
}

type Message = { readonly event?: LiveEvent; readonly isConnected?: boolean }

const RETRY_MS = 2_000

/**
 * Follows the events of the server. A browser opens few connections to a host, so one tab has the connection and passes
 * its events to the others; when it is closed, another one takes its place.
 */
export function joinStream(listener: Listener): void {
  const channel = new BroadcastChannel(`kotef ${document.baseURI}`)
  let last = listener.from
  const take = ({ event, isConnected }: Message): void => {
    if (event?.id) last = event.id
    if (event) listener.changed(event)
    if (isConnected !== undefined) listener.connected(isConnected)
  }
  const publish = (message: Message): void => {
    take(message)
    channel.postMessage(message)
  }
  let isLeader = false
  channel.onmessage = ({ data }: MessageEvent<Message | 'hello'>) => {
    if (data !== 'hello') take(data)
    else if (isLeader) channel.postMessage({ isConnected: isOpen } satisfies Message)
  }
  let isOpen = false
  const lead = (): Promise<never> => {
    isLeader = true
    followServer(
      () => last,
      message => {
        isOpen = message.isConnected ?? isOpen
        publish(message)
      },
    )
    return new Promise(() => {})
  }
  const name = `kotef ${document.baseURI}`
  void navigator.locks.request(name, { ifAvailable: true }, lock => {
    if (lock) return lead()
    // What came between the page's answer and now is on the page's next answer.
    channel.postMessage('hello')
    listener.changed({ kind: 'gap', id: '' })
    void navigator.locks.request(name, lead)
    return null
  })
}

function followServer(last: () => string | null, publish: (message: Message) => void): void {
  const from = last()
  const source = new EventSource(from === null ? 'events' : `events?from=${from}`)
  source.onopen = () => publish({ isConnected: true })
  source.onerror = () => {
    publish({ isConnected: false })
    // The browser tries again by itself, unless the answer was not a stream.
    if (source.readyState === EventSource.CLOSED) setTimeout(() => followServer(last, publish), RETRY_MS)
  }
  for (const kind of ['record', 'violation'] as const)
    source.addEventListener(kind, ({ data, lastEventId: id }: MessageEvent<string>) =>
      publish({ event: { kind, id, record: JSON.parse(data) as RecordFacts } }),
    )
  for (const kind of ['state', 'gap'] as const)
    source.addEventListener(kind, ({ lastEventId: id }) => publish({ event: { kind, id } }))
}
