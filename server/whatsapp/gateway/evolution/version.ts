// Checks the gateway's version: v2 from 2.3 on.
import * as v from 'valibot'
import { hasPassed, type Clock } from '#server/clock.ts'
import { Version } from './answers.ts'
import { gatewayError } from '../faults.ts'
import type { Http } from '../http.ts'
import { unsupportedError } from './faults.ts'

/** A gateway may be replaced while the portal runs. */
const KEPT_MS = 10 * 60_000

/** Returns the version, cached for a while; rejects with `unsupported` below 2.3. Failures are not cached. */
export function createVersionCheck(http: Http, clock: Clock): () => Promise<string> {
  let known: { version: Promise<string>; askedAtMs: number } | undefined
  return () => {
    if (known === undefined || hasPassed(clock, known.askedAtMs, KEPT_MS)) {
      const version = askVersion(http)
      const asked = { version, askedAtMs: clock.now() }
      known = asked
      version.catch(() => {
        if (known === asked) known = undefined
      })
    }
    return known.version
  }
}

async function askVersion(http: Http): Promise<string> {
  const answer = v.safeParse(Version, await http({ operation: 'version', method: 'GET', path: '/' }))
  if (!answer.success) throw unsupportedError('version')
  const [major = 0, minor = 0] = answer.output.version.split('.').map(Number)
  if (major === 2 && minor >= 3) return answer.output.version
  throw gatewayError('version', 'unsupported', {
    detail: `a versão ${safe(answer.output.version)} do serviço de WhatsApp não serve; use a Evolution API 2.3 ou mais nova`,
  })
}

const safe = (version: string) => version.replace(/[^\w.-]/g, '').slice(0, 20)
