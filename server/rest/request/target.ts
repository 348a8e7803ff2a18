// The target of a request: a table or a function of an exposed schema.
import { unknownPath, unknownSchema } from '../errors.ts'

/** `root`: the document that describes all others, without a name. */
export type Target = { kind: 'table' | 'function' | 'root'; name: string }

/** Reads the path below `/rest/v1` and decodes it. Throws PGRST125 for an invalid path. */
export function readTarget(path: string): Target {
  const segments = path.split('/').slice(1)
  const [first = '', second = ''] = segments
  if (segments.length <= 1 && first === '') return { kind: 'root', name: '' }
  if (segments.length === 1) return { kind: 'table', name: decode(first) }
  if (segments.length === 2 && first === 'rpc' && second !== '')
    return { kind: 'function', name: decode(second) }
  throw unknownPath()
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw unknownPath()
  }
}

/** The schema of Accept-Profile (GET, HEAD) or Content-Profile, else the first exposed one. */
export function readSchema(request: Request, exposed: readonly string[]): string {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const wanted = request.headers.get(isRead ? 'accept-profile' : 'content-profile') ?? exposed[0] ?? ''
  if (!exposed.includes(wanted)) throw unknownSchema(wanted, exposed)
  return wanted
}
