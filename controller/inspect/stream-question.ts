import type { StreamListener } from "../model/stream-listener.ts"
import { canonicalRange } from "../support/address-range.ts"
import type { Failure } from "../support/failure.ts"

// The connection, or the datagram, that is to be explained, as a person writes it: `tcp://HOST:PORT`.

export interface StreamQuestion extends StreamListener {
  /** the server name that the client of TLS asks for, in lower case; absent: none */
  readonly sni?: string
  /** address of the client */
  readonly client?: string
}

const url = /^(tcp|udp):\/\/(\[[^\]]*\]|[^/?#:[\]]*):(\d{1,5})\/?$/i

/** Whether it is about a port, not about a request. */
export function isStreamUrl(text: string): boolean {
  return /^(tcp|udp):\/\//i.test(text)
}

/**
 * @param sni as it is asked for; undefined: the URL's host, where that is a name
 * @throws Failure as `wrong` makes it
 */
export function streamQuestionOf(
  text: string,
  { sni, client }: { readonly sni?: string | undefined; readonly client?: string | undefined },
  wrong: (what: string) => Failure,
): StreamQuestion {
  const [, scheme = "", host = "", digits = ""] = url.exec(text) ?? []
  const port = Number(digits)
  if (port < 1 || port > 65_535)
    throw wrong(
      `Cannot read "${text}": write tcp://HOST:PORT or udp://HOST:PORT, with a port from 1 to 65535`,
    )
  const protocol = scheme.toLowerCase() === "udp" ? "udp" : "tcp"
  if (sni !== undefined && protocol === "udp") throw wrong("Clients of UDP ask for no server name")
  const address = addressIn(host)
  const name = protocol === "udp" ? "" : nameOf(sni ?? host)
  return {
    protocol,
    ...(address !== undefined && { address }),
    port,
    ...(name !== "" && { sni: name }),
    ...(client !== undefined && { client }),
  }
}

/** As listeners have it; undefined: it is a name. */
function addressIn(host: string): string | undefined {
  return canonicalRange(host.replace(/^\[|\]$/g, ""))?.replace(/\/\d+$/, "")
}

/** TLS knows no addresses as names (RFC 6066, 3). */
function nameOf(host: string): string {
  return addressIn(host) === undefined ? host.toLowerCase().replace(/\.$/, "") : ""
}
