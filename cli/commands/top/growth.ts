/** How much was added. Counters begin anew when nginx does. */
export function grown(before: number, now: number): number {
  return now >= before ? now - before : now
}
