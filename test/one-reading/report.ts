/** How a server has read a request. */
export interface Report {
  readonly who: string
  readonly method: string
  /** as it came */
  readonly target: string
  readonly host: string
  /** the path, decoded once, dots and all */
  readonly path: string
  /** the path as the server's own functions make it normal */
  readonly normal: string
  /** the route that wick says it took */
  readonly prefix: string
  readonly forwardedFor: string
  readonly realIp: string
  readonly proto: string
  readonly forwardedHost: string
  readonly user: string
  readonly id: string
  /** bytes of the body; `?`: it does not know */
  readonly length: string
}

const fields = [
  "who",
  "method",
  "target",
  "host",
  "path",
  "normal",
  "prefix",
  "forwardedFor",
  "realIp",
  "proto",
  "forwardedHost",
  "user",
  "id",
  "length",
] as const satisfies readonly (keyof Report)[]

/** What a backend's answer says; `undefined`: it is none of theirs. */
export function readReport(text: string): Report | undefined {
  const values = text.split("\x1f")
  if (values.length !== fields.length) return undefined
  return Object.fromEntries(fields.map((field, at) => [field, values[at] ?? ""])) as unknown as Report
}

export function printReport(report: Report): string {
  return fields.map((field) => report[field]).join("\x1f")
}
