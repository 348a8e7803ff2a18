// Reads a bucket's refusal (status and code) and says what the operator must mend.
import type { IncomingMessage } from 'node:http'

/** `status` is null where no answer came; `code` is S3's word, null where the body was not S3's XML. */
export class BucketError extends Error {
  override readonly name = 'BucketError'
  readonly status: number | null
  readonly code: string | null

  constructor(status: number | null, code: string | null, options: { cause?: unknown } = {}) {
    super(
      `the bucket ${status === null ? 'did not answer' : `answered ${status} ${code ?? ''}`.trim()}`,
      options,
    )
    this.status = status
    this.code = code
  }
}

/** An error page of a proxy may be long; S3's own errors are short. */
const MAX_ERROR_BYTES = 64 * 1024

/** The body of an answer as text, up to the limit or the point where it was cut off. */
export async function readText(body: IncomingMessage, limitBytes = MAX_ERROR_BYTES): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  try {
    for await (const piece of body as AsyncIterable<Uint8Array>) {
      pieces.push(piece)
      size += piece.length
      if (size > limitBytes) break
    }
  } catch {
    // The connection broke. The part that came is used: an error is known by its status, and a cut list by its
    // missing end tag.
  }
  return Buffer.concat(pieces).toString()
}

/** Some stores answer errors as JSON. */
export const codeOf = (text: string): string | null =>
  /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? /"code"\s*:\s*"(\w+)"/i.exec(text)?.[1] ?? null

const WORDS: Record<string, string> = {
  NoSuchBucket: 'o bucket de S3_BUCKET não existe ali',
  AccessDenied: 'a chave de S3_ACCESS_KEY_ID não pode ler e gravar nesse bucket',
  InvalidAccessKeyId: 'a chave de S3_ACCESS_KEY_ID não existe ali',
  SignatureDoesNotMatch: 'S3_SECRET_ACCESS_KEY não é o segredo dessa chave',
  AuthorizationHeaderMalformed: 'S3_REGION não é a região desse bucket',
  PermanentRedirect: 'S3_ENDPOINT não é o endereço da região desse bucket',
  RequestTimeTooSkewed: 'o relógio deste computador está errado',
}

const UNPROVEN =
  'o certificado de S3_ENDPOINT não é de uma autoridade conhecida; informe o arquivo dela em NODE_EXTRA_CA_CERTS'
/** Node's words for a connection that was not made. */
const UNREACHED: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: UNPROVEN,
  SELF_SIGNED_CERT_IN_CHAIN: UNPROVEN,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNPROVEN,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNPROVEN,
  CERT_HAS_EXPIRED: 'o certificado de S3_ENDPOINT está vencido',
  ERR_TLS_CERT_ALTNAME_INVALID: 'o certificado de S3_ENDPOINT é de outro endereço',
}

/** Retries are useless: the store answers the same until an operator mends it. */
export const isRefusal = ({ status, code }: BucketError): boolean =>
  status !== null && status < 500 && status !== 429 && code !== 'RequestTimeTooSkewed'

/** The line that tells the operator what to mend. */
export function wordsOf({ status, code, cause }: BucketError): string {
  if (code !== null && code in WORDS) return WORDS[code] ?? code
  if (status === 403) return WORDS['AccessDenied'] ?? code ?? ''
  if (status === 404) return WORDS['NoSuchBucket'] ?? code ?? ''
  if (status !== null)
    return `o endereço de S3_ENDPOINT respondeu ${status}${code === null ? '' : ` (${code})`}`
  const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : null
  const known = reason === null ? undefined : UNREACHED[reason]
  return known ?? `o endereço de S3_ENDPOINT não respondeu${reason === null ? '' : ` (${reason})`}`
}
