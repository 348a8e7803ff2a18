// The lead's advertisement: from the card of a click-to-WhatsApp ad, or from WhatsApp's conversion data if
// the card is missing.
import { child, text, type Fields } from './field.ts'
import type { Ad } from '#server/delivery.ts'

/** Null without an advertisement. */
export function readAd(context: Fields): Ad | null {
  const card = child(context, 'externalAdReply')
  const isCard = Object.keys(card).length > 0
  if (!isCard && !isByAd(context)) return null
  const link = text(card['sourceUrl'], 1_000)
  return {
    source: appOf(context, card, link),
    title: text(card['title'], 200) ?? text(card['body'], 200),
    clickId: text(card['ctwaClid'], 2_000),
    adId: text(card['sourceId'], 100),
    link: link !== null && /^https?:\/\//i.test(link) ? link : null,
  }
}

/** 'FB_Ads', 'ctwa_ad' and similar; 'click_to_chat_link' and 'global_search_new_chat' are no ads. */
const isByAd = (context: Fields): boolean =>
  /ads?$/i.test(text(context['conversionSource'], 100) ?? '') ||
  /^ctwa/i.test(text(context['entryPointConversionSource'], 100) ?? '')

const APPS = ['facebook', 'instagram']
/** If no app is named, the link's host and the family of ads give a hint. */
const HINTS: readonly (readonly [RegExp, string])[] = [
  [/^https?:\/\/([\w-]+\.)*instagram\.com\//i, 'instagram'],
  [/^https?:\/\/([\w-]+\.)*(facebook\.com|fb\.me|fb\.com)\//i, 'facebook'],
]

function appOf(context: Fields, card: Fields, link: string | null): string | null {
  const named = [card['sourceApp'], context['entryPointConversionApp']]
    .map((app) => text(app, 100)?.toLowerCase())
    .find((app) => app !== undefined && APPS.includes(app))
  const hinted = HINTS.find(([pattern]) => link !== null && pattern.test(link))?.[1]
  const family = /^FB/i.test(text(context['conversionSource'], 100) ?? '') ? 'facebook' : null
  return named ?? hinted ?? family
}
