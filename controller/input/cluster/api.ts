import { Failure } from "../../support/failure.ts"

/** One question to the API server. */
export interface ApiRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** as `/apis/networking.k8s.io/v1/ingresses`, names in it percent-encoded */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** media type wanted; JSON when absent */
  readonly accept?: string
  /** media type of `body`; JSON when absent */
  readonly contentType?: string
  /** printed as JSON */
  readonly body?: unknown
}

/** The API server, with whatever credentials this client has. Objects are values as JSON gave them. */
export interface Api {
  /**
   * Asks and reads the whole answer. An answer that does not come is given up after a while.
   *
   * @throws ApiFailure; when the signal aborts, too
   */
  send(request: ApiRequest, signal: AbortSignal): Promise<unknown>
  /**
   * Asks for something that has no end (`watch=true`): one value per line, in groups as they come over the network. The first group is empty:
   * the server has answered, with status 200, though there may be nothing to tell for minutes. No other is. It ends when the server ends it
   * between two lines.
   *
   * @throws ApiFailure when it is cut, refused, or silent for too long; when the signal aborts, too
   */
  watch(request: ApiRequest, signal: AbortSignal): AsyncIterable<readonly unknown[]>
}

/** The API server did not do what it was asked. */
export class ApiFailure extends Failure {
  /** of the HTTP answer; 0 when none came, or it ended too early */
  readonly status: number
  /** of the server's Status object, as `Expired`, `Forbidden`; "" when there is none */
  readonly reason: string
  /** how long it asks to be left alone, milliseconds */
  readonly retryAfterMs: number | undefined

  constructor(
    message: string,
    { status, reason = "", retryAfterMs }: { status: number; reason?: string; retryAfterMs?: number },
    options?: ErrorOptions,
  ) {
    super("api-failed", message, options)
    this.status = status
    this.reason = reason
    this.retryAfterMs = retryAfterMs
  }
}
