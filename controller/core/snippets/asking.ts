// In the location that asks an authentication service, a snippet may add to the question.

/** What changes the answer: it is for nginx alone, so that none of this has an effect. */
const ofAnswers =
  /^(add_header|add_trailer|expires|more_(set|clear)_headers|proxy_redirect|proxy_cookie_\w+|\w+_(hide|pass)_header|access_log|default_type)$/

/** Headers and numbers of the question. */
const ofQuestions = /^(\w+_set_header|fastcgi_param|proxy_\w+|grpc_\w+|fastcgi_\w+|client_\w+|send_timeout)$/

/** What is wrong with a directive there, or "idle": nothing, and nothing comes of it. Undefined: it is one of the question. */
export function questionFault(name: string): string | undefined {
  if (ofAnswers.test(name)) return "idle"
  if (ofQuestions.test(name)) return undefined
  return "an authentication service is asked as annotations say, and only headers and numbers of the question may be added"
}
