// Fetches a lead from Meta's Graph API, because the webhook contains only its id. The host is fixed: no
// address comes from outside.
import * as v from 'valibot'
import type { Fields } from '../new-lead.ts'

/**
 * A version ends two years after its successor appeared:
 * https://developers.facebook.com/docs/graph-api/changelog/versions/
 */
const GRAPH = 'https://graph.facebook.com/v26.0'
const ASKED = 'id,created_time,form_id,campaign_name,platform,field_data,custom_disclaimer_responses'
const TIMEOUT_MS = 15_000
const MAX_BYTES = 256 * 1024

/**
 * Temporary error codes of Meta: it is down (1, 2), or too many calls by the app, the person or the page.
 * https://developers.facebook.com/docs/graph-api/guides/error-handling and
 * .../docs/graph-api/overview/rate-limiting
 */
const PASSING = new Set([1, 2, 4, 17, 32, 341, 368, 613, 80_005])
const Refusal = v.looseObject({
  error: v.looseObject({ code: v.number(), is_transient: v.optional(v.boolean()) }),
})

const Lead = v.looseObject({ id: v.string(), field_data: v.array(v.unknown()) })

/** `again`: a retry may succeed. `refused`: an administrator has to act (expired token, deleted lead). */
export class GraphError extends Error {
  override readonly name = 'GraphError'
  readonly fault: 'again' | 'refused'

  constructor(fault: 'again' | 'refused', message: string) {
    super(message)
    this.fault = fault
  }
}

export type ReadLeadgen = (leadgenId: string, pageToken: string) => Promise<Fields>

/** Tests pass a fetch of their own. */
export function createGraph(send: typeof fetch = fetch): ReadLeadgen {
  return async (leadgenId, pageToken) => {
    // The token is in a header, because addresses end up in logs.
    const response = await send(`${GRAPH}/${encodeURIComponent(leadgenId)}?fields=${ASKED}`, {
      headers: { authorization: `Bearer ${pageToken}` },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(() => {
      throw new GraphError('again', 'unreachable')
    })
    const text = await response.text()
    if (response.status === 429 || response.status >= 500)
      throw new GraphError('again', `status ${response.status}`)
    const answer = text.length > MAX_BYTES ? null : parse(text)
    if (!response.ok)
      throw new GraphError(isPassing(answer) ? 'again' : 'refused', `status ${response.status}`)
    const lead = v.safeParse(Lead, answer)
    if (!lead.success || lead.output.id !== leadgenId) throw new GraphError('refused', 'no lead')
    return lead.output
  }
}

function isPassing(answer: unknown): boolean {
  const { success, output } = v.safeParse(Refusal, answer)
  return success && (output.error.is_transient === true || PASSING.has(output.error.code))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
