// Numbers and moments in words.

const grouped = new Intl.NumberFormat("en")
const day = new Intl.DateTimeFormat("en-CA", { dateStyle: "short", timeZone: "UTC" })
const minute = new Intl.DateTimeFormat("en-GB", { timeStyle: "short" })
const second = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" })
const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" })

/** `12,034` */
export function numberText(value: number): string {
  return grouped.format(value)
}

/** `1 route`, `12,034 routes` */
export function countText(count: number, noun: string, plural = `${noun}s`): string {
  return `${numberText(count)} ${count === 1 ? noun : plural}`
}

/** `2027-02-19`, in UTC, as certificates are read everywhere */
export function dayText(ms: number): string {
  return day.format(ms)
}

/** `03:12`, or `03:12:05`, by this machine's clock. @param seconds since 1970 */
export function timeText(seconds: number, isExact: boolean): string {
  return (isExact ? second : minute).format(seconds * 1000)
}

/** By this machine's clock. */
export function momentText(ms: number): string {
  return moment.format(ms)
}

const units: readonly (readonly [ms: number, noun: string])[] = [
  [86_400_000, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
  [1000, "second"],
]

/** `3 days`, `12 minutes`: one unit, rounded down. */
export function spanText(ms: number): string {
  const [size, noun] = units.find(([size]) => Math.abs(ms) >= size) ?? [1000, "second"]
  return countText(Math.floor(Math.abs(ms) / size), noun)
}

/** `3 days ago` */
export function agoText(ms: number, nowMs: number): string {
  return nowMs - ms < 1000 ? "just now" : `${spanText(nowMs - ms)} ago`
}

/** `12 ms`, `1.3 s` */
export function msText(ms: number): string {
  if (ms < 1) return "< 1 ms"
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}

/** `12 B`, `1.5 MiB` */
export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  return bytes < 1024 ** 2 ? `${Math.round(bytes / 1024)} KiB` : `${(bytes / 1024 ** 2).toFixed(1)} MiB`
}

/** `12 %`, `0.5 %` */
export function percentText(part: number): string {
  return `${smallText(part * 100)} %`
}

/** Of a number per second: `0.4`, `1,234` */
export function rateText(value: number): string {
  return smallText(value)
}

/** What is not nothing does not look like it. */
function smallText(value: number): string {
  if (value > 0 && value < 0.1) return "< 0.1"
  return value > 0 && value < 9.95 ? value.toFixed(1).replace(/\.0$/, "") : numberText(Math.round(value))
}
