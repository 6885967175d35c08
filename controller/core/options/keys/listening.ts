import type { Listening } from "../../../model/http/processes.ts"
import { type EntriesFor, family, key } from "../key.ts"
import { ipAddress } from "./addresses.ts"
import { falseByDefault, trueByDefault } from "./syntax.ts"
import { listOf } from "./texts.ts"

const addresses = { values: "addresses separated by commas", parse: listOf(ipAddress) }

export const listening = family("Listeners", {
  bindAddresses: key("bind-address", addresses, "", {
    shownDefault: "all",
    example: "127.0.0.1",
    description: "addresses that nginx listens on",
  }),
  disablesIpv6: falseByDefault("disable-ipv6", "whether nginx does not listen on IPv6 addresses"),
  reusesPort: trueByDefault("reuse-port", "whether each worker has a listening socket of its own"),
  expectsProxyProtocol: falseByDefault(
    "use-proxy-protocol",
    "whether client connections begin with the PROXY protocol",
  ),
  usesHttp2: trueByDefault("use-http2", "whether TLS clients may use HTTP/2", {
    section: "Client connections",
  }),
  usesHttp3: falseByDefault(
    "use-http3",
    "whether clients may use HTTP/3 on the port of HTTPS, and on those of Gateways whose parameters ask for it; needs an nginx with HTTP/3 (1.26 of Debian 13)",
    { section: "Client connections" },
  ),
  validatesQuicAddresses: falseByDefault(
    "quic-retry",
    "HTTP/3: whether clients show that their address is theirs before anything is done for them, which takes one round trip more",
    { section: "Client connections", exampleWith: { keys: { "use-http3": "true" } } },
  ),
} satisfies EntriesFor<Listening>)
