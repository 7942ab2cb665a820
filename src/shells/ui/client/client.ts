import { copyCommands } from './copy-commands.ts'
import { awaitFacts } from './await-facts.ts'
import { dismissWhy } from './dismiss-why.ts'
import { drawCharts } from './draw-charts.ts'
import { keepTimes } from './keep-times.ts'
import { joinStream } from './join-stream.ts'
import { livePage } from './live-page.ts'
import { untilMade } from './made-page.ts'

// Runs on every page that a server sends. Pages are complete without it.
document.documentElement.classList.add('has-script')
void untilMade().then(() => {
  keepTimes()
  dismissWhy()
  copyCommands()
  const page = livePage()
  joinStream({ from: page.from, changed: page.changed, connected: page.connected })
  drawCharts()
  awaitFacts(drawCharts)
})
