import { DECLINE, Endpoints, random, Request, Zone } from "wick-policy"

/** So many requests an endpoint of our zone may be working on before those of other zones are asked; the configuration may say another number. */
const LIMIT: u64 = 8

/** Places of the endpoints in our zone, and of the others. Those whose zone is not known count as ours. */
class Zones {
  ours: i32[] = []
  others: i32[] = []
  limit: u64 = LIMIT
}

export function prepare(endpoints: Endpoints): void {
  const zones = endpoints.state<Zones>()
  zones.ours = []
  zones.others = []
  for (let i = 0; i < endpoints.count; i++) {
    if (endpoints.zone(i) == Zone.ANOTHER) zones.others.push(i)
    else zones.ours.push(i)
  }
  const limit = parseInt(endpoints.config)
  zones.limit = limit >= 1 && limit < 1e6 ? <u64>limit : LIMIT
}

/** The less busy one of two in our zone. When it has too much to do, one of another zone that has less, if there is one. */
export function pick(endpoints: Endpoints, request: Request): i32 {
  const zones = endpoints.state<Zones>()
  const near = lessBusy(endpoints, zones.ours)
  if (near != DECLINE && endpoints.running(near) < zones.limit) return near
  const far = lessBusy(endpoints, zones.others)
  if (near == DECLINE || far == DECLINE) return max(near, far)
  return endpoints.running(far) < endpoints.running(near) ? far : near
}

function lessBusy(endpoints: Endpoints, places: i32[]): i32 {
  const one = draw(endpoints, places)
  const other = draw(endpoints, places)
  if (one == DECLINE || other == DECLINE) return max(one, other)
  return endpoints.running(one) <= endpoints.running(other) ? one : other
}

/** One of the places by chance, but for endpoints to keep away from. */
function draw(endpoints: Endpoints, places: i32[]): i32 {
  for (let draws = 0; draws < 8 && places.length > 0; draws++) {
    const place = places[random.below(places.length)]
    if (!endpoints.isAvoided(place)) return place
  }
  return DECLINE
}
