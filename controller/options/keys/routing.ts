import { type Keys, key } from "../key.ts"
import type { RouteSettings } from "../settings.ts"
import { emptyIs, oneOf } from "../values.ts"
import { onOff } from "./parsers.ts"

/** What holds for routes and backends whose Ingress says nothing. */
export const routing: Keys<RouteSettings> = {
  loadBalance: key(
    "load-balance",
    emptyIs("round_robin", oneOf("round_robin", "ewma", "least_conn", "p2c")),
    "round_robin",
  ),
  serviceUpstream: key("service-upstream", onOff, "false"),
}
