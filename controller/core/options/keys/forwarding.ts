import type { Forwarding } from "../../../model/http/requests.ts"
import { type EntriesFor, family, key } from "../key.ts"
import { networks } from "./addresses.ts"
import { falseByDefault, trueByDefault } from "./syntax.ts"
import { headerName, wholeListOf } from "./texts.ts"

export const forwarding = family("Forwarded requests", {
  usesForwardedHeaders: falseByDefault(
    "use-forwarded-headers",
    "whether `X-Forwarded-*` headers of the proxies in proxy-real-ip-cidr are trusted",
    { exampleWith: { keys: { "proxy-real-ip-cidr": "10.0.0.0/8" } } },
  ),
  usesRealIp: falseByDefault("enable-real-ip", "whether only the client's address is taken from a header"),
  forwardedForHeader: key("forwarded-for-header", headerName, "X-Forwarded-For", {
    example: "X-Real-IP",
    description: "header with the client's address",
  }),
  forwardedForProxyProtocolHeader: key(
    "forwarded-for-proxy-protocol-header",
    headerName,
    "X-Forwarded-For-Proxy-Protocol",
    {
      example: "X-PP",
      description:
        "internal header for the client's address when use-proxy-protocol and use-forwarded-headers are both on",
    },
  ),
  forwardedHostHeader: key("forwarded-host-header", headerName, "X-Forwarded-Host", {
    example: "X-Host",
    description: "header that `X-Original-Forwarded-Host` is taken from",
  }),
  /** `null`: whose statements are to be trusted cannot be told, so nobody's are and no client's address is known */
  trustedProxies: key<Forwarding["trustedProxies"] | null>(
    "proxy-real-ip-cidr",
    networks(wholeListOf),
    "0.0.0.0/0",
    {
      example: "10.0.0.0/8",
      description:
        "proxies that are trusted about their clients: the address, and with use-forwarded-headers all of `X-Forwarded-*`",
      whenRefused: {
        value: null,
        state: "cannot be used, so nobody is trusted and paths with lists of addresses get 503",
      },
    },
  ),
  computesFullForwardedFor: falseByDefault(
    "compute-full-forwarded-for",
    "whether addresses are appended to `X-Forwarded-For` instead of replacing it",
  ),
  generatesRequestId: trueByDefault(
    "generate-request-id",
    "whether requests without `X-Request-ID` get a random one",
  ),
  addsOriginalUri: falseByDefault("proxy-add-original-uri-header", "whether backends get `X-Original-URI`"),
} satisfies EntriesFor<Omit<Forwarding, "trustedProxies">>)
