/**
 * What a policy is written with. A policy is a file that exports
 *
 *   pick(endpoints: Endpoints, request: Request): i32      the endpoint for this attempt, or DECLINE
 *   report(endpoints: Endpoints, attempt: Attempt): void   optional: how an attempt ended
 *   prepare(endpoints: Endpoints): void                    optional: the list or the configuration is new
 */
import "./runtime"
import * as ewma from "./lib/ewma"
import * as random from "./lib/random"

export { Attempt, Outcome } from "./attempt"
export { DECLINE } from "./choices"
export { Endpoints } from "./endpoints"
export { Request } from "./request"
export { Zone } from "./list"
export { chance, hash } from "./helpers"
export { log } from "./host"
export { ewma, random }
