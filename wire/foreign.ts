// Foreign functions (`proxy_call_foreign_function`) that docs/abi.md adds to Proxy-Wasm. Arguments and results are packed: little endian, without padding.

export interface ForeignFunction {
  readonly name: string
  /** `–`: none */
  readonly arguments: string
  /** `–` or empty: none; absent where no function of the list has one */
  readonly result?: string
  /** what the call does, and what else it answers */
  readonly status?: string
}

/** Of filters: data, and the request at hand. */
const ofFilters: readonly ForeignFunction[] = [
  {
    name: "wick_set_callbacks",
    arguments:
      "callback names (`request_headers`, `request_body`, `response_headers`, `response_body`, `upstream_select`, `next_upstream`, `upstream_info`, `log`, `context`) joined by `\\0`",
    result: "–",
    status:
      "the HTTP contexts of this root get only these callbacks; `context` stands for create, done and delete. Without this call they get all that are exported. BAD_ARGUMENT: an unknown name, or a call outside `proxy_on_configure`",
  },
  {
    name: "wick_set_shared_data_many",
    arguments:
      "u32 n, then n times: u32 key length · u32 value length (0xffffffff: delete) · u32 cas (0: no check; 0xffffffff: the key must be absent) · key · value",
    result: "on failure u32 index of the write that failed",
    status:
      "all or nothing, over several zones; readers see the writes in the given order. OK · CAS_MISMATCH · NOT_FOUND (no such zone) · INTERNAL_FAILURE (its zone is full: never of deletions, and of values that take no more room than what they replace, where all writes are such; a 64th of the zone is left to values of at most 16 bytes) · BAD_ARGUMENT (malformed, or a key twice)",
  },
  {
    name: "wick_shared_data_version",
    arguments: "key",
    result: "u64",
    status:
      "a number that changes whenever this key is written or deleted, and occasionally without a write. Takes no lock",
  },
  {
    name: "wick_list_shared_data",
    arguments: "u64 cursor (0: start) · u32 max keys · prefix",
    result: "u64 next cursor (0: end) · u32 n · n times: u32 length · key",
    status:
      "keys that start with the prefix (which includes the zone). A call looks only at a part of a large zone, so it may return fewer keys than requested, or none, before the end. A key that exists during the whole walk appears exactly once",
  },
  {
    name: "wick_expand",
    arguments:
      // biome-ignore lint/suspicious/noTemplateCurlyInString: so nginx writes a variable
      "template: text with `$name`, `${name}` and `$1` to `$9`, `\\$` for a dollar sign; at most 4096 bytes",
    result:
      "the text with the request's variables filled in, as nginx does it; variables without a value, and undefined names, are empty",
    status: "BAD_ARGUMENT: nginx would refuse the template. INTERNAL_FAILURE: the text is longer than 64 KiB",
  },
  {
    name: "wick_get_cookie",
    arguments: "name",
    result: "the value of the request's first cookie with exactly this name, as sent",
    status: "NOT_FOUND",
  },
  {
    name: "wick_set_cookie",
    arguments:
      "u32 name length · name · the whole value of the `Set-Cookie` header, which begins with the name and `=`; at most 8192 bytes",
    result: "–",
    status:
      "in select only. Sent with the head of the response, whoever makes the response. Replaces what this request has set under the same name; the upstream's cookies stay. A cookie set in a subrequest is lost. BAD_ARGUMENT: control characters, or more than 16 names",
  },
  {
    name: "wick_match",
    arguments: "u32 pattern length · pattern (at most 4096 bytes) · subject",
    result: "u32 1: it matches somewhere, 0: not",
    status:
      "nginx's PCRE, case-sensitive, compiled once per instance. BAD_ARGUMENT: the pattern does not compile, either alone or inside `(?:…)`. INTERNAL_FAILURE: the subject is longer than 1 KiB, or the match takes more than 5,000 steps (some tenths of a millisecond)",
  },
  {
    name: "wick_check_pattern",
    arguments: "pattern (at most 4096 bytes)",
    result:
      "why it cannot be the pattern of a route ([ingress-module.md](ingress-module.md)): PCRE's message and the position; empty if it can",
    status: "BAD_ARGUMENT: it is longer",
  },
]

/** Of filters: shared slots. Arguments marked ↔ are written back in place, so that a call needs no memory. */
const ofSlots: readonly ForeignFunction[] = [
  {
    name: "wick_open_slots",
    arguments:
      "u64 version · u32 n · u32 key length · n times ↔ u64 (an id that the filter chooses; replaced by the number of its slot) · key",
    result: "–",
    status:
      "from now on the key has one slot for each of these ids, and no others. Slots that it already had keep their numbers and contents. `version` is what `wick_shared_data_version` returned before the value was read. CAS_MISMATCH: the key was written since · NOT_FOUND: no such key, or a zone without slots · INTERNAL_FAILURE: n is above N, or too few slots are free (new ones are taken before old ones are released); nothing has changed",
  },
  {
    name: "wick_find_slots",
    arguments:
      "↔ u64 (replaced by what time it is, as in the attempt record) · u32 n · u32 key length · n times ↔ u64 (an id; replaced by the number of its slot, 0 if the key has none for it) · key",
    result: "–",
    status: "opens nothing: for who only looks. NOT_FOUND: no such zone",
  },
  {
    name: "wick_get_slots",
    arguments: "u32 cell · u32 n · n times: u64 slot · ↔ u64 value",
    result: "–",
    status: "OK",
  },
  {
    name: "wick_add_slot",
    arguments: "u32 cell · u32 0 · u64 slot · ↔ u64 what to add (two's complement), then the sum",
    result: "–",
    status:
      "a process's part of a gauge stays between 0 and 2³² − 1. NOT_FOUND: the slot was released · INTERNAL_FAILURE: as many others as `processes` says are writing",
  },
  {
    name: "wick_swap_slot",
    arguments: "u32 cell (0 to 3) · u32 0 · u64 slot · ↔ u64 expected · u64 wanted",
    result: "–",
    status:
      "CAS_MISMATCH: the cell holds another value, which replaces `expected`. NOT_FOUND, INTERNAL_FAILURE as above",
  },
]

/** Of the filter that balances, for backends that name a policy. */
const ofBalancing: readonly ForeignFunction[] = [
  {
    name: "wick_set_policy",
    arguments:
      "u64 id of the backend · ↔ u32 handle · u32 0 · u32 lengths of version, configuration and template · u32 n · version (`NAME@DIGEST`) · configuration · template of the key, see `wick_expand` · n times: u64 slot · u64 slot of the policy's own numbers (0: there is none) · u32 weight · u8 zone · u8 4 or 6 · u16 port · 16 bytes of address",
    status:
      "the backend uses this policy from now on. Loads it if it is the first one. A policy that cannot be loaded declines",
  },
  {
    name: "wick_drop_policy",
    arguments: "u32 handle",
    status: "it does no more",
  },
  {
    name: "wick_pick",
    arguments:
      "u32 handle · ↔ u32 1: some endpoints are to be avoided; then the place of the endpoint, all bits set: none · u32 n · n times u32 place of an earlier attempt's endpoint · a bit for each endpoint to keep away from",
    status: "in select only",
  },
  {
    name: "wick_report",
    arguments: "u32 handle · u32 place",
    status: "in info only: the attempt of this callback was with this endpoint",
  },
]

/** Of policies. */
const ofPolicies: readonly ForeignFunction[] = [
  {
    name: "wick_get_endpoints",
    arguments: "u32 first · u32 max",
    result:
      "u32 how many there are · for each from `first` on: u64 id, the same for the same address and port on every worker · u32 weight · u32 zone: 0 not known, 1 ours, 2 another",
  },
  {
    name: "wick_get_endpoint_address",
    arguments: "u32 place",
    result: "`ip:port`, IPv6 in brackets",
  },
  {
    name: "wick_get_avoided",
    arguments: "–",
    result:
      "a bit for each endpoint to keep away from: tried by this request, ejected, or held back by slow start. One that is chosen all the same is passed over",
  },
  {
    name: "wick_get_numbers",
    arguments: "u32 kind · u32 n, as many as there are endpoints at most · n times: u64 place · ↔ u64 value",
    result:
      "kind 0 to 3: the policy's own · 4: attempts that run, over all workers · 5: moving average, u32 milliseconds when it was touched and f32 nanoseconds in the high bits; 0: none",
  },
  {
    name: "wick_add_number",
    arguments: "u32 cell (0 to 3) · u32 0 · u64 place · ↔ u64 what to add, then the sum",
    result: "",
  },
  {
    name: "wick_swap_number",
    arguments: "u32 cell · u32 0 · u64 place · ↔ u64 expected · u64 wanted",
    result: "CAS_MISMATCH: the cell holds another value, which replaces `expected`",
  },
  {
    name: "wick_choose_endpoint",
    arguments: "u32 place",
    result: "chooses it, for languages that cannot place a record",
  },
  {
    name: "wick_get_attempt",
    arguments: "–",
    result: "the attempt record, likewise",
  },
  {
    name: "wick_get_cookie",
    arguments: "name",
    result: "the value of the request's first cookie of this name, if `cookie` is a readable header",
  },
]

/** By who may call them, and by the tables of docs/abi.md. */
export const foreignFunctions = {
  filter: namesOf(ofFilters, ofSlots, ofBalancing),
  policy: namesOf(ofPolicies),
  tables: { filters: ofFilters, slots: ofSlots, balancing: ofBalancing, policies: ofPolicies } as Readonly<
    Record<string, readonly ForeignFunction[]>
  >,
} as const

/** Each once. */
export const foreignNames: readonly string[] = [
  ...new Set([...foreignFunctions.filter, ...foreignFunctions.policy]),
]

function namesOf(...lists: readonly (readonly ForeignFunction[])[]): string[] {
  return lists.flat().map(({ name }) => name)
}
