/**
 * Another reader of calendars: `bun secondReader.ts FROM TO < texts`, in the zone of the environment. Texts are a JSON list, the answer is one
 * of `[start, end]` pairs in Unix seconds, joined where they meet, or of errors.
 */
import ical, { type VEvent } from "node-ical"

const [from = 0, to = 0] = process.argv.slice(2).map(Number)
const seconds = (date: Date) => Math.round(date.getTime() / 1000)
const isBlocking = ({ transparency, status }: VEvent) =>
  transparency !== "TRANSPARENT" && !/^cancell?ed$/i.test(status ?? "")

const rangesOf = (text: string) => {
  const found: Array<[number, number]> = []
  for (const component of Object.values(ical.sync.parseICS(text))) {
    if (component?.type !== "VEVENT") continue
    const instances = ical.expandRecurringEvent(component, {
      from: new Date((from - 86_400 * 40) * 1000),
      to: new Date((to + 86_400 * 40) * 1000),
      expandOngoing: true
    })
    for (const { start, end, event } of instances)
      if (isBlocking(event)) found.push([Math.max(seconds(start), from), Math.min(seconds(end), to)])
  }
  const ranges: Array<[number, number]> = []
  for (const [start, end] of found.filter(([start, end]) => start < end).sort(([a], [b]) => a - b)) {
    const last = ranges.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else ranges.push([start, end])
  }
  return ranges
}

const texts: ReadonlyArray<string> = JSON.parse(await Bun.stdin.text())
const answers = texts.map((text) => {
  try {
    return rangesOf(text)
  } catch (error) {
    return String(error)
  }
})
process.stdout.write(JSON.stringify(answers))
