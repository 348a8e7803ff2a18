// The public page of a development or a listing: HTML without scripts, readable by people, previews and search engines.
import { createHash } from 'node:crypto'
import { accentsOf } from '#domain/brand.ts'
import { centralLink } from '#domain/phone/central-link.ts'
import { dayText } from '#domain/development/price-words.ts'
import { formatSize } from '#domain/format.ts'
import { paperPath, photoPath, type PageContent, type PagePhoto } from './content.ts'
import {
  developmentFacts,
  firstWords,
  listingFacts,
  placeText,
  planFacts,
  pricesOf,
  reais,
  summaryOf,
} from './words.ts'

export type PageBrand = { name: string | null; color: string | null; logo: string | null }
type Page = {
  content: PageContent
  brand: PageBrand
  /** The agency's central number; null: the page has no button. */
  central: string | null
  /** The portal's address, without a slash at the end. */
  origin: string
}

const DEFAULT_COLOR = '#005a68'
const THUMB_SIDE = 320
const WHOLE_SIDE = 1_920
/** A little less than a tile, so that most screens take the small photo. */
const TILE_SIZES = '(min-width:40rem) 11rem, 44vw'
const FALLBACK_SIDES = { width: 1_080, height: 810 }

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

const agencyOf = ({ name }: PageBrand): string => name ?? 'Portal do Corretor'

export function toPage({ content, brand, central, origin }: Page): { html: string; styles: string } {
  const { name, slug } = content
  const title = [name, placeText(content)].filter(Boolean).join(', ')
  const address = `${origin}/i/${slug}`
  const [first] = content.media
  const head = [
    `<title>${escaped(`${title} | ${agencyOf(brand)}`)}</title>`,
    meta('description', summaryOf(content)),
    `<link rel="canonical" href="${escaped(address)}">`,
    ...openGraph({ content, title, address, origin, brand, first }),
  ]
  const body = `<header class="top">${brandHtml(brand)}</header>
<main>${photosHtml(content)}
<div class="text"><h1>${escaped(name)}</h1>${placeText(content) === '' ? '' : `<p class="place">${escaped(placeText(content))}</p>`}
${priceHtml(content)}${central === null ? '' : buttonHtml(content, central)}
${factsHtml(content)}${plansHtml(content)}${descriptionHtml(content)}${papersHtml(content)}${whereHtml(content)}</div></main>
<footer><p>${escaped(agencyOf(brand))} · código ${escaped(content.code)}</p><p>Preços e disponibilidade podem mudar sem aviso.</p></footer>`
  return frame({ head, body, brand })
}

/** The page for an address where nothing is published. */
export const toMissingPage = (brand: PageBrand) =>
  frame({
    head: [`<title>Página não encontrada | ${escaped(agencyOf(brand))}</title>`, meta('robots', 'noindex')],
    body: `<header class="top">${brandHtml(brand)}</header><main><div class="text"><h1>Esta página não está no ar</h1>
<p>O imóvel pode ter sido vendido, ou o endereço mudou. Fale com a imobiliária.</p></div></main>`,
    brand,
  })

const meta = (name: string, content: string) => `<meta name="${name}" content="${escaped(content)}">`
const property = (name: string, content: string) => `<meta property="${name}" content="${escaped(content)}">`

type Preview = {
  content: PageContent
  title: string
  address: string
  origin: string
  brand: PageBrand
  first: PagePhoto | undefined
}

function openGraph({ content, title, address, origin, brand, first }: Preview): string[] {
  const image =
    first === undefined
      ? []
      : [
          property('og:image', origin + photoPath(content.slug, first.mediaId)),
          property('og:image:type', 'image/jpeg'),
          property('og:image:width', String(first.width ?? FALLBACK_SIDES.width)),
          property('og:image:height', String(first.height ?? FALLBACK_SIDES.height)),
          property('og:image:alt', altOf(content, first, 0)),
          meta('twitter:card', 'summary_large_image'),
        ]
  return [
    property('og:type', 'website'),
    property('og:locale', 'pt_BR'),
    property('og:site_name', agencyOf(brand)),
    property('og:title', title),
    property('og:description', summaryOf(content)),
    property('og:url', address),
    ...image,
  ]
}

function frame({ head, body, brand }: { head: string[]; body: string; brand: PageBrand }) {
  const styles = stylesOf(brand.color ?? DEFAULT_COLOR)
  const icon = brand.logo === null ? '/icons/favicon-32.png' : `/icons/192.png?v=${brand.logo}`
  const html = `<!doctype html>
<html lang="pt-BR"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
${head.join('\n')}
<meta name="theme-color" content="${accentsOf(brand.color ?? DEFAULT_COLOR).light.primary}"><link rel="icon" href="${icon}">
<style>${styles}</style></head>
<body>${body}</body></html>`
  return { html, styles: createHash('sha256').update(styles).digest('base64') }
}

function brandHtml(brand: PageBrand): string {
  const src = `/icons/192.png${brand.logo === null ? '' : `?v=${brand.logo}`}`
  return `<img src="${src}" width="40" height="40" alt=""><span>${escaped(agencyOf(brand))}</span>`
}

function altOf({ name }: PageContent, { caption }: PagePhoto, place: number): string {
  return caption === null ? `${name}, foto ${place + 1}` : `${name}: ${caption}`
}

function photosHtml(content: PageContent): string {
  const { slug, media } = content
  if (media.length === 0) return ''
  const image = (photo: PagePhoto, place: number) => {
    const { mediaId, thumbId, wholeId, width, height } = photo
    const sides = width === null || height === null ? FALLBACK_SIDES : { width, height }
    const large = photoPath(slug, mediaId)
    const small = thumbId === null ? large : photoPath(slug, thumbId)
    const thumbWidth = Math.round(THUMB_SIDE * Math.min(1, sides.width / sides.height))
    // At most 1,920 pixels; narrower where the photo is upright.
    const wholeWidth = Math.round(WHOLE_SIDE * Math.min(1, sides.width / sides.height))
    const whole = wholeId === null ? '' : `, ${photoPath(slug, wholeId)} ${wholeWidth}w`
    const loading =
      place === 0 ? 'fetchpriority="high"' : 'loading="lazy" decoding="async" fetchpriority="low"'
    return `<img src="${large}" srcset="${small} ${thumbWidth}w, ${large} ${sides.width}w${whole}" sizes="${place === 0 ? '(min-width:62rem) 60rem, 100vw' : TILE_SIZES}" width="${sides.width}" height="${sides.height}" alt="${escaped(altOf(content, photo, place))}" ${loading}>`
  }
  const [first, ...others] = media.map(image)
  return `<div class="photos">${first}${others.length === 0 ? '' : `<div class="more">${others.join('')}</div>`}</div>`
}

function priceHtml(content: PageContent): string {
  const { prices, day } = pricesOf(content)
  if (day === null || prices.length === 0) return '<p class="price">Preço sob consulta</p>'
  const amounts = prices
    .map(({ label, amount }) => `<span><small>${label}</small> ${escaped(amount)}</span>`)
    .join(' ')
  return `<p class="price">${amounts}</p><p class="day">${content.type === 'development' ? 'Tabela' : 'Preço'} de <time datetime="${day}">${dayText(day)}</time></p>`
}

const buttonHtml = (content: PageContent, central: string) =>
  `<p class="ask"><a class="button" href="${escaped(centralLink(central, firstWords(content)))}" rel="nofollow">Falar no WhatsApp</a></p>`

function factsHtml(content: PageContent): string {
  const facts = content.type === 'listing' ? listingFacts(content) : developmentFacts(content)
  if (facts.length === 0) return ''
  const rows = facts.map(([label, value]) => `<div><dt>${label}</dt><dd>${escaped(value)}</dd></div>`)
  return `<dl>${rows.join('')}</dl>`
}

function plansHtml(content: PageContent): string {
  if (content.type === 'listing' || content.plans.length === 0) return ''
  const rows = content.plans.map((plan) => {
    const price =
      plan.priceFromCents === null || plan.pricedOn === null
        ? plan.isSoldOut
          ? 'Esgotada'
          : 'Sob consulta'
        : `${reais(plan.priceFromCents)} <small>em ${dayText(plan.pricedOn)}</small>`
    return `<tr><th scope="row">${escaped(plan.name)}</th><td>${escaped(planFacts(plan))}</td><td class="right">${price}</td></tr>`
  })
  return `<section><h2>Plantas e preços</h2><div class="wide"><table><thead><tr><th scope="col">Planta</th><th scope="col">O que tem</th><th scope="col" class="right">A partir de</th></tr></thead><tbody>${rows.join('')}</tbody></table></div></section>`
}

function descriptionHtml({ description }: PageContent): string {
  if (description === null) return ''
  const paragraphs = description
    .split(/\n+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => `<p>${escaped(line)}</p>`)
  return `<section><h2>Sobre o imóvel</h2>${paragraphs.join('')}</section>`
}

const PAPER = { book: 'Book', memorial: 'Memorial descritivo' }

function papersHtml(content: PageContent): string {
  if (content.type === 'listing' || content.papers.length === 0) return ''
  const links = content.papers.map(
    ({ kind, title, sizeBytes }) =>
      `<li><a href="${paperPath(content.slug, kind)}">${escaped(title ?? PAPER[kind])}</a> <small>PDF, ${formatSize(sizeBytes)}</small></li>`,
  )
  return `<section><h2>Documentos</h2><ul>${links.join('')}</ul></section>`
}

function whereHtml({ address, district, city, latitude, longitude }: PageContent): string {
  const place = [address, district, city].filter(Boolean).join(', ')
  if (place === '') return ''
  const map =
    latitude === null || longitude === null
      ? ''
      : `<p><a href="https://www.google.com/maps/search/?api=1&amp;query=${latitude},${longitude}" rel="noopener">Ver no mapa</a></p>`
  return `<section><h2>Onde fica</h2><p>${escaped(place)}</p>${map}</section>`
}

function stylesOf(color: string): string {
  const { light, dark } = accentsOf(color)
  return (
    `:root{color-scheme:light dark;--bg:#f8f6f2;--card:#fff;--text:#172227;--soft:#434f54;--line:#dfdbd3;--pri:${light.primary};--on:${light['on-primary']}}` +
    `@media(prefers-color-scheme:dark){:root{--bg:#0c1214;--card:#161e21;--text:#f0ede9;--soft:#b4bdbd;--line:#2b3639;--pri:${dark.primary};--on:${dark['on-primary']}}}` +
    '*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--text);font:16px/1.55 system-ui,sans-serif;overflow-wrap:break-word}' +
    '.top{display:flex;gap:.75rem;align-items:center;max-width:60rem;margin:auto;padding:.75rem 1rem;font-weight:600}.top img{border-radius:.6rem}' +
    'main{max-width:60rem;margin:auto;background:var(--card)}img{display:block;max-width:100%;height:auto}' +
    '.photos>img{width:100%;max-height:70vh;object-fit:cover;background:var(--line)}.more{display:grid;grid-template-columns:repeat(auto-fill,minmax(9rem,1fr));gap:2px;margin-top:2px}.more img{width:100%;aspect-ratio:4/3;object-fit:cover;background:var(--line)}' +
    '.text{padding:1.25rem 1rem 2rem}h1{font-size:1.75rem;line-height:1.2;margin:0}h2{font-size:1.25rem;margin:2rem 0 .5rem}p{margin:.25rem 0 .75rem}' +
    '.place,.day,small,dt,footer{color:var(--soft)}.price{font-size:1.5rem;font-weight:650;margin:1rem 0 0}.price span{display:inline-block;margin-right:1.25rem}small,.day,dt{font-size:.875rem;font-weight:400}' +
    '.ask{margin:1.25rem 0}.button{display:inline-block;min-height:3rem;padding:.75rem 1.5rem;border-radius:.8rem;background:var(--pri);color:var(--on);font-weight:600;text-decoration:none}' +
    'a{color:var(--pri)}a:focus-visible{outline:3px solid var(--pri);outline-offset:3px}' +
    'dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(9rem,1fr));gap:.75rem;margin:1.25rem 0}dl div{border-top:1px solid var(--line);padding-top:.5rem}dd{margin:0;font-weight:600}' +
    '.wide{overflow-x:auto}table{width:100%;border-collapse:collapse}th,td{text-align:left;padding:.6rem .75rem .6rem 0;border-top:1px solid var(--line);vertical-align:top}.right{text-align:right;padding-right:0}td.right{white-space:nowrap;font-weight:600}td small{display:block}thead th{font-size:.875rem;font-weight:500;color:var(--soft);border:0}' +
    'footer{max-width:60rem;margin:auto;padding:1.5rem 1rem 3rem;font-size:.875rem}'
  )
}
