// Finds the lead in a mail: a portal's notice, the form of a site, a person's own words, or any of them
// forwarded by a colleague.
import { numbersIn, readNumbers } from '#domain/phone/read.ts'
import { UnreadableLead, type Fields, type ParsedLead } from '../new-lead.ts'
import type { Answer } from '../reading/answers.ts'
import { meaningOf } from '../reading/labels.ts'
import { personIn } from '../reading/person.ts'
import { domainOf, isBulk, isRole, noLeadReason, portalOf } from './kinds.ts'
import { linesOf } from './lines.ts'
import { addressesIn, type Address, type Mail } from './mail.ts'
import { pairsIn } from './pairs.ts'
import { forwardedIn, withoutSignature, withoutThread } from './thread.ts'

const MAX_TEXT = 4_000
const EMAIL = /[^\s<>"'(),;:@]{1,64}@[^\s<>"'(),;:@]{1,190}\.[a-z]{2,}/gi
/** A line that is nothing but a full name. */
const NAME_LINE = /^\p{Lu}[\p{L}'’]*(?: (?:d[aeo]s?|e|\p{Lu}[\p{L}'’.]*)){1,5}$/u
const IN_PROSE =
  /(?:^|\s)(\p{Lu}[\p{L}'’]+(?: (?:d[aeo]s?|e|\p{Lu}[\p{L}'’]*)){1,5}) (?:quer|tem interesse|tem uma|gostaria|est[aá] interessad|enviou|deseja|solicitou|entrou em contato|pediu|fez uma|mandou)/u
const QUOTED_LINE = /^["“«](.{10,})["”»]$/
const CODE = /(?<![\p{L}\d-])([A-Z]{2,4}-?\d{2,6})(?![\p{L}\d])/u
const NO_CODE =
  /^(?:UTF|ISO|BR|SP|RJ|MG|RS|PR|SC|COVID|CPF|CNPJ|RG|CRECI|CEP|KM|GMT|UTC|WP|IP|MP|PM|AM|RE|R)-?\d/
const CODE_AFTER =
  /(?:c[oó]d(?:igo)?|ref(?:er[eê]ncia)?|an[uú]ncio|im[oó]vel)(?: d[oe] (?:im[oó]vel|an[uú]ncio))?\.?:? *(?:n[oº°]\.? *)?([A-Z]{0,4}-?\d{2,9})(?!\d)/i

/**
 * Finds the lead in a mail. Raises UnreadableLead: with `isNoLead` for bounces, automatic answers and newsletters,
 * else for an administrator to look at.
 */
export function readMail(mail: Mail): ParsedLead {
  const reason = noLeadReason(mail)
  if (reason !== null) throw noLead(reason)
  for (const inner of mail.attached) {
    const lead = orNothing(() =>
      readMail({ ...inner, to: [...inner.to, ...mail.to, ...(mail.from ? [mail.from] : [])] }),
    )
    if (lead) return { ...lead, externalId: mail.id }
  }
  const { lines, others } = linesOf(mail)
  const forwarded = forwardedIn(lines) ?? forwardedIn(others)
  const seen: Seen = forwarded
    ? {
        mail,
        from: forwarded.from,
        subject: forwarded.subject ?? mail.subject,
        lines: withoutSignature(forwarded.lines),
        others: [],
      }
    : { mail, from: mail.from, subject: mail.subject, lines, others }
  const ours = new Set(
    [...mail.to, ...(forwarded && mail.from ? [mail.from] : [])].map(({ address }) => domainOf(address)),
  )
  const labelled = readLabelled(seen, ours)
  const found = labelled ?? readProse(seen, ours, forwarded !== null)
  const text = lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return {
    ...found,
    externalId: mail.id,
    others: { ...found.others, assunto: mail.subject, 'texto do e-mail': text.slice(0, MAX_TEXT) },
  }
}

type Seen = {
  mail: Mail
  from: Address | null
  subject: string
  lines: readonly string[]
  others: readonly string[]
}

/** A lead from the mail's labelled values. Null: there are too few of them. */
function readLabelled(seen: Seen, ours: ReadonlySet<string>): ParsedLead | null {
  const { mail, from, lines } = seen
  const { answers: rich, free } = pairsIn(withoutThread(lines))
  const plain = pairsIn(withoutThread(seen.others))
  const known = new Set(rich.map(({ label }) => meaningOf(label)))
  const answers = [...rich, ...plain.answers.filter(({ label }) => !known.has(meaningOf(label)))]
  const person = personIn(answers)
  const sender = senderIn([...lines, ...seen.others])
  const freeNumbers = numbersIn(free.filter((line) => /<\+?\d{8,}>/.test(line)).map(linkOnly))
  const message =
    person.message ?? free.map((line) => QUOTED_LINE.exec(line)?.[1]).find((one) => one !== undefined) ?? null
  const isNamed =
    [person.name, message, person.listing, sender].some((one) => one !== null) || proseName(seen) !== null
  const phones = [...person.phones, ...freeNumbers.numbers.map(({ e164 }) => e164)]
  const inWords =
    numbersIn(phones).numbers.length === 0 && message !== null
      ? numbersIn([message]).numbers.map(({ e164 }) => e164)
      : []
  const email =
    person.email ?? sender?.address ?? answered(mail, from, ours) ?? strangerIn(free, { from, ours })
  const isReachable = numbersIn([...phones, ...inWords]).numbers.length > 0 || email !== null
  const isSure =
    person.phones.length > 0 ||
    person.email !== null ||
    (!isBulk(mail) && (sender !== null || freeNumbers.numbers.length > 0))
  // Labels without a complete number: the administrator is told what is missing.
  const isTold = person.name !== null && (person.phones.length > 0 || !isBulk(mail))
  if (!isTold && !(isNamed && isReachable && isSure)) return null
  return {
    name: person.name ?? sender?.name ?? nameIn(seen, ours),
    phones: [...phones, ...inWords],
    email:
      email ??
      (from !== null && !isRole(from.address) && !ours.has(domainOf(from.address)) && portalOf(from) === null
        ? from.address
        : null),
    source: sourceOf(from, ours, from !== null && !isRole(from.address)),
    campaign: person.campaign,
    development: propertyIn(answers) === null ? person.development : null,
    listing: propertyIn(answers) ?? person.listing ?? codeIn([seen.subject, ...lines]),
    message,
    others: unread(answers, person.used),
  }
}

/** A person's own mail; raises UnreadableLead for a mail that no customer wrote. */
function readProse(seen: Seen, ours: ReadonlySet<string>, isForwarded: boolean): ParsedLead {
  const { mail, from } = seen
  const said = withoutThread(seen.lines)
  const numbers = numbersAmong(said)
  const isMachine =
    from === null || isRole(from.address) || isBulk(mail) || portalOf(from) !== null || isGenerated(mail)
  if (from !== null && ours.has(domainOf(from.address)) && !isRole(from.address))
    throw noLead('Mensagem da própria equipe')
  if (!isMachine) {
    const name = /@|^$/.test(from.name) ? (said.find((line) => NAME_LINE.test(line)) ?? null) : from.name
    return { ...wordsOf(seen, said, name), phones: numbers, email: from.address, source: 'email' }
  }
  const asked = isBulk(mail) ? null : answered(mail, from, ours)
  // The mail is a portal's notice, and its reply-to is the lead.
  if (asked !== null)
    return {
      ...wordsOf(seen, said, nameIn(seen, ours)),
      phones: [],
      email: asked,
      source: sourceOf(from, ours, false),
    }
  if ((isBulk(mail) || numbers.length === 0) && !isForwarded) throw noLead('Aviso sem contato de cliente')
  throw new UnreadableLead('Informe o telefone do lead.', 'E-mail sem contato de cliente reconhecido')
}

function wordsOf({ subject }: Seen, said: readonly string[], name: string | null) {
  const message = paragraphsOf(said, name)
  return { name, listing: codeIn([...said, subject]), message: message === '' ? subject : message }
}

/** The text before the signature (name, number, the phone app's line). */
function paragraphsOf(said: readonly string[], name: string | null): string {
  const end = said.findIndex(
    (line) =>
      /^(?:--|__|==)|^(?:enviado d[oe]|sent from|obtenha o outlook|get outlook)/i.test(line) ||
      (name !== null && line.toLowerCase() === name.toLowerCase()) ||
      /^(?:att|atenciosamente|abra[cç]os?|abs|obrigad[oa]|grat[oa]|cordialmente)[.,!]*$/i.test(line),
  )
  return (end > 0 ? said.slice(0, end) : said)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Only so many numbers of a long list are read. */
const MAX_NUMBERED = 50
const numbersAmong = (lines: readonly string[]): string[] =>
  lines
    .filter((line) => (line.slice(0, 500).match(/\d/g) ?? []).length >= 8)
    .slice(0, MAX_NUMBERED)
    .flatMap((line) => readNumbers(line).numbers.map(({ e164 }) => e164))

const isGenerated = ({ headers }: Mail) => /auto-generated/i.test(headers['auto-submitted'] ?? '')
const linkOnly = (line: string) =>
  [...line.matchAll(/<(\+?\d{8,15})>/g)].map(([, digits]) => digits).join(' ; ')

/** 'De: Elisa <elisa@example.com>': forms of sites name the person so. */
function senderIn(lines: readonly string[]): Address | null {
  const line = lines.find((one) => /^(?:de|from|remetente)\s*:/i.test(one))
  const [sender] = line === undefined ? [] : addressesIn(line.replace(/^[^:]*:/, ''))
  return sender && !isRole(sender.address) && portalOf(sender) === null ? sender : null
}

/** Portals set reply-to to the lead, sometimes to a relay address of theirs. */
function answered({ replyTo }: Mail, from: Address | null, ours: ReadonlySet<string>): string | null {
  const found = replyTo.find(
    (one) =>
      !ours.has(domainOf(one.address)) &&
      !isRole(one.address) &&
      portalOf(one) === null &&
      (from === null || domainOf(one.address) !== domainOf(from.address)),
  )
  return found?.address ?? null
}

/** An address in the text that is neither the sender's nor the agency's. */
function strangerIn(
  lines: readonly string[],
  { from, ours }: { from: Address | null; ours: ReadonlySet<string> },
): string | null {
  const all = lines.flatMap((line) =>
    [...line.slice(0, 1_000).matchAll(EMAIL)].map(([address]) => address.toLowerCase()),
  )
  const known = new Set([...ours, ...(from ? [domainOf(from.address)] : [])])
  return all.find((address) => !known.has(domainOf(address)) && !isRole(address)) ?? null
}

/** 'Iara Lima tem interesse no imóvel'. */
const proseName = ({ subject, lines }: Seen): string | null =>
  [subject, ...lines]
    .map((line) => IN_PROSE.exec(line.slice(0, 500))?.[1])
    .find((one) => one !== undefined) ?? null

function nameIn(seen: Seen, ours: ReadonlySet<string>): string | null {
  const { mail, from, lines } = seen
  const reply = mail.replyTo.find(
    ({ name, address }) => name !== '' && !isRole(address) && !ours.has(domainOf(address)),
  )
  if (reply && (from === null || domainOf(reply.address) !== domainOf(from.address))) return reply.name
  const told = proseName(seen)
  if (told !== null) return told
  // The name may be the last line with text among the four above the first phone or e-mail link.
  const at = lines.findIndex((line) => /<[^>]*(?:\d{8}|@)[^>]*>/.test(line))
  const before = at < 0 ? undefined : lines.slice(Math.max(0, at - 4), at).findLast((line) => line !== '')
  if (before !== undefined && NAME_LINE.test(before)) return before
  return from !== null &&
    !isRole(from.address) &&
    portalOf(from) === null &&
    from.name !== '' &&
    !ours.has(domainOf(from.address))
    ? from.name
    : null
}

function sourceOf(from: Address | null, ours: ReadonlySet<string>, isPerson: boolean): string | null {
  if (from === null) return null
  const portal = portalOf(from)
  if (portal !== null) return portal
  const isOfSite = /\bsite\b|wordpress|formul[aá]rio/i.test(`${from.name} ${from.address}`)
  return isPerson || isOfSite || ours.has(domainOf(from.address)) ? 'site' : from.name || null
}

/** The code of 'Terreno TR-330' under 'Imóvel de interesse'; any value alone under 'Código' is a code. */
function propertyIn(answers: readonly Answer[]): string | null {
  const [listing, property] = (['listing', 'property'] as const).map((what) =>
    answers.find(({ label }) => meaningOf(label) === what)?.texts.join(' '),
  )
  if (listing !== undefined && !listing.includes(' ')) return listing
  return codeIn([listing, property].flatMap((one) => one ?? []))
}

function codeIn(lines: readonly string[]): string | null {
  for (const line of lines) {
    const text = line.slice(0, 500)
    const [, code] = CODE.exec(text) ?? []
    if (code !== undefined && !NO_CODE.test(code)) return code
    const [, named] = CODE_AFTER.exec(text) ?? []
    if (named !== undefined) return named
  }
  return null
}

const unread = (answers: readonly Answer[], used: ReadonlySet<Answer>): Fields =>
  Object.fromEntries(answers.flatMap((one) => (used.has(one) ? [] : [[one.label, one.texts.join(', ')]])))

const noLead = (why: string) => new UnreadableLead('Este e-mail não traz um lead.', why, { isNoLead: true })

function orNothing(read: () => ParsedLead): ParsedLead | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnreadableLead) return null
    throw error
  }
}
