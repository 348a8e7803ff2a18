// Which answers of Meta are the fault of our credentials. Pure.

/**
 * True if the token or a permission is at fault, so that every event would fail:
 * developers.facebook.com/docs/graph-api/guides/error-handling. Meta answers 100/33 for a dataset that the token may
 * not reach.
 */
export function isOfAccess(answer: {
  status: number | null
  code: number | null
  subcode: number | null
}): boolean {
  const { status, code, subcode } = answer
  if (status === 401) return true
  if (code === null) return false
  if (code === 100) return subcode === 33
  return code === 102 || code === 190 || code === 10 || (code >= 200 && code <= 299)
}
