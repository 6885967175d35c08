import type { LabelSelector } from "../../model/objects/label-selector.ts"

interface ObjectOption {
  readonly namespace: string
  readonly name: string
}

/** The flags that say which API server is asked, for what, and who leads; each is described in core/options/flags/. */
export interface ClusterFlags {
  // where it is and how to get in
  readonly apiserverHost: string
  readonly certificateAuthority: string
  readonly kubeconfig: string
  // what is watched
  readonly watchNamespace: string
  readonly watchNamespaceSelector?: LabelSelector | undefined
  readonly gatewayApi: boolean
  readonly gatewayAddresses: readonly string[]
  readonly manifests: string
  readonly configmap?: ObjectOption | undefined
  readonly tcpServicesConfigmap?: ObjectOption | undefined
  readonly udpServicesConfigmap?: ObjectOption | undefined
  readonly defaultSslCertificate?: ObjectOption | undefined
  readonly defaultBackendService?: ObjectOption | undefined
  readonly publishService?: ObjectOption | undefined
  readonly enableTopologyAwareRouting: boolean
  /** milliseconds; 0 is never */
  readonly syncPeriod: number
  // who leads, and what the leader writes
  readonly disableLeaderElection: boolean
  readonly electionId: string
  /** milliseconds */
  readonly electionTtl: number
  readonly updateStatus: boolean
  readonly updateStatusOnShutdown: boolean
  readonly gatewayControllerName: string
  readonly publishStatusAddress: readonly unknown[]
}
