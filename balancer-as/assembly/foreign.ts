// Printed by `npm run wire` from wire/: change it there.

/** Names of foreign functions. */
export namespace Foreign {
  export const SET_CALLBACKS: string = "wick_set_callbacks"
  export const SET_SHARED_DATA_MANY: string = "wick_set_shared_data_many"
  export const SHARED_DATA_VERSION: string = "wick_shared_data_version"
  export const LIST_SHARED_DATA: string = "wick_list_shared_data"
  export const EXPAND: string = "wick_expand"
  export const GET_COOKIE: string = "wick_get_cookie"
  export const SET_COOKIE: string = "wick_set_cookie"
  export const MATCH: string = "wick_match"
  export const CHECK_PATTERN: string = "wick_check_pattern"
  export const OPEN_SLOTS: string = "wick_open_slots"
  export const FIND_SLOTS: string = "wick_find_slots"
  export const GET_SLOTS: string = "wick_get_slots"
  export const ADD_SLOT: string = "wick_add_slot"
  export const SWAP_SLOT: string = "wick_swap_slot"
  export const SET_POLICY: string = "wick_set_policy"
  export const DROP_POLICY: string = "wick_drop_policy"
  export const PICK: string = "wick_pick"
  export const REPORT: string = "wick_report"
}

/** Properties that are variables of nginx. */
export namespace Property {
  export const PROXY_UPSTREAM_NAME: string = "ngx\0proxy_upstream_name"
  export const PROXY_ALTERNATIVE_UPSTREAM_NAME: string = "ngx\0proxy_alternative_upstream_name"
  export const ROUTE_SESSION: string = "ngx\0route_session"
  export const INGRESS_HOST: string = "ngx\0ingress_host"
  export const LOCATION_PATH: string = "ngx\0location_path"
  export const HTTPS: string = "ngx\0https"
  export const HTTP: string = "ngx\0http_"
  export const COOKIE: string = "ngx\0cookie_"
}
