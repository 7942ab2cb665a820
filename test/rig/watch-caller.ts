/** What work in other processes costs this one: the most time that its event loop was busy at once, and memory. */
export type CallerCost = { readonly busyMsMax: number; readonly grownMiB: number }

/** Watches this process until the work is done. Time in which the machine did something else does not count. */
export async function watchCaller<T>(work: () => Promise<T>): Promise<{ answer: T; cost: CallerCost }> {
  let busyMsMax = 0
  let last = process.cpuUsage()
  const look = () => {
    const { user, system } = process.cpuUsage(last)
    busyMsMax = Math.max(busyMsMax, (user + system) / 1000)
    last = process.cpuUsage()
  }
  const timer = setInterval(look, 5)
  const before = process.memoryUsage.rss()
  const answer = await work()
  look()
  clearInterval(timer)
  return { answer, cost: { busyMsMax, grownMiB: (process.memoryUsage.rss() - before) / 2 ** 20 } }
}
