import { flag, toggle } from "../flag.ts"
import { controllerName, ipAddresses, portRange } from "../parser.ts"

/** The Gateway API. */
export const gateway = {
  "gateway-api": toggle(
    true,
    "serve the Gateway API too, where its CustomResourceDefinitions are installed and may be read",
  ),
  "gateway-controller-name": flag(
    "DOMAIN/PATH",
    controllerName,
    "wick.dev/gateway",
    "spec.controllerName of the GatewayClasses that are ours",
  ),
  "gateway-addresses": flag(
    "ADDRESSES",
    ipAddresses,
    "",
    "IP addresses of this machine that Gateways get, one each, separated by commas; without them each Gateway gets a Service",
  ),
  "gateway-port-range": flag(
    "FIRST-LAST",
    portRange,
    "20000-24999",
    "ports that the Services of Gateways lead to, one for each of their listeners' ports",
  ),
}
