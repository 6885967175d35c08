// Printed by `npm run wire` from wire/: change it there.

/** Names of foreign functions. */
export namespace Foreign {
  export const GET_ENDPOINTS: string = "wick_get_endpoints"
  export const GET_ENDPOINT_ADDRESS: string = "wick_get_endpoint_address"
  export const GET_AVOIDED: string = "wick_get_avoided"
  export const GET_NUMBERS: string = "wick_get_numbers"
  export const ADD_NUMBER: string = "wick_add_number"
  export const SWAP_NUMBER: string = "wick_swap_number"
  export const CHOOSE_ENDPOINT: string = "wick_choose_endpoint"
  export const GET_ATTEMPT: string = "wick_get_attempt"
  export const GET_COOKIE: string = "wick_get_cookie"
}
