import { DECLINE, Endpoints, random, Request } from "wick-policy"

/**
 * The configuration, for instance
 *
 *   port 9090                  the canary's Pods listen on this port: name it as the others name theirs
 *   header x-customer          says who the customer is; the operator makes it readable
 *   customers acme, globex     they are served by the canary
 */
class Canary {
  header: string = ""
  customers: Set<string> = new Set<string>()
  /** Places of the endpoints. */
  canary: i32[] = []
  stable: i32[] = []
}

export function prepare(endpoints: Endpoints): void {
  const state = endpoints.state<Canary>()
  const port = <i32>parseInt(setting(endpoints, "port"))
  state.header = setting(endpoints, "header")
  state.customers = new Set<string>()
  const customers = setting(endpoints, "customers").split(",")
  for (let i = 0; i < customers.length; i++) state.customers.add(customers[i].trim())
  state.canary = []
  state.stable = []
  for (let i = 0; i < endpoints.count; i++) {
    if (endpoints.port(i) == port) state.canary.push(i)
    else state.stable.push(i)
  }
}

/** The canary for the customers of the list, all other endpoints for everybody else. One of two, the less busy. */
export function pick(endpoints: Endpoints, request: Request): i32 {
  const state = endpoints.state<Canary>()
  const customer = request.header(state.header)
  const isListed = customer != null && state.customers.has(customer)
  const places = isListed && state.canary.length > 0 ? state.canary : state.stable
  const one = draw(endpoints, places)
  const other = draw(endpoints, places)
  return endpoints.running(one) <= endpoints.running(other) ? one : other
}

/** What follows a word at the beginning of a line. */
function setting(endpoints: Endpoints, word: string): string {
  const lines = endpoints.config.split("\n")
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i].trim()
    if (line.startsWith(word + " ")) return line.slice(word.length).trim()
  }
  return ""
}

function draw(endpoints: Endpoints, places: i32[]): i32 {
  for (let draws = 0; draws < 8 && places.length > 0; draws++) {
    const place = places[random.below(places.length)]
    if (!endpoints.isAvoided(place)) return place
  }
  return DECLINE
}
