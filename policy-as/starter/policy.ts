import { Endpoints, Request } from "wick-policy"

/**
 * Chooses the endpoint for a request: the less busy one of two that are drawn by weight.
 *
 * @returns its place in the list; or `DECLINE`, and wick's round robin chooses
 */
export function pick(endpoints: Endpoints, request: Request): i32 {
  const one = endpoints.byWeight()
  const other = endpoints.byWeight()
  return endpoints.running(one) <= endpoints.running(other) ? one : other
}
