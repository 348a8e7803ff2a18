// Material that a broker sends a lead: the choices of a development, their captions, and the search for developments.
import type { Lead } from '../lead/lead.ts'
import type { Media, MessageContent } from '../message/message.ts'
import { foldText } from '../search.ts'
import {
  availableText,
  priceOf,
  STATE_LABEL,
  type DevelopmentFileKind,
  type Plan,
  type Price,
} from './development.ts'
import type { Material, MaterialDocument, MaterialPhoto } from './material-index.ts'
import { monthText, shortDay, shortReais } from './price-words.ts'

export const MAX_THINGS = 4

/** One message of several that are sent together; `operationId` identifies this one. */
export type MaterialThing = {
  operationId: string
  /** The development's file; null for a location or a text. */
  fileId: number | null
  /** The caption; for a plan without a drawing the whole text. */
  text: string
  /** The name under which 'Material enviado' lists it. */
  label: string
  /** The slug of the public page whose address ends the text. The server adds the lead's own token to the address. */
  page?: string
  /** The price that the caption states. The server refuses the thing if the record has another price by now. */
  price?: CaptionPrice
  /** The file's kind, by which its successor is found if the file has left the record. */
  fileKind?: DevelopmentFileKind
  /** The content of the message's bubble until the server has the message. */
  content:
    Extract<MessageContent, { kind: 'text' | 'location' }> | { kind: 'image' | 'document'; media: Media }
}

export type CaptionPrice = { cents: number; pricedOn: string }
export type Caption = { text: string; price: CaptionPrice | null }

/** Something that a broker can choose to send; `key` identifies it within its development. */
export type Choice = { key: string; label: string } & (
  | { kind: 'photo'; photo: MaterialPhoto }
  | { kind: 'plan'; plan: Plan }
  | { kind: 'document'; document: MaterialDocument }
  | { kind: 'place' }
  | { kind: 'page'; slug: string }
)

const DOCUMENT_LABEL: Record<DevelopmentFileKind, string> = {
  tabela: 'Tabela de vendas',
  book: 'Book',
  memorial: 'Memorial',
  planta: 'Planta',
  foto: 'Foto',
}

/** A choice with its caption. `price` is the one that the caption states; null if the broker wrote the caption. */
export type Captioned = { choice: Choice } & Caption

/** Returns everything of a development that can be sent, in the order of its card. */
export function choicesOf({ photos, plans, documents, ...material }: Material): Choice[] {
  return [
    ...photos.map((photo, at): Choice => ({
      kind: 'photo',
      key: `photo ${photo.id}`,
      label: photo.title ?? (at === 0 ? 'Foto de capa' : `Foto ${at + 1}`),
      photo,
    })),
    ...plans.map((plan): Choice => ({ kind: 'plan', key: `plan ${plan.id}`, label: plan.name, plan })),
    ...documents.map((document): Choice => ({
      kind: 'document',
      key: `document ${document.id}`,
      label: document.title ?? DOCUMENT_LABEL[document.kind],
      document,
    })),
    ...(material.latitude === null || material.longitude === null
      ? []
      : [{ kind: 'place' as const, key: 'place', label: material.placeName ?? material.name }]),
    ...(material.slug === null
      ? []
      : [{ kind: 'page' as const, key: 'page', label: 'Página com fotos e plantas', slug: material.slug }]),
  ]
}

/** Returns the preselected items: those sent last if they still exist, else cover photo, price table and location. */
export function firstChoice(choices: readonly Choice[], sentLast: readonly string[]): string[] {
  const again = sentLast.filter((key) => choices.some((choice) => choice.key === key))
  if (again.length > 0) return again.slice(0, MAX_THINGS)
  const cover = choices.find(({ kind }) => kind === 'photo')
  const table = choices.find((choice) => choice.kind === 'document' && choice.document.kind === 'tabela')
  const place = choices.find(({ kind }) => kind === 'place')
  return [cover, table, place].flatMap((choice) => choice?.key ?? [])
}

const CHOICE_WORD = { photo: 'foto', plan: 'planta', place: 'local', page: 'página' }

/** For example 'Foto, tabela e local.'. */
export function chosenWords(chosen: readonly Choice[]): string {
  const words = chosen.map((choice) =>
    choice.kind === 'document' ? choice.document.kind : CHOICE_WORD[choice.kind],
  )
  const text = new Intl.ListFormat('pt-BR').format(new Set(words))
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

/**
 * Returns the captions of the first photo and of each plan, by the item's key. `withPrice` false leaves expired prices
 * out.
 */
export function captionsOf(
  material: Material,
  chosen: readonly Choice[],
  { today, withPrice = true }: { today: string; withPrice?: boolean },
): Map<string, Caption> {
  const cover = chosen.find(({ kind }) => kind === 'photo')
  const shown = (price: Price | null) => (withPrice || price?.isExpired === false ? price : null)
  const captions = new Map<string, Caption>()
  for (const choice of chosen) {
    if (choice === cover) captions.set(choice.key, caption(material, [], shown(priceOf(material, today))))
    if (choice.kind === 'plan')
      captions.set(
        choice.key,
        caption(material, planLines(choice.plan), shown(planPrice(choice.plan, today))),
      )
  }
  return captions
}

/** Returns the day on which the first price in the captions expired; null if all are valid. */
export function expiredOn(material: Material, chosen: readonly Choice[], today: string): string | null {
  const prices = [
    chosen.some(({ kind }) => kind === 'photo') ? priceOf(material, today) : null,
    ...chosen.map((choice) => (choice.kind === 'plan' ? planPrice(choice.plan, today) : null)),
  ]
  const days = prices.flatMap((price) => (price?.isExpired ? price.validUntil : []))
  return days.toSorted()[0] ?? null
}

export const planPrice = (plan: Plan, today: string) => priceOf({ ...plan, plans: [] }, today)

function caption(
  { name, district, license }: Material,
  lines: readonly string[],
  price: Price | null,
): Caption {
  const text = [
    [name, district].filter(Boolean).join(' · '),
    ...lines,
    ...(price
      ? [`a partir de ${shortReais(price.cents)}`, `Preço da tabela de ${shortDay(price.pricedOn)}`]
      : []),
    ...(license ? [/creci/i.test(license) ? license : `CRECI ${license}`] : []),
  ].join('\n')
  return { text, price: price && { cents: price.cents, pricedOn: price.pricedOn } }
}

const planLines = (plan: Plan) => [[plan.name, planFacts(plan)].filter(Boolean).join(' · ')]

/** For example '62 m² · 1 suíte · 2 vagas'. */
export function planFacts({ areaFrom, areaTo, suites, parking }: Plan): string {
  return [
    areaFrom !== null && `${decimal(areaFrom)}${areaTo === null ? '' : ` a ${decimal(areaTo)}`} m²`,
    suites && `${suites} ${suites === 1 ? 'suíte' : 'suítes'}`,
    parking && `${parking} ${parking === 1 ? 'vaga' : 'vagas'}`,
  ]
    .filter(Boolean)
    .join(' · ')
}

const decimal = (amount: number) => amount.toLocaleString('pt-BR')

/** For example 'Jardim Botânico · em obras · entrega mar/2028 · 12 disponíveis'. */
export function stageWords(
  { district, state, deliversOn, unitsAvailable }: Material,
  isWhole = true,
): string {
  return [
    district,
    state && STATE_LABEL[state].toLowerCase(),
    isWhole && deliversOn && `entrega ${monthText(deliversOn)}`,
    availableText(unitsAvailable),
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Finds developments whose name, district or city contains every typed word, ignoring accents and case. */
export function findMaterials(materials: readonly Material[], typed: string): readonly Material[] {
  const words = foldText(typed).split(' ').filter(Boolean)
  if (words.length === 0) return materials
  return materials.filter(({ name, district, city }) => {
    const text = foldText([name, district, city].filter(Boolean).join(' '))
    return words.every((word) => text.includes(word))
  })
}

/** Returns a lead's developments: first the one under which reports count the lead, then its other interests. */
export function ofLead<T extends { name: string }>(
  materials: readonly T[],
  { development, interests }: Pick<Lead, 'development' | 'interests'>,
): T[] {
  const names = [...new Set([development, ...(interests ?? [])].map((name) => keyOf(name ?? '')))]
  return names.flatMap((key) => materials.find(({ name }) => keyOf(name) === key) ?? [])
}

/** The same comparison of names as in portal.development_key. */
const keyOf = (name: string) => foldText(name).replace(/[^a-z0-9]+/g, '')

/**
 * Returns an item as the message that the outbox stores. `preview` is a tiny JPEG in base64, `origin` the portal's own
 * origin.
 */
export function toThing(
  material: Material,
  choice: Choice,
  {
    operationId,
    text,
    price = null,
    preview,
    origin,
  }: {
    operationId: string
    text: string
    price?: CaptionPrice | null
    preview: string | null
    origin: string
  },
): MaterialThing {
  const thing = { operationId, text, label: choice.label, ...(price && { price }) }
  switch (choice.kind) {
    case 'photo':
      return { ...thing, fileId: choice.photo.id, fileKind: 'foto', content: picture(preview) }
    case 'plan':
      return choice.plan.drawingId === null
        ? { ...thing, fileId: null, content: { kind: 'text' } }
        : { ...thing, fileId: choice.plan.drawingId, fileKind: 'planta', content: picture(preview) }
    case 'document': {
      const { id, kind, fileName, sizeBytes } = choice.document
      const media = { ...MEDIA, mimeType: 'application/pdf', fileName, sizeBytes }
      return { ...thing, fileId: id, fileKind: kind, content: { kind: 'document', media } }
    }
    case 'page': {
      const address = `${origin}/i/${choice.slug}`
      const words = text === '' ? material.name : text
      return {
        ...thing,
        text: `${words}\n${address}`,
        fileId: null,
        page: choice.slug,
        content: { kind: 'text' },
      }
    }
    case 'place': {
      const { latitude, longitude, placeName, name, address } = material
      const place = {
        latitude: latitude ?? 0,
        longitude: longitude ?? 0,
        name: placeName ?? name,
        address,
        isLive: false,
      }
      return { ...thing, text: place.name, fileId: null, content: { kind: 'location', place } }
    }
  }
}

const MEDIA = {
  mimeType: 'image/jpeg',
  fileName: null,
  sizeBytes: null,
  seconds: null,
  width: null,
  height: null,
  isVoice: false,
  isViewOnce: false,
  preview: null,
  waveform: null,
}

const picture = (preview: string | null) => ({ kind: 'image' as const, media: { ...MEDIA, preview } })
