import type { Forwarding } from "../../../model/http/forwarding.ts"
import { type Keys, key } from "../key.ts"
import { network } from "./addresses.ts"
import { headerName, onOff, wholeListOf } from "./parsers.ts"

export const forwarding: Keys<Forwarding> = {
  usesForwardedHeaders: key("use-forwarded-headers", onOff, "false"),
  usesRealIp: key("enable-real-ip", onOff, "false"),
  forwardedForHeader: key("forwarded-for-header", headerName, "X-Forwarded-For"),
  forwardedForProxyProtocolHeader: key(
    "forwarded-for-proxy-protocol-header",
    headerName,
    "X-Forwarded-For-Proxy-Protocol",
  ),
  forwardedHostHeader: key("forwarded-host-header", headerName, "X-Forwarded-Host"),
  trustedProxies: key("proxy-real-ip-cidr", wholeListOf(network), "0.0.0.0/0"),
  computesFullForwardedFor: key("compute-full-forwarded-for", onOff, "false"),
  generatesRequestId: key("generate-request-id", onOff, "true"),
  addsOriginalUri: key("proxy-add-original-uri-header", onOff, "false"),
}
