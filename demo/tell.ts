// What the demo prints: plain lines, a little colour on a terminal.
import { styleText } from "node:util"
import { compareText } from "../controller/support/order.ts"

const style = (format: Parameters<typeof styleText>[0], text: string) =>
  styleText(format, text, { stream: process.stdout })

export function say(line = ""): void {
  process.stdout.write(`${line}\n`)
}

export function heading(number: number, text: string): void {
  say(`\n${style("bold", `${number}. ${text}`)}`)
}

/** Something that was done: a file written, a request sent. */
export function did(text: string): void {
  say(`   ${style("dim", text)}`)
}

/** Something that was seen. */
export function saw(text: string): void {
  say(`   ${style("green", "✓")} ${text}`)
}

export function failed(text: string): void {
  say(`   ${style("red", "✗")} ${text}`)
}

export function milliseconds(ms: number): string {
  return style("bold", `${ms < 10 ? ms.toFixed(1) : ms.toFixed(0)} ms`)
}

/** `cart-1 ×10, cart-2 ×10`, in order of the names. */
export function printCounts(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].sort(([a], [b]) => compareText(a, b))
  return sorted.map(([name, count]) => `${name} ×${count}`).join(", ")
}
