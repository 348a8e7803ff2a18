// Requests to the root: the document that describes all tables and functions, for callers who may read it.
import { textAnswer } from '#server/text-answer.ts'
import type { Catalog } from './catalog/model.ts'
import { noRootDocument, notAcceptable, unsupportedMethod } from './errors.ts'
import { describedSql, toDescribed } from './openapi/described.ts'
import { makeDocument } from './openapi/document.ts'
import type { Plan } from './plan.ts'

/**
 * `allowed`: SQL that holds for signed-in callers who may read the document. The service key may, strangers may not.
 */
export type RootDocument = { allowed: string; version: string }

type RootInquiry = { request: Request; url: URL; role: string; schema: string; catalog: Catalog }

const TYPE = 'application/openapi+json'
const ACCEPTED = [TYPE, 'application/json', 'application/*', '*/*', '']

/** Throws PGRST126 where there is no such document, or the caller may not read it. */
export function planRoot({ request, role, ...inquiry }: RootInquiry, root: RootDocument | null): Plan {
  const { method } = request
  if (method !== 'GET' && method !== 'HEAD') throw unsupportedMethod(method)
  if (root === null || role === 'anon') throw noRootDocument()
  const accept = (request.headers.get('accept') ?? '').split(',').map((part) => part.trim())
  if (!accept.some((part) => ACCEPTED.includes((part.split(';')[0] ?? '').trim().toLowerCase())))
    throw notAcceptable(accept)
  return {
    statement: {
      sql: describedSql(role === 'service_role' ? 'true' : root.allowed),
      values: [[inquiry.schema]],
    },
    isReadOnly: true,
    isChecked: true,
    check: ({ body }) => {
      if (body === null) throw noRootDocument()
    },
    respond: ({ body }) => {
      const document = makeDocument(toDescribed(body ?? ''), { ...inquiry, version: root.version })
      return textAnswer(method === 'HEAD' ? null : JSON.stringify(document), {
        status: 200,
        headers: { 'content-type': `${TYPE}; charset=utf-8` },
      })
    },
  }
}
