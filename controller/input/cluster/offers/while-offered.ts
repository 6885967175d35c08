import type { Kind } from "../../../model/objects/object.ts"
import type { Delta } from "../watch/delta.ts"
import type { Offers } from "./offers.ts"

/**
 * Follows a kind while it is offered. Where it is not, there are none of its objects: what was there is deleted, and nobody waits.
 *
 * @param reflect lists and watches; ends when its signal aborts
 */
export async function* whileOffered(
  kind: Kind,
  offers: Pick<Offers, "known" | "offer" | "changed">,
  reflect: (signal: AbortSignal) => AsyncIterable<Delta>,
  signal: AbortSignal,
): AsyncGenerator<Delta, void, void> {
  await offers.known()
  while (!signal.aborted) {
    const end = offers.offer(kind)
    if (end) yield* following(reflect(AbortSignal.any([signal, end])), signal)
    else {
      yield { changes: [], synced: true }
      await untilOffered(kind, offers, signal)
    }
  }
}

/** Before its first list is complete, somebody waits again for what there is. */
async function* following(
  deltas: AsyncIterable<Delta>,
  signal: AbortSignal,
): AsyncGenerator<Delta, void, void> {
  yield { changes: [], synced: false }
  const names = new Set<string>()
  for await (const delta of deltas) {
    for (const { kind, name } of delta.changes) {
      if (kind === "set") names.add(name)
      else names.delete(name)
    }
    yield delta
  }
  if (!signal.aborted)
    yield { changes: [...names].map((name) => ({ kind: "deleted", name }) as const), synced: true }
}

async function untilOffered(
  kind: Kind,
  offers: Pick<Offers, "offer" | "changed">,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && offers.offer(kind) === undefined) await offers.changed
}
