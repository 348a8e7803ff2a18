// All sources of leads that post to /api/leads with a key, each with what reads its bodies.
import {
  at,
  REPORTED,
  textOf,
  toNewLead,
  type ParsedLead,
  UnreadableLead,
  type KeySettings,
  type NewLead,
  type ReadSource,
} from './new-lead.ts'
import { numbersIn } from '#domain/phone/read.ts'
import { readChavesnamao } from './sources/chavesnamao.ts'
import { readEmail } from './sources/email.ts'
import { readForm } from './sources/form.ts'
import { readGoogle } from './sources/google.ts'
import { readImovelweb } from './sources/imovelweb.ts'
import { readMeta } from './sources/meta.ts'
import { readOlx } from './sources/olx.ts'
import { readRdstation } from './sources/rdstation.ts'

export const SOURCES = {
  form: readForm,
  olx: readOlx,
  imovelweb: readImovelweb,
  chavesnamao: readChavesnamao,
  rdstation: readRdstation,
  google: readGoogle,
  meta: readMeta,
  email: readEmail,
} satisfies Record<string, ReadSource>

export type KeyKind = keyof typeof SOURCES
export const KINDS = Object.keys(SOURCES) as KeyKind[]

/** Of one body: a key stands in a page, and whoever copied it must not keep the process busy with a list of nobody. */
const MOST_LEADS = 500

type Key = { kind: KeyKind; settings: KeySettings }

/**
 * The leads of a body, each as it was told or why it cannot be read. A mapping is a person's own word on how to read it,
 * whatever the source. What comes as a list, as connectors send it, is read one by one. Raises UnreadableLead where the
 * body as a whole is none.
 */
export function readBody(key: Key, body: unknown, nowMs: number): (NewLead | UnreadableLead)[] {
  if (!Array.isArray(body)) return readOne(key, body, nowMs)
  if (body.length === 0)
    throw new UnreadableLead('Envie os dados do lead como JSON ou formulário.', 'Sem nenhum lead')
  if (body.length > MOST_LEADS) throw tooManyLeads()
  const each = { ...key, settings: { ...key.settings, mapping: withinOne(key.settings.mapping) } }
  return body.flatMap((one: unknown) => orWhy(() => readOne(each, one, nowMs)))
}

/** What a person pointed at in one of a list, '0.nome', is where it stands in each. */
function withinOne(mapping: KeySettings['mapping']): KeySettings['mapping'] {
  if (mapping === undefined) return undefined
  return Object.fromEntries(
    Object.entries(mapping).map(([what, path]) => [what, path?.replace(/^\d+\./, '')]),
  )
}

function readOne(key: Key, body: unknown, nowMs: number): (NewLead | UnreadableLead)[] {
  const all = readParsed(key, body, nowMs)
  if (all.length > MOST_LEADS) throw tooManyLeads()
  return all.map((parsed) => orWhy(() => toNewLead(parsed, key.settings, nowMs)))
}

const tooManyLeads = () =>
  new UnreadableLead(`Envie no máximo ${MOST_LEADS} leads de uma vez.`, 'Leads demais em uma entrega')

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
  if (mapping === undefined || kind === 'form') return SOURCES[kind](body, settings, nowMs)
  try {
    const parsed = SOURCES[kind](body, settings, nowMs)
    // Paths lead through the whole body: of several leads they would name one.
    return parsed.length === 1 ? parsed.map((one) => asMapped(one, body, mapping)) : parsed
  } catch (error) {
    if (error instanceof UnreadableLead) return readForm(body, settings, nowMs)
    throw error
  }
}

/** What the source's own reading found, and over it what stands where a person said. */
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
