import type { SpanPage, SpanReadings } from "../plane/readings.ts"
import type { ControlClient } from "./client.ts"
import { readSpanPage } from "./span-records.ts"

type Client = Pick<ControlClient, "page" | "deleteAnew">

const path = "/spans"

/** Where finished spans wait in nginx. What is read stays there until it is taken. */
export class SpanRing implements SpanReadings {
  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  /** How much waits, with one span at most. `undefined`: nginx is too old to say. @throws Failure `control-lost` */
  look(): Promise<SpanPage | undefined> {
    return this.#read(`${path}?0`)
  }

  /** The oldest spans. @throws Failure `control-lost` */
  page(): Promise<SpanPage | undefined> {
    return this.#read(path)
  }

  /** They need not be kept any longer. @throws Failure `control-lost` */
  async take({ mark }: SpanPage): Promise<void> {
    await this.#client.deleteAnew(`${path}?${mark}`)
  }

  async #read(path: string): Promise<SpanPage | undefined> {
    const { status, chunks } = await this.#client.page(path)
    return status === 200 ? readSpanPage(Buffer.concat(chunks)) : undefined
  }
}
