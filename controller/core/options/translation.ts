import { type PortRange, portsConfigMapOf } from "../../model/gateway-ports.ts"
import type { GeoEdition } from "../../model/geo-edition.ts"
import type { Ports } from "../../model/http/processes.ts"
import { canonicalAddress } from "../../support/address.ts"
import type { EndpointRules } from "../../support/judge-endpoint.ts"
import type { Options } from "./flags.ts"
import { type OwnPort, ownPorts, reservedPorts } from "./own-ports.ts"

/** What the command line says about translation. One object for the life of the process: results of earlier passes are remembered by its identity. */
export interface TranslateOptions {
  /** `--annotations-prefix`, without the slash */
  readonly annotationsPrefix: string
  /** `--default-backend-service`; absent: requests without a route are answered 404 */
  readonly defaultBackendService?: { readonly namespace: string; readonly name: string }
  /** `--configmap`; absent: there is none */
  readonly configMap?: { readonly namespace: string; readonly name: string }
  /** `--default-ssl-certificate`; absent: hosts without a certificate show a self-signed one */
  readonly defaultSslCertificate?: { readonly namespace: string; readonly name: string }
  /** `--disable-catch-all`: Ingresses with a spec.defaultBackend are left out */
  readonly disableCatchAll: boolean
  /** with `--manifests` endpoints may be in 127.0.0.0/8 and ::1 */
  readonly endpoints: EndpointRules
  /** of the controller's Pod: what EndpointSlices say there of wick's own Services is believed. "" where there is none */
  readonly ownNamespace: string
  /** `--disable-svc-external-name`: Services of type ExternalName have no endpoints */
  readonly disableSvcExternalName: boolean
  /** `--enable-ssl-passthrough` */
  readonly passesTls: boolean
  /** `--maxmind-edition-ids` */
  readonly geoEditions: readonly GeoEdition[]
  /** folder of the recommended rules of ModSecurity and of the Core Rule Set, absolute */
  readonly modsecurityFiles: string
  readonly ports: Ports
  readonly streams: StreamOptions
  /** absent: it is not served */
  readonly gateway?: GatewayOptions
}

/** The Gateway API, and where its Gateways are. */
export interface GatewayOptions {
  /** `--gateway-controller-name` */
  readonly controllerName: string
  /** `--gateway-addresses`: one for each Gateway; none: see `ports` */
  readonly addresses: readonly string[]
  /** the ConfigMap that says which of our ports is whose, where each Gateway gets a Service; absent: all are on all addresses of this machine */
  readonly ports?: { readonly namespace: string; readonly name: string }
  /** `--gateway-port-range`, which those are of */
  readonly portRange?: PortRange
  /** those of Ingresses, which clients reach as 80 and 443 */
  readonly usual: Pick<Ports, "httpPort" | "httpsPort">
  /** `--publish-status-address`: where Ingresses are said to be reached */
  readonly published: readonly string[]
  /** `--publish-service`: the Service under whose addresses they are, too; absent: none is named */
  readonly publishService?: { readonly namespace: string; readonly name: string }
}

/** Which ConfigMaps have the TCP and UDP services; absent: there are none. */
interface StreamOptions {
  readonly tcp?: { readonly namespace: string; readonly name: string }
  readonly udp?: { readonly namespace: string; readonly name: string }
  /** ports that no such service may have */
  readonly reserved: readonly OwnPort[]
}

const none: ReadonlySet<string> = new Set()

/**
 * The part of the flags that translation depends on.
 *
 * @param ownAddresses as in `EndpointRules`
 * @param ownNamespace, modsecurityFiles as in `TranslateOptions`
 */
export function translateOptions(
  flags: Options,
  ownAddresses = none,
  ownNamespace = "",
  modsecurityFiles = "/etc/wick/modsecurity",
): TranslateOptions {
  const { annotationsPrefix, defaultBackendService, defaultSslCertificate, disableCatchAll } = flags
  const { configmap: configMap, tcpServicesConfigmap: tcp, udpServicesConfigmap: udp } = flags
  const { httpPort, httpsPort, statusPort, defaultServerPort } = flags
  return {
    annotationsPrefix,
    ...(defaultBackendService && { defaultBackendService }),
    ...(configMap && { configMap }),
    ...(defaultSslCertificate && { defaultSslCertificate }),
    disableCatchAll,
    endpoints: {
      allowLoopback: flags.manifests !== "",
      ownPorts: new Set(ownPorts(flags).map(({ port }) => port)),
      ownAddresses,
    },
    ownNamespace,
    disableSvcExternalName: flags.disableSvcExternalName,
    passesTls: flags.enableSslPassthrough,
    geoEditions: flags.maxmindEditionIds,
    modsecurityFiles,
    ports: { httpPort, httpsPort, statusPort, defaultServerPort },
    streams: {
      ...(tcp && { tcp }),
      ...(udp && { udp }),
      reserved: reservedPorts(flags),
    },
    ...(flags.gatewayApi && { gateway: gatewayOptions(flags, ownNamespace) }),
  }
}

function gatewayOptions(flags: Options, ownNamespace: string): GatewayOptions {
  const { gatewayControllerName: controllerName, gatewayAddresses: addresses, httpPort, httpsPort } = flags
  const { publishService } = flags
  const ports = portsConfigMapOf(flags, ownNamespace)
  return {
    controllerName,
    addresses,
    usual: { httpPort, httpsPort },
    published: flags.publishStatusAddress.map(canonicalAddress),
    ...(publishService && { publishService }),
    ...(ports && { ports, portRange: flags.gatewayPortRange }),
  }
}
