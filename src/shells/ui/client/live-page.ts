import { announcer } from './announcer.ts'
import type { LiveEvent } from './join-stream.ts'
import { liveList } from './live-list.ts'
import { refreshRegions } from './refresh-regions.ts'

/** What happens on the page when the server reports something. */
export type LivePage = {
  readonly from: string | null
  changed(event: LiveEvent): void
  connected(isConnected: boolean): void
}

// The server makes the page again for it, so it waits for what comes together.
const REFRESH_MS = 400

/** The parts of the page that follow the server. */
export function livePage(): LivePage {
  const list = liveList()
  const say = announcer()
  const pause = pauseButton(() => schedule('everything'))
  let wanted: 'nothing' | 'regions' | 'everything' = 'nothing'
  let isBusy = false
  const schedule = (what: 'regions' | 'everything'): void => {
    if (wanted !== 'everything') wanted = what
    if (isBusy || !document.querySelector('[data-live]')) return
    isBusy = true
    setTimeout(() => void refresh(), REFRESH_MS)
  }
  const refresh = async (): Promise<void> => {
    const what = wanted
    wanted = 'nothing'
    await refreshRegions({ withList: what === 'everything' }).catch(() => {})
    isBusy = false
    if (wanted !== 'nothing') schedule(wanted)
  }
  return {
    from: list?.from ?? null,
    changed(event) {
      if (pause.isPaused()) return
      if ('record' in event) {
        if (list?.add(event.record)) say(event)
      }
      schedule(event.kind === 'gap' ? 'everything' : 'regions')
    },
    connected: isConnected => showConnection(isConnected),
  }
}

function showConnection(isConnected: boolean): void {
  const place = document.getElementById('connection')
  const text = isConnected ? 'Live' : 'Not connected: run npx kotef-watch ui'
  if (!place || place.textContent === text) return
  place.textContent = text
  place.classList.toggle('is-connected', isConnected)
}

/** The button that stops the page from changing while it is read. */
function pauseButton(resumed: () => void): { isPaused(): boolean } {
  const button = document.createElement('button')
  let isPaused = false
  const show = (): void => {
    button.textContent = isPaused ? 'Go on' : 'Pause'
    button.setAttribute('aria-pressed', String(isPaused))
  }
  button.type = 'button'
  button.className = 'pause'
  button.addEventListener('click', () => {
    isPaused = !isPaused
    show()
    if (!isPaused) resumed()
  })
  show()
  if (document.querySelector('[data-live], #live')) document.getElementById('connection')?.after(button)
  return { isPaused: () => isPaused }
}
