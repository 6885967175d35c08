// Which headers two answers to the same request have to share, and in which form their values are compared.

/** What a header's value comes to; undefined when nobody expects it to be the same twice. */
type Form = (value: string) => string | undefined

const ignored: Form = () => undefined
/** Only whether it is there. */
const present: Form = () => "present"
/** Items separated by commas in any order, without regard to case. */
const list: Form = (value) =>
  value
    .toLowerCase()
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "")
    .sort()
    .join(", ")
const asIs: Form = (value) => value.trim()

/** A URL without a path is the one with "/" (RFC 9110, 4.2.3): ingress-nginx writes the one, redirects of the Gateway API the other. */
const url: Form = (value) => value.trim().replace(/^(https?:\/\/[^/?#]+)(?=$|[?#])/i, "$1/")

const forms: Readonly<Record<string, Form>> = {
  // of a moment
  date: ignored,
  age: ignored,
  expires: present,
  "server-timing": ignored,
  "x-runtime": ignored,
  "x-response-time": ignored,
  "x-envoy-upstream-service-time": ignored,
  // of one request
  "x-request-id": ignored,
  "request-id": ignored,
  "x-correlation-id": ignored,
  "x-trace-id": ignored,
  "x-b3-traceid": ignored,
  "x-b3-spanid": ignored,
  "x-amzn-trace-id": ignored,
  "x-amzn-requestid": ignored,
  "cf-ray": ignored,
  traceparent: ignored,
  tracestate: ignored,
  // of a connection (RFC 9110, 7.6.1)
  connection: ignored,
  "keep-alive": ignored,
  "transfer-encoding": ignored,
  "proxy-connection": ignored,
  // said with the body, but for HEAD
  "content-length": ignored,
  location: url,
  vary: list,
  allow: list,
  "access-control-allow-headers": list,
  "access-control-allow-methods": list,
  "access-control-expose-headers": list,
  "cache-control": list,
  "content-type": (value) =>
    value
      .toLowerCase()
      .replace(/\s*;\s*/g, "; ")
      .trim(),
  "set-cookie": cookie,
  "www-authenticate": (value) => value.replace(/\b(c?nonce|opaque)="[^"]*"/gi, '$1="…"'),
}

/** @param name in lower case @returns undefined when it does not count */
export function comparable(name: string, values: readonly string[]): string | undefined {
  const form = forms[name] ?? asIs
  const all = values.map(form)
  return all.some((value) => value === undefined) ? undefined : all.sort().join(", ")
}

/** A session has another value each time: its name and what a browser is told about it count. */
function cookie(value: string): string {
  const [pair = "", ...attributes] = value.split(";").map((part) => part.trim())
  const [name = ""] = pair.split("=")
  const told = attributes.map((attribute) => {
    const [key = "", text = ""] = attribute.split("=")
    if (key.toLowerCase() === "expires") return "expires"
    return text === "" ? key.toLowerCase() : `${key.toLowerCase()}=${text}`
  })
  return [`${name}=…`, ...told.sort()].join("; ")
}
