import { error, type ProblemEntry } from "./entry.ts"

/** Objects of the Gateway API. The message of each is that of a condition in the object's status. */
export const gatewayProblems = {
  "gateway-address": error(
    "A Gateway cannot have an address that it asks for, or there is none for it; it is served on those that it has",
    "Ask for another address or for none, or ask the operator of wick for more (--gateway-addresses)",
  ),
  "address-unsupported": error(
    "A Gateway asks for an address of a type, or with a routability, that is not supported; it is not served",
    "Ask for addresses of type IPAddress",
  ),
  "gateway-parameters": error(
    "What a GatewayClass or a Gateway names as its parameters cannot be used; it is as without",
    "Name a ConfigMap with the keys of docs/gateway-api.md",
  ),
  "listener-refused": error(
    "A listener has a protocol, a port or a kind of routes that cannot be served; it is left out, or takes no routes of that kind",
    "Correct the listener as the message says",
  ),
  "listener-conflict": error(
    "A listener has the same port, and the same hostname or another protocol, as one of its Gateway that comes first or stands beside it; it is left out",
    "Change the port or the hostname",
  ),
  "listener-certificate": error(
    "A certificate that a listener names cannot be used; without any the listener is left out",
    "Name a Secret with tls.crt and tls.key that is there",
  ),
  "authority-unusable": error(
    "CA certificates that a Gateway or a BackendTLSPolicy names cannot be used; where none can, nobody is let in, and no request is passed on",
    "Name a ConfigMap with PEM certificates in ca.crt",
  ),
  "policy-unsupported": error(
    "A BackendTLSPolicy has options, and none is known; no request is passed on by it",
    "Remove spec.options",
  ),
  "policy-conflict": error(
    "An older BackendTLSPolicy is for the same Service and port; this one has no effect",
    "Remove one of the two",
  ),
  "listener-set-refused": error(
    "A ListenerSet may not add listeners to its Gateway; it is left out",
    "Let spec.allowedListeners of the Gateway allow the namespace",
  ),
  "reference-not-permitted": error(
    "An object names one of another namespace, and no ReferenceGrant there allows it; it is not used",
    "Create a ReferenceGrant in the namespace of the object that is named",
  ),
  "route-detached": error(
    "A route cannot be attached to a Gateway or ListenerSet that it names; it is not served there",
    "Change the parentRef or the hostnames, or what the listener allows",
  ),
  "route-unsupported": error(
    "A rule of a route says something that is not supported; its requests are answered 500, as it may be meant to keep them out",
    "Remove what the message names",
  ),
  "backend-kind": error("A backend is no Service; its share of requests is answered 500", "Name a Service"),
  "backend-without-port": error(
    "A backend names no port; its share of requests is answered 500",
    "Name a port of the Service",
  ),
  "backend-protocol": error(
    "A Service has an appProtocol that the route cannot speak; its share of requests is answered 500",
    "Write a BackendTLSPolicy for the Service, or remove appProtocol",
  ),
} satisfies Readonly<Record<string, ProblemEntry>>
