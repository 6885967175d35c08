/** Connections that go to backends as they are. */
export interface Streams {
  /** of the format `log_stream`, with variables of nginx's stream module; line breaks and tabs may occur */
  readonly logFormatStream: string
  /** takes the place of `Logs.accessLogPath` unless empty */
  readonly streamAccessLogPath: string
  readonly disablesStreamAccessLog: boolean
  /** longest time in which neither side sends anything */
  readonly proxyStreamTimeoutMs: number
  /** longest wait for the PROXY protocol header in front of TLS that may be passed through */
  readonly proxyProtocolHeaderTimeoutMs: number
}
