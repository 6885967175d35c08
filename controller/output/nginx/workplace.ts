import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import type { Server } from "node:net"
import type { Options } from "../../core/options/flags.ts"
import { requestMetrics } from "../../core/options/request-metrics.ts"
import type { Identity } from "../../model/identity.ts"
import type { RequestMetrics } from "../../model/request-metrics.ts"
import { AuditLog, type AuditLogOptions } from "./audit-log.ts"
import { CacheFiles } from "./cache-files.ts"
import { provideDefaultCertificate } from "./default-certificate.ts"
import { type Layout, prepareRuntimeDir } from "./files.ts"
import { storeDatabase } from "./geo-files.ts"
import { findInstallation, type Installation } from "./installation.ts"
import { lock } from "./lock.ts"
import { findModsecurity, type ModsecurityPlaces } from "./modsecurity-places.ts"
import { PolicyFiles, type PolicyFilesOptions } from "./policy-files.ts"
import { provideQuicHostKey } from "./quic-host-key.ts"
import { RuleSetFiles, type RuleSetFilesOptions } from "./rule-set-files.ts"
import { listenOn } from "./sockets.ts"

/** What this controller has to itself on this machine: its runtime directory, and what of nginx is installed. */
export class Workplace {
  readonly layout: Layout
  readonly installation: Installation
  readonly modsecurity: ModsecurityPlaces
  /** what nginx counts of requests; undefined: nothing */
  readonly counted: RequestMetrics | undefined
  /** SHA-256 of the filter's file, in hex */
  readonly filterDigest: string

  private constructor(
    layout: Layout,
    installation: Installation,
    modsecurity: ModsecurityPlaces,
    counted: RequestMetrics | undefined,
    filterDigest: string,
  ) {
    this.layout = layout
    this.installation = installation
    this.modsecurity = modsecurity
    this.counted = counted
    this.filterDigest = filterDigest
  }

  /** @throws Failure when another controller has it, or something is not there */
  static async take(options: Options, identity: Identity, stack: AsyncDisposableStack): Promise<Workplace> {
    const installation = await findInstallation(options)
    const modsecurity = await findModsecurity(options)
    const layout = await prepareRuntimeDir(options.runtimeDir)
    stack.defer(await lock(layout))
    await provideDefaultCertificate(layout, Date.now())
    await provideQuicHostKey(layout)
    const filter = createHash("sha256").update(await readFile(installation.balancer))
    const counted = requestMetrics(options, identity)
    return new Workplace(layout, installation, modsecurity, counted, filter.digest("hex"))
  }

  /** As `--runtime-dir` names it. */
  get dir(): string {
    return this.layout.dir
  }

  /** Texts that outlive the controller. @param failed learns why something could not be written, read or removed */
  cache(of: "staples" | "issuers", failed: (error: unknown) => void): CacheFiles {
    return new CacheFiles(this.layout[of], failed)
  }

  /** Serves what the controller shows to those who may enter the runtime directory. @throws Failure `cannot-listen` */
  listen(server: Server): Promise<void> {
    return listenOn(server, this.layout.uiSocket)
  }

  /** Files of others are written as carefully as our own. */
  readonly storeDatabase = storeDatabase

  openPolicies<State>(options: Omit<PolicyFilesOptions, "layout" | "program">): Promise<PolicyFiles<State>> {
    const { layout, installation } = this
    return PolicyFiles.open({ ...options, layout, program: installation.policyProgram })
  }

  /** Bounds what rules of ModSecurity log on this machine. */
  keepAuditLog(options: AuditLogOptions): AuditLog {
    return new AuditLog(options)
  }

  openRuleSets<State>(options: Omit<RuleSetFilesOptions, "layout" | "places">): Promise<RuleSetFiles<State>> {
    return RuleSetFiles.open({ ...options, layout: this.layout, places: this.modsecurity })
  }
}
