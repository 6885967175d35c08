/** nginx's processes: the main and the events level. */
export interface Processes {
  /** "auto" counts the processors */
  readonly workerProcesses: number | "auto"
  /** `auto`, or masks of processors; "" leaves it to the kernel */
  readonly workerCpuAffinity: string
  /** how long the workers of an older configuration may go on with what they have begun */
  readonly workerShutdownTimeoutMs: number
  /** earlier configurations whose workers may go on so; those of older ones end */
  readonly maxOldGenerations: number
  /** connections of one worker; 0: three quarters of its open files */
  readonly maxWorkerConnections: number
  /** of one worker; 0: what the system allows */
  readonly maxWorkerOpenFiles: number
  readonly acceptsMany: boolean
  /** bytes of zones of shared memory; those of records grow beyond that when they get full */
  readonly zoneSizes: Partial<ZoneSizes>
  /** no zone grows beyond so many bytes; "auto" goes by the container's memory */
  readonly maxZoneSize: number | "auto"
  /** per cent of a zone of records that one namespace may have; 100: all */
  readonly zoneShare: number
  /** addresses and networks of clients whose connections are logged in full */
  readonly debugConnections: readonly string[]
}

/** Zones of records: one that gets full grows. */
export const zoneNames = ["backends", "routes", "certificates", "passthroughs"] as const

export type ZoneName = (typeof zoneNames)[number]

/** Zones of what may be forgotten: how often clients came, which nonces were used, what authentication services said. They stay as large as they were made. */
const cacheNames = ["limits", "nonces", "auth-cache"] as const

export const sizedZones = [...zoneNames, ...cacheNames] as const

export type ZoneSizes = Readonly<Record<(typeof sizedZones)[number], number>>

/** Ports, from the flags. */
export interface Ports {
  readonly httpPort: number
  readonly httpsPort: number
  readonly statusPort: number
  readonly defaultServerPort: number
  /** by the number of a listener's port: the one that clients know it by; absent: the same */
  readonly clientPorts?: Readonly<Record<number, number>>
}

/** How nginx listens on its ports. */
export interface Listening {
  /** IPv4 and IPv6 addresses; none stands for all */
  readonly bindAddresses: readonly string[]
  readonly disablesIpv6: boolean
  /** a listening socket for each worker */
  readonly reusesPort: boolean
  /** every connection begins with a PROXY protocol header */
  readonly expectsProxyProtocol: boolean
  readonly usesHttp2: boolean
  /** HTTP/3 on the ports with TLS, by UDP */
  readonly usesHttp3: boolean
  /** clients of QUIC show first that their address is theirs */
  readonly validatesQuicAddresses: boolean
}

/** Sizes of nginx's hash tables. */
export interface Hashes {
  readonly mapHashBucketSize: number
  readonly proxyHeadersHashMaxSize: number
  readonly proxyHeadersHashBucketSize: number
  readonly variablesHashMaxSize: number
  readonly variablesHashBucketSize: number
}

/** Balancing policies of somebody else. */
export interface Policies {
  /** headers of requests and responses that they may read, in lower case */
  readonly readableHeaders: readonly string[]
}
