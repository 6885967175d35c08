import type { ApiRequest } from "../api.ts"
import { apiVersionOf } from "../kinds.ts"
import type { EventRecord } from "./event-record.ts"

/** Under which Events of ingress-nginx are found. */
const component = "nginx-ingress-controller"

/** Events of objects that lie in no namespace lie in this one. Source: Kubernetes, API validation of events. */
export function namespaceOf({ event: { object } }: EventRecord): string {
  return object.namespace === "" ? "default" : object.namespace
}

/** The request that makes the Event. @param instance who reports it: the name of our Pod */
export function creation(record: EventRecord, instance: string): ApiRequest {
  const { event, name, firstDateMs } = record
  const { kind, namespace, name: objectName, uid } = event.object
  return {
    method: "POST",
    path: collectionOf(record),
    body: {
      apiVersion: "v1",
      kind: "Event",
      metadata: { namespace: namespaceOf(record), name },
      involvedObject: {
        apiVersion: apiVersionOf(kind),
        kind,
        ...(namespace !== "" && { namespace }),
        name: objectName,
        ...(uid !== "" && { uid }),
      },
      type: event.type,
      reason: event.reason,
      source: { component, host: instance },
      reportingComponent: component,
      reportingInstance: instance,
      firstTimestamp: new Date(firstDateMs).toISOString(),
      ...latest(record),
    },
  }
}

/** The request that says that it has happened again. */
export function repetition(record: EventRecord): ApiRequest {
  return {
    method: "PATCH",
    path: `${collectionOf(record)}/${encodeURIComponent(record.name)}`,
    contentType: "application/merge-patch+json",
    body: latest(record),
  }
}

function latest({ event: { message }, count, lastDateMs }: EventRecord) {
  return { message, count, lastTimestamp: new Date(lastDateMs).toISOString() }
}

function collectionOf(record: EventRecord): string {
  return `/api/v1/namespaces/${encodeURIComponent(namespaceOf(record))}/events`
}
