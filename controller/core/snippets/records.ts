// Until the wire has them (issue 33): what a route keeps of a snippet.

export interface AccessRule {
  readonly action: "allow" | "deny"
  readonly from: string
}

export interface Script {
  readonly steps?: readonly Step[]
  readonly levels?: readonly Level[]
}

export interface Step {
  readonly op: "set" | "if" | "rewrite" | "return" | "break"
  readonly name?: string
  readonly value?: string
  readonly test?:
    | "filled"
    | "equal"
    | "unequal"
    | "match"
    | "match_any_case"
    | "mismatch"
    | "mismatch_any_case"
  readonly pattern?: string
  readonly against?: string
  readonly skip?: number
  readonly level?: number
  readonly code?: number
  readonly flag?: "none" | "last" | "break" | "redirect" | "permanent"
  readonly dropsArgs?: true
  readonly isUrl?: true
}

export interface Level {
  readonly responseHeaders?: readonly ResponseHeader[]
  readonly upstreamHeaders?: readonly Header[]
  readonly inputHeaders?: readonly InputHeader[]
  readonly hides?: readonly string[]
  readonly passes?: readonly string[]
  readonly expires?: string
  readonly limitRate?: string
  readonly limitRateAfter?: string
  readonly accessLogOff?: true
  readonly defaultType?: string
  readonly errorPages?: readonly ErrorPage[]
  readonly authVariables?: readonly Assignment[]
}

export interface Header {
  readonly name: string
  readonly value: string
}

export interface ResponseHeader {
  readonly op: "add" | "set" | "clear" | "append"
  readonly name: string
  readonly value?: string
  readonly always?: true
  readonly statuses?: readonly number[]
  readonly types?: readonly string[]
}

export interface InputHeader {
  readonly op: "set" | "clear"
  readonly name: string
  readonly value?: string
  readonly replaces?: true
}

interface ErrorPage {
  readonly codes: readonly number[]
  readonly code?: number
  readonly to: string
}

interface Assignment {
  readonly name: string
  readonly value: string
}
