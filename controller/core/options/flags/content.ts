import { flag, refused, toggle, unneeded } from "../flag.ts"
import { qualified } from "../parser.ts"
import { port } from "./numbers.ts"

/** Objects that the flags name, and what is done with what Ingresses say. */
export const content = {
  configmap: flag("NAMESPACE/NAME", qualified, "", "the ConfigMap with the global settings"),
  "default-backend-service": flag(
    "NAMESPACE/NAME",
    qualified,
    "",
    "Service for requests that no rule matches; its first port",
  ),
  "default-ssl-certificate": flag(
    "NAMESPACE/NAME",
    qualified,
    "",
    "Secret with the certificate of hosts that have none",
  ),
  "tcp-services-configmap": flag(
    "NAMESPACE/NAME",
    qualified,
    "",
    "the ConfigMap with the TCP services; needs nginx's stream module",
  ),
  "udp-services-configmap": flag(
    "NAMESPACE/NAME",
    qualified,
    "",
    "the ConfigMap with the UDP services; needs nginx's stream module",
  ),
  "deep-inspect": toggle(
    true,
    "the admission webhook refuses Ingresses with suspicious text in hosts, paths and Secret names, of other classes, too",
  ),
  "enable-annotation-validation": refused(
    "values are always checked, since what is not could do anything: correct those that Problems name",
    toggle(true, "check the values of annotations"),
  ),
  "disable-svc-external-name": toggle(false, "Services of type ExternalName get no endpoints"),
  "enable-topology-aware-routing": toggle(
    false,
    "of Services that ask for it, prefer the endpoints meant for the zone of the controller's node",
  ),
  "enable-ssl-chain-completion": toggle(
    false,
    "fetch the intermediate certificates that chains of Secrets lack from where the certificates say",
  ),
  "enable-ssl-passthrough": toggle(
    false,
    "hand TLS connections on undecrypted where Ingresses ask for it; needs nginx's stream module",
  ),
  "ssl-passthrough-proxy-port": unneeded(
    "connections that are not passed through are served where they come in; no TCP or UDP service may have the port",
    flag("PORT", port, "442", "port of the server behind the one that passes connections through"),
  ),
}
