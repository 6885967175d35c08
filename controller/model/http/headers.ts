/** Headers of all requests and responses. */
export interface Headers {
  /** the Server header names nginx and its version; otherwise there is none */
  readonly showsServer: boolean
  /** the backend's Server header goes through */
  readonly passesServer: boolean
  /** headers of backends' responses that clients do not get */
  readonly hidden: readonly string[]
  /** of every response, in the place of all of its name */
  readonly added: readonly TemplateHeader[]
  /** of every request to a backend */
  readonly setForBackends: readonly TemplateHeader[]
}

/** The value may have nginx's variables. */
export interface TemplateHeader {
  readonly name: string
  readonly value: string
}
