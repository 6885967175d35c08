import { maxAncestors, type StatusKind } from "../../../model/object-status.ts"
import { recordOf } from "../../../model/objects/reader.ts"
import { parseStatus, printStatus, type StatusText } from "../../../model/status-text.ts"
import type { PartOfStatus } from "../status-parts.ts"
import { generationsOf, type Moment, mergedConditions, readConditions } from "./conditions.ts"
import { type Json, listOf, picked } from "./fields.ts"
import {
  generationsOfEntries,
  isSameName,
  isSameRef,
  listenerFields,
  mergedEntries,
  readEntries,
} from "./status-entries.ts"

// What is ours in the status of the kinds of the Gateway API: conditions by their types, entries of parents and ancestors by the name of their controller.
// All else is of others, and stays.

/** A kind of status, without what is printed around it. */
interface Layout {
  /** our part, as `ObjectStatus.status` has it */
  readonly read: (status: Json) => Json
  /** of all conditions of ours */
  readonly generations: (status: Json) => readonly unknown[]
  /** @returns the status with our part as it is wanted */
  readonly merge: (status: Json, wanted: Json, moment: Moment) => Json
}

/** One object and its conditions, and listeners that have their own. @param fields what else is ours */
function withConditions(...fields: readonly string[]): Layout {
  const hasListeners = fields.includes("listeners")
  const others = fields.filter((field) => field !== "listeners")
  return {
    read: (status) => ({
      ...picked(status, ...others),
      conditions: readConditions(status.conditions),
      ...(hasListeners && { listeners: readEntries(status.listeners, listenerFields) }),
    }),
    generations: ({ conditions, listeners }) => [
      ...generationsOf(conditions),
      ...(hasListeners ? generationsOfEntries(listeners) : []),
    ],
    merge: (status, wanted, moment) => ({
      ...status,
      ...picked(wanted, ...others),
      conditions: mergedConditions(status.conditions, wanted.conditions, moment),
      ...(hasListeners && {
        listeners: mergedEntries(status.listeners, wanted.listeners, isSameName, moment),
      }),
    }),
  }
}

/** How many entries an API server takes, of all controllers together. Source: Gateway API, RouteStatus.parents. */
const maxEntries = { parents: 32, ancestors: maxAncestors } as const

/** Entries of several controllers. @param ref names what an entry is about */
function withEntries(list: keyof typeof maxEntries, ref: string, controllerName: string): Layout {
  const oursOf = (status: Json) =>
    listOf(status[list]).filter((entry) => entry.controllerName === controllerName)
  const othersOf = (status: Json) =>
    listOf(status[list]).filter((entry) => entry.controllerName !== controllerName)
  return {
    read: (status) => ({ [list]: readEntries(oursOf(status), [ref, "controllerName"]) }),
    generations: (status) => generationsOfEntries(oursOf(status)),
    merge: (status, wanted, moment) => {
      const ours = mergedEntries(oursOf(status), wanted[list], isSameRef(ref), moment)
      return { ...status, [list]: [...othersOf(status), ...ours].slice(0, maxEntries[list]) }
    },
  }
}

function layouts(controllerName: string): Readonly<Record<StatusKind, Layout>> {
  const ofRoute = withEntries("parents", "parentRef", controllerName)
  return {
    GatewayClass: withConditions("supportedFeatures"),
    Gateway: withConditions("addresses", "listeners", "attachedListenerSets"),
    ListenerSet: withConditions("listeners"),
    HTTPRoute: ofRoute,
    GRPCRoute: ofRoute,
    TLSRoute: ofRoute,
    TCPRoute: ofRoute,
    UDPRoute: ofRoute,
    BackendTLSPolicy: withEntries("ancestors", "ancestorRef", controllerName),
  }
}

/** @param controllerName `--gateway-controller-name` @param dateMs the time, milliseconds since 1970 */
export function gatewayStatusParts(
  controllerName: string,
  dateMs: () => number,
): Readonly<Record<StatusKind, PartOfStatus<StatusText>>> {
  const partOf = (layout: Layout): PartOfStatus<StatusText> => ({
    read: (object) => readPart(layout, recordOf(recordOf(object).status)),
    isSame: (a, b) => a === b,
    put: (status, part) => {
      const { generation, status: wanted } = parseStatus(part)
      return layout.merge(recordOf(status), recordOf(wanted), { generation, time: timeOf(dateMs()) })
    },
  })
  const all = Object.entries(layouts(controllerName)).map(([kind, layout]) => [kind, partOf(layout)] as const)
  return Object.fromEntries(all) as Record<StatusKind, PartOfStatus<StatusText>>
}

/** Conditions about several generations are none that anybody wants. */
function readPart({ read, generations }: Layout, status: Json): StatusText {
  const observed = [...new Set(generations(status))]
  const [only] = observed
  const generation = observed.length === 1 && typeof only === "number" ? only : -1
  return printStatus({ generation, status: read(status) })
}

/** Source: Kubernetes, Time of meta/v1: seconds. */
function timeOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}
