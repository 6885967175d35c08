import { flag, unneeded } from "../flag.ts"
import { text } from "../parser.ts"
import { port, signed } from "./numbers.ts"

/** Where nginx and the controller listen. */
export const listeners = {
  "http-port": flag("PORT", port, "80", "port for HTTP"),
  "https-port": flag("PORT", port, "443", "port for HTTPS"),
  "status-port": flag("PORT", port, "10246", "port on 127.0.0.1 for the status of nginx"),
  "stream-port": unneeded(
    "backends of TCP and UDP take the way that all others take; no TCP or UDP service may have the port",
    flag("PORT", port, "10247", "port on 127.0.0.1 for backends of TCP and UDP"),
  ),
  "default-server-port": flag("PORT", port, "8181", "port of the server that answers 404 to everything"),
  "healthz-port": flag("PORT", port, "10254", "port of the health and metrics server"),
  "healthz-host": flag(
    "ADDRESS",
    text,
    "",
    "address that the health and metrics server binds; empty for all",
  ),
  "health-check-path": flag("PATH", text, "/healthz", "path of the health answer"),
  "health-check-timeout": unneeded(
    "health is answered at once, from what the controller knows: nothing is asked that could take time",
    flag("SECONDS", signed, "10", "time limit of a health check"),
  ),
}
