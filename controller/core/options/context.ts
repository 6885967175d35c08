import type { Settings } from "./settings.ts"
import type { TranslateOptions } from "./translation.ts"

/** What holds for every object of a pass. */
export interface Context {
  readonly options: TranslateOptions
  readonly settings: Settings
}
