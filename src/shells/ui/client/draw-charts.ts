import uPlot from 'uplot'
import type { ChartFacts } from '../pages/stats-chart.ts'

const HEIGHT = 220

/** Draws the charts of the page above their tables, which have the same numbers. */
export function drawCharts(): void {
  for (const island of document.querySelectorAll<HTMLElement>('[data-island="chart"]:not(.is-drawn)')) {
    island.classList.add('is-drawn')
    drawChart(island, JSON.parse(island.dataset['facts'] ?? 'null') as ChartFacts)
  }
}

function drawChart(island: HTMLElement, facts: ChartFacts): void {
  const legend = document.createElement('ul')
  const place = document.createElement('div')
  legend.className = 'legend'
  place.setAttribute('role', 'img')
  place.setAttribute('aria-label', `${facts.title}, for each period. The table below has the numbers.`)
  island.replaceChildren(legend, place)
  showLegend(legend, facts, null)
  let plot = makePlot(place, { facts, legend })
  const follow = new ResizeObserver(() => {
    if (!island.isConnected) return follow.disconnect()
    plot.setSize({ width: place.clientWidth, height: HEIGHT })
  })
  follow.observe(place)
  // A canvas does not follow the style sheet.
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    plot.destroy()
    plot = makePlot(place, { facts, legend })
  })
}

type Drawing = { readonly facts: ChartFacts; readonly legend: HTMLElement }

function makePlot(place: HTMLElement, { facts, legend }: Drawing): uPlot {
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim()
  const bars = uPlot.paths.bars?.({ size: [0.7, 48] })
  const axis = {
    stroke: colour('quiet'),
    grid: { stroke: colour('line-faint'), width: 1 },
    ticks: { show: false },
    size: 34,
  }
  const options: uPlot.Options = {
    width: place.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { show: false } },
    scales: {
      x: { time: false, range: [-0.6, facts.labels.length - 0.4] },
      y: { range: (_, __, max) => [0, max * 1.05 || 1] },
    },
    axes: [
      { ...axis, grid: { show: false }, values: (_, at) => at.map(n => facts.labels[n] ?? ''), space: 110 },
      { ...axis, size: 54 },
    ],
    // The topmost layer of a stack is drawn first, and the others over it.
    series: [
      {},
      ...[...facts.series].reverse().map(it => ({
        label: it.label,
        fill: colour(it.colour),
        stroke: colour(it.colour),
        width: 0,
        points: { show: false },
        ...(bars && { paths: bars }),
      })),
    ],
    hooks: { setCursor: [({ cursor: { idx } }) => showLegend(legend, facts, idx ?? null)] },
  }
  return new uPlot(options, [facts.labels.map((_, n) => n), ...stacked(facts)], place)
}

/** The upper ends of the layers, the topmost first. */
function stacked({ labels, series }: ChartFacts): number[][] {
  let below = labels.map(() => 0)
  const layers = series.map(({ values }) => (below = below.map((it, n) => it + (values[n] ?? 0))))
  return layers.reverse()
}

/** What the colours stand for, with the numbers of the period under the pointer. */
function showLegend(legend: HTMLElement, { labels, series }: ChartFacts, at: number | null): void {
  const items = series.map(({ label, colour, values }) => {
    const item = document.createElement('li')
    const mark = document.createElement('span')
    mark.className = `mark of-${colour}`
    item.append(mark, at === null ? label : `${label} ${values[at] ?? 0}`)
    return item
  })
  const period = document.createElement('li')
  period.textContent = at === null ? '' : (labels[at] ?? '')
  legend.replaceChildren(...items, period)
}
