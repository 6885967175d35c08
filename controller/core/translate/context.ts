import type { Settings } from "../options/settings.ts"
import type { TranslateOptions } from "./options.ts"

/** What holds for every object of a pass. */
export interface Context {
  readonly options: TranslateOptions
  readonly settings: Settings
}
