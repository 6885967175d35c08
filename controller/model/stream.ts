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
  /** of TCP: TLS of clients ends here; absent: it is passed on as it is */
  readonly tls?: StreamTls
  /** of TCP: the endpoint is spoken to in TLS */
  readonly backendTls?: StreamBackendTls
  /** how long sessions stay on an endpoint that is away; absent: until they end */
  readonly drainMs?: number
}

/** A server name that clients of a port ask for, and what serves it. */
export interface ServerName {
  /** exact, `*.` and a name for one label, `**.` and a name for any number, or `_` for every other client */
  readonly host: string
  /** `Backend.name` */
  readonly backend: string
  /** of the Service */
  readonly namespace?: string
  readonly serviceName?: string
  readonly servicePort?: string
  /** TLS of clients ends here; absent: it is passed on as it is */
  readonly tls?: StreamTls
  /** the endpoint is spoken to in TLS */
  readonly backendTls?: StreamBackendTls
}

/** With what TLS of clients ends here. */
export interface StreamTls {
  /** `Certificate.id`: one to four, of different types of keys */
  readonly certificates: readonly string[]
  /** `Authority.id`: what clients' certificates are verified against */
  readonly authority?: string
  /** together with `authority` */
  readonly verify?: "on" | "optional" | "optional_no_ca" | "required"
  /** of chains */
  readonly depth?: number
  /** protocols (ALPN), the best first; absent: none is agreed upon */
  readonly alpn?: readonly string[]
}

/** How an endpoint is spoken to in TLS. */
export interface StreamBackendTls {
  /** sent as SNI, and what the certificate is for; absent: no name is sent */
  readonly serverName?: string
  /** `Authority.id`; absent: the endpoint's certificate is not looked at */
  readonly authority?: string
  /** of chains */
  readonly depth?: number
  /** one of which the certificate has to be for, in the place of `serverName` */
  readonly alternativeNames?: readonly string[]
  /** `Certificate.id`: what the endpoint is shown; absent: nothing */
  readonly certificate?: string
}
