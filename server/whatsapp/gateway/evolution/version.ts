// The gateway's version: v2 from 2.3 on.
import * as v from 'valibot'
import { Version } from './answers.ts'
import { gatewayError } from '../faults.ts'
import type { Http } from '../http.ts'
import { unsupportedError } from './faults.ts'

/** Rejects with `unsupported` below 2.3. */
export async function askVersion(http: Http): Promise<string> {
  const answer = v.safeParse(Version, await http({ operation: 'version', method: 'GET', path: '/' }))
  if (!answer.success) throw unsupportedError('version')
  const [major = 0, minor = 0] = answer.output.version.split('.').map(Number)
  if (major === 2 && minor >= 3) return answer.output.version
  throw gatewayError('version', 'unsupported', {
    detail: `a versão ${safe(answer.output.version)} do serviço de WhatsApp não serve; use a Evolution API 2.3 ou mais nova`,
  })
}

const safe = (version: string) => version.replace(/[^\w.-]/g, '').slice(0, 20)
