// The call of the function material_send: what it queued is sent at once.
import * as v from 'valibot'
import { unconfigured } from './send-input.ts'

const Queued = v.object({ instanceName: v.string() })

/** `serve` runs the function. Raises `gateway.unconfigured`. */
export function createMaterialCall(parts: {
  isConfigured: boolean
  onQueued: (instanceName: string) => void
}): (serve: () => Promise<Response> | Response) => Promise<Response> {
  return async (serve) => {
    if (!parts.isConfigured) throw unconfigured()
    const answer = await serve()
    if (answer.status !== 200) return answer
    const queued = v.safeParse(Queued, await answer.clone().json())
    if (queued.success) parts.onQueued(queued.output.instanceName)
    return answer
  }
}
