import { flag, toggle } from "../flag.ts"
import { addresses, durationMs, qualified, text } from "../parser.ts"
import { signed } from "./numbers.ts"

/** The API server, and what is written to it. */
export const apiServer = {
  "apiserver-host": flag(
    "URL",
    text,
    "",
    "address of the API server; without --kubeconfig it is asked without credentials",
  ),
  "certificate-authority": flag("FILE", text, "", "CA of the API server, with --apiserver-host"),
  kubeconfig: flag(
    "FILE",
    text,
    "",
    "kubeconfig file; without it and --apiserver-host the Pod's service account is used",
  ),
  "sync-period": flag(
    "DURATION",
    durationMs,
    "0s",
    "list all objects again about this often; 0 for only when a watch cannot go on",
  ),
  "disable-leader-election": toggle(
    false,
    "take no part in leader election: no status is written, and every replica writes Events",
  ),
  "election-id": flag(
    "NAME",
    text,
    "ingress-controller-leader",
    "name of the Lease, in the namespace of this Pod, whose holder writes what one replica has to write",
  ),
  "election-ttl": flag(
    "DURATION",
    durationMs,
    "30s",
    "time after which another replica takes over from one that is gone; 30s if it is not above 0",
  ),
  "update-status": toggle(true, "write addresses into the status of Ingresses"),
  "update-status-on-shutdown": toggle(true, "clear that status when the last replica stops"),
  "status-update-interval": flag("SECONDS", signed, "60", "time between status checks, at least 5"),
  "publish-service": flag(
    "NAMESPACE/NAME",
    qualified,
    "",
    "Service whose addresses are written into the status",
  ),
  "publish-status-address": flag(
    "ADDRESSES",
    addresses,
    "",
    "IP addresses and names written into the status, separated by commas",
  ),
  "report-node-internal-ip-address": toggle(false, "write internal addresses of nodes into the status"),
  "disable-sync-events": toggle(false, "write no Events but those of reloads"),
}
