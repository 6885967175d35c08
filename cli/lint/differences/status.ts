import { type Differences, operation } from "./difference.ts"

/** Differences under the heading "Status of Ingresses". */
export const statusDifferences = {
  "status-update-interval-new-ingress-addresses": {
    what: "`--status-update-interval`: a new Ingress, or the addresses change",
    before: "Written at the next interval",
    now: "Written about a second later. The interval remains, to correct what somebody else has changed",
    why: "Nobody waits a minute for DNS",
    concerns: operation,
  },
  "publish-service-headless": {
    what: "`--publish-service` that is headless",
    before: "`None` is sent as an address, and refused by the API server every time",
    now: "The status is empty",
    concerns: operation,
  },
  "publish-status-address-name-externalname-service": {
    what: "`--publish-status-address`, and the name of an ExternalName Service",
    before: "Passed on. The API server refuses names in upper case or with a final dot, every time",
    now: "Names are written in lower case without the final dot. If a value is neither an address nor a name, wick does not start and says why",
    concerns: operation,
  },
  "last-replica-ends-while-pods-another": {
    what: "The last replica ends while Pods of another version of the chart run",
    before: "Empties the status: their labels differ",
    now: "Leaves it: `helm.sh/chart` and `app.kubernetes.io/version` tell no replicas apart",
    why: "An upgrade must not remove names from DNS",
    concerns: operation,
  },
  "addresses-nodes-no-replica-ready": {
    what: "Addresses of nodes: no replica is ready",
    before: "Emptied; written again at the next interval after one is ready",
    now: "Left as it is",
    why: "A restart is no reason to remove names from DNS",
    concerns: operation,
  },
  "addresses-nodes-during-rollout": {
    what: "Addresses of nodes: during a rollout",
    before: "Nodes of the leader's own generation of Pods",
    now: "Nodes of all ready replicas",
    why: "Both generations serve",
    concerns: operation,
  },
  "addresses-nodes-node-has-no-address": {
    what: "Addresses of nodes: a node has no address, or is gone",
    before: "An entry with an empty name",
    now: "No entry. The status is left as it is until the Pods of a node that is gone are no longer ready",
    concerns: operation,
  },
  "last-replica-stops": {
    what: "The last replica stops",
    before: "Pods that are being deleted or have ended count as replicas",
    now: "They do not count. If all replicas are stopped together, the status is emptied too",
    why: "Nobody is left to empty it later",
    concerns: operation,
  },
  "last-replica-stops-ingress-has-status": {
    what: "The last replica stops, and an Ingress has a status that this controller would not write",
    before: "Emptied",
    now: "Left as it is",
    why: "Somebody else wrote it, and may still serve",
    concerns: operation,
  },
  "replica-stops-cannot-find-out-whether": {
    what: "A replica stops and cannot find out whether there are others",
    before: "Emptied",
    now: "Left as it is",
    why: "An empty status removes names from DNS",
    concerns: operation,
  },
  "how-long-emptying-may-take": {
    what: "How long emptying may take",
    before: "As long as it takes, before nginx is told to stop",
    now: "A minute at most, while nginx finishes its requests",
    why: "The API server may be gone too",
    concerns: operation,
  },
} satisfies Differences
