import { access } from "./effects/checks.ts"
import type { Effect } from "./effects/effect.ts"
import { firewall } from "./effects/firewall.ts"
import { headers } from "./effects/header-lines.ts"
import { moreHeaders } from "./effects/more-headers.ts"
import { numbers } from "./effects/numbers.ts"
import { passing } from "./effects/passing.ts"
import { replacing } from "./effects/replacing.ts"
import { responses } from "./effects/responses.ts"
import { rewriting } from "./effects/rewriting.ts"
import { limiting } from "./effects/zones.ts"

const byName: ReadonlyMap<string, Effect> = new Map(
  [
    access,
    firewall,
    headers,
    limiting,
    moreHeaders,
    numbers,
    passing,
    replacing,
    responses,
    rewriting,
  ].flatMap((it) => Object.entries(it)),
)

/** What a directive of the http module does; undefined: what the table says is all. */
export function effectOf(name: string): Effect | undefined {
  return byName.get(name)
}
