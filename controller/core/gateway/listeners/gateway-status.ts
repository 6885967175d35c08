import { type Condition, noneProgrammed, type ObjectStatus } from "../../../model/object-status.ts"
import type { Gateway } from "../../../model/objects/gateway/gateway.ts"
import type { ListenerSet } from "../../../model/objects/gateway/listener-set.ts"
import { shown } from "../../../model/shown.ts"
import { conditionOf, type Finding } from "../finding.ts"
import type { Parameters } from "../parameters.ts"
import type { Place } from "../placement.ts"
import type { BackendPair } from "../tls/backend-pair.ts"
import { type AttachableListener, isServed, listenerStatus } from "./attachable.ts"
import { type GatewayListeners, listenersOfOwner, type OwnedListeners } from "./gateways.ts"

type RoutesOf = (listener: AttachableListener) => number

export function gatewayStatus(
  of: GatewayListeners & OwnedListeners,
  place: Place,
  { backendPair, parameters }: { readonly backendPair: BackendPair; readonly parameters: Parameters },
  routesOf: RoutesOf,
): ObjectStatus {
  const { gateway, sets } = of
  const own = listenersOfOwner(of, gateway)
  const unserved = place.unsupported ?? place.unprogrammed
  const { namespace, name } = gateway.meta
  return {
    ...{ kind: "Gateway", namespace, name, generation: gateway.generation },
    status: {
      addresses: place.published,
      conditions: [
        acceptedOf(own, isValid, place.unsupported ?? parameters.refused),
        programmedOf(own, isValid, unserved),
        ...(gateway.backendCertificate ? [conditionOf("ResolvedRefs", backendPair.unresolved)] : []),
        ...insecureClients(gateway),
      ],
      listeners: own.map((listener) => listenerStatus(listener, routesOf(listener), unserved)),
      attachedListenerSets: sets.filter(
        ({ set, refused }) => refused === undefined && listenersOfOwner(of, set).some(isServed),
      ).length,
    },
  }
}

/** Clients are let in that show nothing that can be verified. */
function insecureClients({ clients, clientsOfPort }: Gateway): readonly Condition[] {
  const all = [clients, ...clientsOfPort.map((of) => of.clients)]
  if (!all.some((it) => it?.mode === "AllowInsecureFallback")) return []
  const message =
    "Clients without a certificate that can be verified are let in: mode is AllowInsecureFallback"
  return [{ type: "InsecureFrontendValidationMode", status: "True", reason: "ConfigurationChanged", message }]
}

/** @param refused why it may not add to its Gateway */
export function setStatus(
  set: ListenerSet,
  of: OwnedListeners,
  place: Place,
  refused: Finding | undefined,
  routesOf: RoutesOf,
): ObjectStatus {
  const own = listenersOfOwner(of, set)
  const unserved = place.unsupported ?? place.unprogrammed
  const { namespace, name } = set.meta
  return {
    ...{ kind: "ListenerSet", namespace, name, generation: set.generation },
    status: {
      conditions: refused
        ? [conditionOf("Accepted", refused), conditionOf("Programmed", refused)]
        : setConditions(own, unserved),
      listeners: own.map((listener) => listenerStatus(listener, routesOf(listener), unserved)),
    },
  }
}

function setConditions(
  own: readonly AttachableListener[],
  unserved: Finding | undefined,
): readonly Condition[] {
  const accepted = acceptedOf(own, isServed)
  if (accepted.status === "False") return [accepted, { ...accepted, type: "Programmed" }]
  return [accepted, programmedOf(own, isServed, unserved)]
}

/** What a Gateway goes by; one that lacks its certificate counts, which for a ListenerSet it does not. */
function isValid({ conflict, refused }: AttachableListener): boolean {
  return (conflict ?? refused) === undefined
}

type IsGood = (listener: AttachableListener) => boolean

/** As long as one listener is good its owner is accepted; the reason says if there are others. */
function acceptedOf(own: readonly AttachableListener[], isGood: IsGood, unsupported?: Finding): Condition {
  if (unsupported !== undefined) return conditionOf("Accepted", unsupported)
  const invalid = own.filter((listener) => !isGood(listener))
  if (invalid.length === 0) return conditionOf("Accepted", undefined)
  const names = invalid.map(({ spec }) => shown(spec.name)).join(", ")
  const message = `Listeners that cannot be served: ${names}; their conditions say why`
  const status = invalid.length < own.length ? "True" : "False"
  return { type: "Accepted", status, reason: "ListenersNotValid", message }
}

function programmedOf(
  own: readonly AttachableListener[],
  isGood: IsGood,
  unserved: Finding | undefined,
): Condition {
  if (unserved !== undefined)
    return conditionOf(
      "Programmed",
      unserved.reason === "UnsupportedAddress" ? { ...unserved, reason: "Invalid" } : unserved,
    )
  return own.some(isGood) ? conditionOf("Programmed", undefined) : noneProgrammed("Invalid")
}
