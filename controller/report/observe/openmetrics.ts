// OpenMetrics 1.0 out of Prometheus' text, which differs in little. Names stay: counters that dashboards know without `_total` are of the
// type `unknown`, as Go's client library has it, and not renamed.

/** @param parts text, cut anywhere */
export async function* openMetrics(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const families = new Set<string>()
  const converted = (text: string) =>
    Buffer.from(canonicalBounds(withoutEmptyLines(familyHeads(text, families))))
  for await (const text of inWholeLines(parts)) yield converted(text)
  yield Buffer.from("# EOF\n")
}

/** The two lines that begin a metric are in one of them. */
async function* inWholeLines(parts: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0)
  for await (const part of parts) {
    const all = Buffer.concat([rest, part])
    const end = endOfLines(all)
    rest = all.subarray(end)
    if (end > 0) yield all.toString("utf8", 0, end)
  }
  if (rest.length > 0) yield rest.toString()
}

/** Behind the last whole line, or before it, if the next one belongs to it. */
function endOfLines(text: Buffer): number {
  const end = text.lastIndexOf("\n") + 1
  const last = end < 2 ? 0 : text.lastIndexOf("\n", end - 2) + 1
  return text.toString("latin1", last, Math.min(end, last + help.length)) === help ? last : end
}

const help = "# HELP "

function familyHeads(text: string, families: Set<string>): string {
  return text.replaceAll(
    /^# HELP (\S+) (.*)\n# TYPE \S+ (\w+)$/gm,
    (_, metric: string, help: string, kind: string) => {
      const [name, type] = kind === "counter" ? counter(metric, families) : [metric, kind]
      families.add(name)
      return `# HELP ${name} ${help.replaceAll('"', '\\"')}\n# TYPE ${name} ${type}`
    },
  )
}

/** A family of counters is named without `_total`, unless a metric of that name is there: `…_connections` is one, beside `…_connections_total`. */
function counter(metric: string, families: ReadonlySet<string>): readonly [name: string, type: string] {
  const name = metric.replace(/_total$/, "")
  return name === metric || families.has(name) ? [metric, "unknown"] : [name, "counter"]
}

/** They may stand between metrics in the one format, and nowhere in the other. */
function withoutEmptyLines(text: string): string {
  return text.replaceAll(/\n{2,}/g, "\n").replace(/^\n/, "")
}

/** `le="1.0"` in the place of `le="1"`. */
function canonicalBounds(text: string): string {
  return text.replaceAll(/([{,]le="\d+)"/g, '$1.0"')
}
