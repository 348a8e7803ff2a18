// Chooses the format of the answer by the Accept header.
import { notAcceptable } from '../errors.ts'

/** An array of rows, one row as an object, or CSV. */
export type Media = { form: 'array' | 'object' | 'csv'; stripsNulls: boolean; contentType: string }

const JSON_ARRAY: Media = {
  form: 'array',
  stripsNulls: false,
  contentType: 'application/json; charset=utf-8',
}
const OBJECT = 'application/vnd.pgrst.object+json'
const ARRAY = 'application/vnd.pgrst.array+json'

/** The preferred format that is available; throws PGRST107 without one. */
export function negotiateMedia(accept: string | null): Media {
  if (accept === null || accept.trim() === '') return JSON_ARRAY
  const wanted = accept
    .split(',')
    .map(readIntent)
    .filter((intent) => intent.quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
  for (const intent of wanted) {
    const media = toMedia(intent)
    if (media) return media
  }
  throw notAcceptable(accept.split(',').map((part) => part.trim()))
}

type Intent = { type: string; stripsNulls: boolean; quality: number }

function readIntent(part: string): Intent {
  const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
  const quality = parameters
    .map((piece) => /^q=([\d.]+)$/.exec(piece)?.[1])
    .find((found) => found !== undefined)
  return {
    type,
    stripsNulls: parameters.includes('nulls=stripped'),
    quality: quality === undefined ? 1 : Number(quality) || 0,
  }
}

function toMedia({ type, stripsNulls }: Intent): Media | null {
  const suffix = `${stripsNulls ? ';nulls=stripped' : ''}; charset=utf-8`
  if (type === 'application/json' || type === '*/*' || type === 'application/*') return JSON_ARRAY
  if (type === OBJECT || type === 'application/vnd.pgrst.object')
    return { form: 'object', stripsNulls, contentType: OBJECT + suffix }
  if (type === ARRAY || type === 'application/vnd.pgrst.array')
    return { form: 'array', stripsNulls, contentType: ARRAY + suffix }
  if (type === 'text/csv') return { form: 'csv', stripsNulls: false, contentType: 'text/csv; charset=utf-8' }
  return null
}
