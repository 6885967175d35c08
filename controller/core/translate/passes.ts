import type { Facts } from "../../model/facts.ts"
import type { Snapshot } from "../../model/snapshot.ts"
import { Assembler } from "../assemble/assembler.ts"
import type { OwnPlaces } from "../assemble/backends/own-places.ts"
import type { Translation } from "../assemble/translation.ts"
import type { WantedFacts } from "../assemble/wanted-names.ts"
import type { Declarations, FrontEnd } from "../declared/declarations.ts"
import type { Context } from "../options/context.ts"
import type { Settings } from "../options/settings.ts"
import { CombinedDeclarations } from "./combined-declarations.ts"
import type { MakeFrontEnd } from "./front-ends.ts"

/** What is known when it is asked what else has to be. */
export type WantingFacts = Pick<Facts, "tlsSecrets" | "policies" | "ruleSets">

/** The passes under one set of settings, and what is remembered from one to the next: objects → declarations → model. */
export class Passes {
  readonly settings: Settings
  readonly #frontEnds: readonly FrontEnd[]
  readonly #combined: CombinedDeclarations
  readonly #assembler: Assembler

  /** @param places knows nothing of settings, and may be older than these */
  constructor(context: Context, places: OwnPlaces, frontEnds: readonly MakeFrontEnd[]) {
    this.settings = context.settings
    this.#combined = new CombinedDeclarations(context.options.ports.httpsPort)
    this.#frontEnds = frontEnds.map((make) => make(context))
    this.#assembler = new Assembler(context, places)
  }

  wantedFacts(objects: Snapshot, facts: WantingFacts): WantedFacts {
    return this.#assembler.wantedFacts(this.#declared(objects, facts), objects, facts)
  }

  translate(objects: Snapshot, facts: Facts): Translation {
    return this.#assembler.assemble(this.#declared(objects, facts), objects, facts)
  }

  #declared(objects: Snapshot, { tlsSecrets, policies, ruleSets }: WantingFacts): Declarations {
    const { pair: defaultPair } = this.#assembler.defaultCertificate({ tlsSecrets })
    const facts = { tlsSecrets, policies, ruleSets, defaultPair }
    return this.#combined.of(this.#frontEnds.map((frontEnd) => frontEnd.declare(objects, facts)))
  }
}
