// Reads a lead at Meta's Graph API, where a delivery told only its id. One fixed host: no address comes from outside.
import * as v from 'valibot'
import type { Fields } from '../new-lead.ts'

const GRAPH = 'https://graph.facebook.com/v23.0'
const ASKED = 'id,created_time,form_id,campaign_name,platform,field_data,custom_disclaimer_responses'
const TIMEOUT_MS = 15_000
const MOST_BYTES = 256 * 1024

const Lead = v.looseObject({ id: v.string(), field_data: v.array(v.unknown()) })

/** Why it could not be read: `again` may mend itself, `refused` waits for a person (a token that ended, a lead deleted). */
export class GraphError extends Error {
  override readonly name = 'GraphError'
  readonly fault: 'again' | 'refused'

  constructor(fault: 'again' | 'refused', message: string) {
    super(message)
    this.fault = fault
  }
}

export type ReadLeadgen = (leadgenId: string, pageToken: string) => Promise<Fields>

/** Tests hand in a fetch of their own, which is asked for that one host. */
export function createGraph(send: typeof fetch = fetch): ReadLeadgen {
  return async (leadgenId, pageToken) => {
    // The token stands in a header: addresses end up in logs.
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
    // 4, 17, 32, 613: too many calls; everything else of 4xx does not mend itself.
    if (!response.ok) {
      const isLimit = /"code":(4|17|32|613)\b/.test(text.slice(0, MOST_BYTES))
      throw new GraphError(isLimit ? 'again' : 'refused', `status ${response.status}`)
    }
    const lead = v.safeParse(Lead, text.length > MOST_BYTES ? null : parse(text))
    if (!lead.success || lead.output.id !== leadgenId) throw new GraphError('refused', 'no lead')
    return lead.output
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
