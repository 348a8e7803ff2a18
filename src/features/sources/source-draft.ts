// Holds the form of a new source, finds its faults, and makes its request.
import { newOperationId } from '#data/operation.ts'
import type { NewSource, SourceKind } from './data.ts'

export type FormDevelopment = { formId: string; development: string }

export type SourceDraft = {
  /** Each draft has one operation id, so that a retry after a lost response does not add a second source. */
  operationId: string
  kind: string
  name: string
  source: string
  campaign: string
  development: string
  perMinute: number
  pages: string
  forms: readonly FormDevelopment[]
  appSecret: string
  verifyToken: string
  pageToken: string
}

const PER_MINUTE = 120
const PAGE = /^https?:\/\/[a-z0-9.-]{1,253}(:\d{1,5})?$/i
const MAX_PAGES = 20

/** Returns a new draft, named after its kind. The second source of a kind has the number 2 in its name, and so on. */
export function newDraft(
  { kind, name }: Pick<SourceKind, 'kind' | 'name'>,
  taken: readonly string[],
): SourceDraft {
  const names = [name, ...Array.from({ length: 98 }, (_, at) => `${name} ${at + 2}`)]
  return {
    operationId: newOperationId(),
    kind,
    name: names.find((one) => !taken.includes(one)) ?? name,
    source: '',
    campaign: '',
    development: '',
    perMinute: PER_MINUTE,
    pages: '',
    forms: [],
    appSecret: '',
    verifyToken: '',
    pageToken: '',
  }
}

/** Reads one web address per line, without its path. Returns null if a line is no web address. */
export function pagesIn(text: string): readonly string[] | null {
  const pages = text
    .split(/\s+/)
    .filter((line) => line !== '')
    .map((line) => line.replace(/\/$/, '').toLowerCase())
  return pages.length <= MAX_PAGES && pages.every((page) => PAGE.test(page)) ? [...new Set(pages)] : null
}

export function draftFault(draft: SourceDraft): 'name' | 'secrets' | 'pages' | null {
  if (draft.name.trim() === '') return 'name'
  if (draft.kind === 'meta' && (draft.appSecret.trim() === '' || draft.verifyToken.trim() === ''))
    return 'secrets'
  return draft.kind === 'form' && pagesIn(draft.pages) === null ? 'pages' : null
}

/** Takes only fields that are filled in and that the kind uses. */
export function toIntent(draft: SourceDraft): NewSource {
  const { operationId, kind, name, perMinute, source, campaign, development } = draft
  const isMeta = kind === 'meta'
  const pages = kind === 'form' ? (pagesIn(draft.pages) ?? []) : []
  const forms = isMeta
    ? filled(Object.fromEntries(draft.forms.map((form) => [form.formId.trim(), form.development])))
    : {}
  return {
    operationId,
    kind,
    name: name.trim(),
    perMinute,
    settings: {
      ...filled({ source, campaign, development }),
      ...(pages.length > 0 && { origins: pages }),
      ...(Object.keys(forms).length > 0 && { developmentByForm: forms }),
    },
    secrets: isMeta
      ? filled({ appSecret: draft.appSecret, verifyToken: draft.verifyToken, pageToken: draft.pageToken })
      : {},
  }
}

function filled(texts: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => {
      const kept = text?.trim() ?? ''
      return kept === '' || name === '' ? [] : [[name, kept]]
    }),
  )
}
