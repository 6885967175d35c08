import { flag, toggle } from "../flag.ts"
import { integer, ipAddress, text } from "../parser.ts"

/** wick's own. */
export const own = {
  manifests: flag(
    "DIR",
    text,
    "",
    "read objects from *.yaml, *.yml and *.json under DIR and watch it, instead of an API server",
  ),
  policies: flag(
    "DIR",
    text,
    "",
    "balancing policies: NAME.wasm under DIR, which is watched; the ConfigMap's key policies says who may use which",
  ),
  "geoip-dir": flag(
    "DIR",
    text,
    "/etc/ingress-controller/geoip",
    "databases of GeoIP: NAME.mmdb in DIR, which is watched, and where they are downloaded to",
  ),
  "runtime-dir": flag(
    "DIR",
    text,
    "",
    "where everything is written; when absent /run/wick, or a directory of its own under the system's temporary one if that cannot be written",
  ),
  nginx: flag("FILE", text, "", "the nginx binary; when absent the one beside the installation"),
  module: flag(
    "DIR",
    text,
    "",
    "the directory of ngx_http_wasm_module.so and ngx_http_ingress_module.so; when absent the one beside the installation",
  ),
  "modsecurity-files": flag(
    "DIR",
    text,
    "",
    "the directory of ModSecurity's recommended rules and of the Core Rule Set; when absent the one beside the installation",
  ),
  "modsecurity-library": flag(
    "FILE",
    text,
    "",
    "libmodsecurity.so.3, which is loaded when rules are to look at requests; when absent that of the system",
  ),
  balancer: flag("FILE", text, "", "the balancer's .wasm; when absent the one beside the installation"),
  "resolv-conf": flag(
    "FILE",
    text,
    "/etc/resolv.conf",
    "name servers and search domains for the names of ExternalName Services",
  ),
  "metrics-per-endpoint": toggle(
    false,
    "attempts, failures and response times of each endpoint; needs --enable-metrics",
  ),
  "ui-port": flag(
    "PORT",
    integer(0, 65_535),
    "0",
    "port of the page that shows what is in force; 0 for none (wick ui serves it without this)",
  ),
  "ui-address": flag(
    "ADDRESS",
    ipAddress,
    "127.0.0.1",
    "address that the page binds; any but a loopback address needs --ui-token-file",
  ),
  "ui-token-file": flag(
    "FILE",
    text,
    "",
    "file with the token that every request for the page needs; read again when it changes",
  ),
  "profiler-token-file": flag(
    "FILE",
    text,
    "",
    "file with the token that every request for a profile needs; read again when it changes",
  ),
  help: { ...toggle(false, "list the commands and exit"), short: "h" },
  "help-flags": toggle(false, "list the flags by what they are about and exit"),
}
