/** How much a client may request of an Ingress; at least one limit. Field meanings: docs/wire.md, LIMITS. */
export interface Limits {
  /** 32 hexadecimal digits; of another Ingress it is another */
  readonly key: string
  /** requests per second and per minute, and at a time: from 1 */
  readonly rps?: number
  readonly rpm?: number
  readonly connections?: number
  /** how many times the rates may come at once, from 0 */
  readonly burstMultiplier?: number
  /** `AddressList.id` of clients that are not limited */
  readonly exempt?: string
  /** what tells clients apart; absent: the address */
  readonly by?: readonly string[]
  readonly ipv6Bits?: number
  readonly hasHeaders?: true
}
