// Printed by `npm run wire` from wire/: change it there.

/** A port of TCP or UDP and what serves it. Field meanings and ranges: docs/wire.md, STREAM. */
export interface Stream {
  /** `streamName` */
  readonly name: string
  /** `Backend.name` */
  readonly backend: string
  /** of the Service */
  readonly namespace?: string
  readonly serviceName?: string
  readonly servicePort?: string
  /** `streamSource` of the object that asks for it */
  readonly source?: string
  /** of TCP: clients send a PROXY header */
  readonly acceptsProxyProtocol?: true
  /** of TCP: the endpoint gets a PROXY header of this version */
  readonly sendsProxyProtocol?: "v1" | "v2"
  /** between two reads or writes of either side */
  readonly proxyTimeoutMs?: number
  readonly proxyConnectTimeoutMs?: number
  /** whether another endpoint is tried when one does not connect */
  readonly triesNextUpstream?: boolean
  /** 0: no limit */
  readonly nextUpstreamTimeoutMs?: number
  /** 0: no limit but that of all backends */
  readonly nextUpstreamTries?: number
  /** of UDP: datagrams that end a session; absent: none does */
  readonly responses?: number
  /** of UDP: datagrams of the client in a session; 0: any number */
  readonly requests?: number
  /** `AddressList.id` */
  readonly allow?: string
  /** `AddressList.id` */
  readonly deny?: string
  /** of a client at a time */
  readonly connections?: number
  /** new ones of a client */
  readonly connectionsPerSecond?: number
  /** per second and connection, from the client; 0: no limit */
  readonly uploadBytes?: number
  /** per second and connection, to the client; 0: no limit */
  readonly downloadBytes?: number
  /** how long a client's PROXY header is waited for */
  readonly proxyProtocolTimeoutMs?: number
  /** of TCP: Services by the server name that clients ask for; absent: `backend` serves all of them */
  readonly names?: readonly ServerName[]
}

/** A server name that clients of a port ask for, and what serves it. */
export interface ServerName {
  /** exact, `*.` and a name for one label, or `_` for every other client */
  readonly host: string
  /** `Backend.name` */
  readonly backend: string
  /** of the Service */
  readonly namespace?: string
  readonly serviceName?: string
  readonly servicePort?: string
}
