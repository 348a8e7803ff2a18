// Material that a broker sends a lead: what is chosen of a development, its caption, and the search for one.
import type { Lead } from '../lead/lead.ts'
import type { Media, MessageContent } from '../message/message.ts'
import { foldText } from '../search.ts'
import { priceOf, STATE_LABEL, type DevelopmentFileKind, type Plan, type Price } from './development.ts'
import type { Material, MaterialDocument, MaterialPhoto } from './material-index.ts'
import { monthText, shortDay, shortReais } from './price-words.ts'

export const MAX_THINGS = 4

/** One message of a burst. `operationId` is the message's own. */
export type MaterialThing = {
  operationId: string
  /** The record's file; null for a place or a text. */
  fileId: number | null
  /** The caption, or the text of a plan without a drawing. */
  text: string
  /** The thing's name in 'Material enviado'. */
  label: string
  /** The slug of the public page whose address ends the text; the server adds the lead's own token. */
  page?: string
  /** The bubble until the server has the message. */
  content:
    Extract<MessageContent, { kind: 'text' | 'location' }> | { kind: 'image' | 'document'; media: Media }
}

/** A thing that a broker can choose; `key` identifies it within its development. */
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

/** Everything that can be sent of a development, in the order of its card. */
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

/** What the card opens with: what was sent of it last, as far as it exists, else cover, price table and place. */
export function firstChoice(choices: readonly Choice[], sentLast: readonly string[]): string[] {
  const again = sentLast.filter((key) => choices.some((choice) => choice.key === key))
  if (again.length > 0) return again.slice(0, MAX_THINGS)
  const cover = choices.find(({ kind }) => kind === 'photo')
  const table = choices.find((choice) => choice.kind === 'document' && choice.document.kind === 'tabela')
  const place = choices.find(({ kind }) => kind === 'place')
  return [cover, table, place].flatMap((choice) => choice?.key ?? [])
}

const CHOICE_WORD = { photo: 'foto', plan: 'planta', place: 'local', page: 'página' }

/** 'Foto, tabela e local.' */
export function chosenWords(chosen: readonly Choice[]): string {
  const words = chosen.map((choice) =>
    choice.kind === 'document' ? choice.document.kind : CHOICE_WORD[choice.kind],
  )
  const text = new Intl.ListFormat('pt-BR').format(new Set(words))
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

/** Captions by the choice's key: of the first photo, and of each plan. `withPrice` false leaves an expired price out. */
export function captionsOf(
  material: Material,
  chosen: readonly Choice[],
  { today, withPrice = true }: { today: string; withPrice?: boolean },
): Map<string, string> {
  const cover = chosen.find(({ kind }) => kind === 'photo')
  const shown = (price: Price | null) => (withPrice || price?.isExpired === false ? price : null)
  const captions = new Map<string, string>()
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

/** The day on which the first of the captions' prices expired; null if all hold. */
export function expiredOn(material: Material, chosen: readonly Choice[], today: string): string | null {
  const prices = [
    chosen.some(({ kind }) => kind === 'photo') ? priceOf(material, today) : null,
    ...chosen.map((choice) => (choice.kind === 'plan' ? planPrice(choice.plan, today) : null)),
  ]
  const days = prices.flatMap((price) => (price?.isExpired ? price.validUntil : []))
  return days.toSorted()[0] ?? null
}

export const planPrice = (plan: Plan, today: string) => priceOf({ ...plan, plans: [] }, today)

function caption({ name, district, license }: Material, lines: readonly string[], price: Price | null) {
  return [
    [name, district].filter(Boolean).join(' · '),
    ...lines,
    ...(price
      ? [`a partir de ${shortReais(price.cents)}`, `Preço da tabela de ${shortDay(price.pricedOn)}`]
      : []),
    ...(license ? [/creci/i.test(license) ? license : `CRECI ${license}`] : []),
  ].join('\n')
}

const planLines = (plan: Plan) => [[plan.name, planFacts(plan)].filter(Boolean).join(' · ')]

/** '62 m² · 1 suíte · 2 vagas' */
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

/** 'Jardim Botânico · em obras · entrega mar/2028' */
export function stageWords({ district, state, deliversOn }: Material, isWhole = true): string {
  return [
    district,
    state && STATE_LABEL[state].toLowerCase(),
    isWhole && deliversOn && `entrega ${monthText(deliversOn)}`,
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Developments whose name, district or city has every typed word, without regard to accents and case. */
export function findMaterials(materials: readonly Material[], typed: string): readonly Material[] {
  const words = foldText(typed).split(' ').filter(Boolean)
  if (words.length === 0) return materials
  return materials.filter(({ name, district, city }) => {
    const text = foldText([name, district, city].filter(Boolean).join(' '))
    return words.every((word) => text.includes(word))
  })
}

/** The lead's developments: the one that figures count first, then the other interests. */
export function ofLead<T extends { name: string }>(
  materials: readonly T[],
  { development, interests }: Pick<Lead, 'development' | 'interests'>,
): T[] {
  const names = [...new Set([development, ...(interests ?? [])].map((name) => keyOf(name ?? '')))]
  return names.flatMap((key) => materials.find(({ name }) => keyOf(name) === key) ?? [])
}

/** As portal.development_key compares names. */
const keyOf = (name: string) => foldText(name).replace(/[^a-z0-9]+/g, '')

/** A choice as the message that the outbox holds. `preview`: a tiny JPEG in base64; `origin`: the portal's. */
export function toThing(
  material: Material,
  choice: Choice,
  {
    operationId,
    text,
    preview,
    origin,
  }: { operationId: string; text: string; preview: string | null; origin: string },
): MaterialThing {
  const thing = { operationId, text, label: choice.label }
  switch (choice.kind) {
    case 'photo':
      return { ...thing, fileId: choice.photo.id, content: picture(preview) }
    case 'plan':
      return choice.plan.drawingId === null
        ? { ...thing, fileId: null, content: { kind: 'text' } }
        : { ...thing, fileId: choice.plan.drawingId, content: picture(preview) }
    case 'document': {
      const { id, fileName, sizeBytes } = choice.document
      const media = { ...MEDIA, mimeType: 'application/pdf', fileName, sizeBytes }
      return { ...thing, fileId: id, content: { kind: 'document', media } }
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
