// All sources of leads that post to /api/leads with a key, each with its parser.
import {
  at,
  REPORTED,
  textOf,
  toNewLead,
  type ParsedLead,
  UnreadableLead,
  type KeySettings,
  type NewLead,
} from './new-lead.ts'
import { numbersIn } from '#domain/phone/read.ts'
import type { Source } from './source.ts'
import { chavesnamao } from './sources/chavesnamao.ts'
import { email } from './sources/email.ts'
import { form } from './sources/form.ts'
import { google } from './sources/google.ts'
import { imovelweb } from './sources/imovelweb.ts'
import { meta } from './sources/meta.ts'
import { olx } from './sources/olx.ts'
import { rdstation } from './sources/rdstation.ts'

/** The sources in order of precedence: a form of ImovelWeb also has field names of Grupo OLX. */
export const SOURCES = {
  imovelweb,
  olx,
  chavesnamao,
  google,
  rdstation,
  meta,
  email,
  form,
} satisfies Record<string, Source>

export type KeyKind = keyof typeof SOURCES
export const KINDS = Object.keys(SOURCES) as KeyKind[]

/** Maximum leads in a body: keys are public in pages, and a long list would block the process. */
const MAX_LEADS = 500

type Key = { kind: KeyKind; settings: KeySettings }

/**
 * The leads of a body, each parsed or with its fault. A mapping overrides the source's parser. Lists, which
 * connectors send, are parsed one by one. Raises UnreadableLead if the whole body is invalid.
 */
export function readBody(key: Key, body: unknown, nowMs: number): (NewLead | UnreadableLead)[] {
  if (!Array.isArray(body)) return readOne(key, body, nowMs)
  if (body.length === 0)
    throw new UnreadableLead('Envie os dados do lead como JSON ou formulário.', 'Sem nenhum lead')
  if (body.length > MAX_LEADS) throw tooManyLeads()
  const each = { ...key, settings: { ...key.settings, mapping: withinOne(key.settings.mapping) } }
  return body.flatMap((one: unknown) => orWhy(() => readOne(each, one, nowMs)))
}

/** Applies a mapped path such as '0.nome' to every item of a list. */
function withinOne(mapping: KeySettings['mapping']): KeySettings['mapping'] {
  if (mapping === undefined) return undefined
  return Object.fromEntries(
    Object.entries(mapping).map(([what, path]) => [what, path?.replace(/^\d+\./, '')]),
  )
}

function readOne(key: Key, body: unknown, nowMs: number): (NewLead | UnreadableLead)[] {
  const all = readParsed(key, body, nowMs)
  if (all.length > MAX_LEADS) throw tooManyLeads()
  return all.map((parsed) => orWhy(() => toNewLead(parsed, key.settings, nowMs)))
}

const tooManyLeads = () =>
  new UnreadableLead(`Envie no máximo ${MAX_LEADS} leads de uma vez.`, 'Leads demais em uma entrega')

function orWhy<T>(read: () => T): T | UnreadableLead {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnreadableLead) return error
    throw error
  }
}

function readParsed({ kind, settings }: Key, body: unknown, nowMs: number): ParsedLead[] {
  const { mapping } = settings
  const source = sourceOf({ kind, settings }, body)
  if (mapping === undefined || source === form) return readOrElse(source, { settings, nowMs }, body)
  try {
    const parsed = source.read(body, settings, nowMs)
    // Paths start at the whole body, so they fit only a body with one lead.
    return parsed.length === 1 ? parsed.map((one) => asMapped(one, body, mapping)) : parsed
  } catch (error) {
    if (error instanceof UnreadableLead && !error.isNoLead) return form.read(body, settings, nowMs)
    throw error
  }
}

/**
 * The format of the body decides, not the kind of the key: people paste the address that is at hand into a
 * CRM.
 */
function sourceOf({ kind, settings }: Key, body: unknown): Source {
  const own: Source = SOURCES[kind]
  if (own.recognises(body) || (own === form && settings.mapping !== undefined)) return own
  return Object.values(SOURCES).find(({ recognises }) => recognises(body)) ?? own
}

/** If the source's own parser finds nobody, the parser of forms is tried. */
function readOrElse(
  source: Source,
  { settings, nowMs }: { settings: KeySettings; nowMs: number },
  body: unknown,
): ParsedLead[] {
  if (source === form || source.recognises(body)) return source.read(body, settings, nowMs)
  const own = orWhy(() => source.read(body, settings, nowMs))
  const isSomebody = (one: ParsedLead) =>
    !(orWhy(() => toNewLead(one, settings, nowMs)) instanceof UnreadableLead)
  if (Array.isArray(own) && own.some(isSomebody)) return own
  const asForm = orWhy(() => form.read(body, settings, nowMs))
  if (Array.isArray(asForm) && asForm.some((one) => numbersIn(one.phones, one.areaCode).numbers.length > 0))
    return asForm
  if (own instanceof UnreadableLead) throw own
  return own
}

/** The source's own result, overridden by the mapped fields. */
function asMapped(
  parsed: ParsedLead,
  body: unknown,
  mapping: NonNullable<KeySettings['mapping']>,
): ParsedLead {
  const said = REPORTED.flatMap((what) => {
    const path = mapping[what]
    const value = path === undefined ? null : textOf(at(body, path))
    return value === null ? [] : [[what, value] as const]
  })
  const { number, ...rest } = Object.fromEntries(said)
  return { ...parsed, ...rest, phones: numbersIn([number]).numbers.length === 0 ? parsed.phones : [number] }
}
