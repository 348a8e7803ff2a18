// A new intake key as it is filled in, what is missing of it, and what is sent.
import type { IntakeKey, NewIntakeKey } from './intake-keys-data.ts'
import { newOperationId } from '#data/operation.ts'
import type { FIELD } from './intake-texts.ts'

export type Mapping = Readonly<Partial<Record<keyof typeof FIELD, string>>>
export type FormDevelopment = { formId: string; development: string }

export type KeyDraft = {
  /** What is sent again after a lost answer is the same operation, and shows the same key. */
  operationId: string
  kind: IntakeKey['kind']
  name: string
  source: string
  campaign: string
  development: string
  perMinute: number
  mapping: Mapping
  forms: readonly FormDevelopment[]
  appSecret: string
  verifyToken: string
  pageToken: string
}

const PER_MINUTE = 120
/** As the server takes a path: 'cliente.telefones.0'. */
const PATH = /^[^.]{1,60}(\.[^.]{1,60}){0,5}$/

export const emptyKeyDraft = (): KeyDraft => ({
  operationId: newOperationId(),
  kind: 'olx',
  name: '',
  source: '',
  campaign: '',
  development: '',
  perMinute: PER_MINUTE,
  mapping: {},
  forms: [],
  appSecret: '',
  verifyToken: '',
  pageToken: '',
})

export function keyFault(draft: KeyDraft): 'name' | 'secrets' | 'fields' | null {
  if (draft.name.trim() === '') return 'name'
  if (draft.kind === 'meta')
    return draft.appSecret.trim() === '' || draft.verifyToken.trim() === '' ? 'secrets' : null
  return Object.values(filled(draft.mapping)).every((path) => PATH.test(path)) ? null : 'fields'
}

/** Only what was filled in, and of that only what the kind of key has a use for. */
export function toIntent(draft: KeyDraft): NewIntakeKey {
  const { operationId, kind, name, perMinute, source, campaign, development } = draft
  const isMeta = kind === 'meta'
  const mapping = isMeta ? {} : filled(draft.mapping)
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
      ...(Object.keys(mapping).length > 0 && { mapping }),
      ...(Object.keys(forms).length > 0 && { developmentByForm: forms }),
    },
    secrets: isMeta
      ? filled({
          appSecret: draft.appSecret,
          verifyToken: draft.verifyToken,
          pageToken: draft.pageToken,
        })
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
