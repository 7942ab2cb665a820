import { copyCommands } from './copy-commands.ts'
import { awaitFacts } from './await-facts.ts'
import { drawCharts } from './draw-charts.ts'
import { keepTimes } from './keep-times.ts'
import { joinStream } from './join-stream.ts'
import { livePage } from './live-page.ts'
import { untilMade } from './made-page.ts'
import { openForPrint } from './open-for-print.ts'
import { whyCards } from './why-cards.ts'

// Runs on every page that a server sends. Pages are complete without it.
document.documentElement.classList.add('has-script')
void untilMade().then(() => {
  keepTimes()
  whyCards()
  openForPrint()
  document.querySelector('.bar nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  copyCommands()
  const page = livePage()
  joinStream({ from: page.from, changed: page.changed, connected: page.connected })
  drawCharts()
  awaitFacts(drawCharts)
})
