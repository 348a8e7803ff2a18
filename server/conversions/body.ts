// The body of an event for Meta's Conversions API: https://developers.facebook.com/docs/marketing-api/conversions-api
import { emailForm, hashed, nameForms, phoneForms } from './hash.ts'

export type Person = {
  name: string | null
  /** The number of the person's key; without a key, the lead's stored number. */
  number: string | null
  /** The number that the lead's card shows. */
  shown: string | null
  email: string | null
  jids: readonly string[]
  clicks: readonly { kind: string; value: string; atMs: number }[]
}

export type Conversion = {
  leadId: number
  target: 'messaging' | 'crm'
  eventId: string
  name: string
  atSeconds: number
  cents: number | null
  waba: string
  /** The code with which Meta lists the event as a test; '' for none. */
  testCode: string
  person: Person
}

export function bodyOf(conversion: Conversion): string {
  const { target, eventId, name, atSeconds, cents, testCode } = conversion
  const isMessaging = target === 'messaging'
  const value = cents === null ? {} : { currency: 'BRL', value: cents / 100 }
  const custom = isMessaging
    ? value
    : { ...value, event_source: 'crm', lead_event_source: 'Portal do Corretor' }
  const event = {
    event_name: name,
    event_time: atSeconds,
    event_id: eventId,
    action_source: isMessaging ? 'business_messaging' : 'system_generated',
    ...(isMessaging && { messaging_channel: 'whatsapp' }),
    user_data: isMessaging ? messagingUser(conversion) : crmUser(conversion),
    ...(Object.keys(custom).length > 0 && { custom_data: custom }),
  }
  return JSON.stringify({ data: [event], ...(testCode !== '' && { test_event_code: testCode }) })
}

const clickOf = ({ clicks }: Person, kind: string) => clicks.find((click) => click.kind === kind)

const list = <Name extends string>(name: Name, forms: readonly string[]) =>
  forms.length > 0 ? { [name]: forms.map(hashed) } : {}

/** The number on the card comes first, because a person's key lacks the ninth digit of mobiles. */
const phonesOf = ({ shown, number, jids }: Person) => phoneForms(shown ?? number, jids)

const messagingUser = ({ waba, person }: Conversion) => ({
  whatsapp_business_account_id: waba,
  ctwa_clid: clickOf(person, 'ctwa_clid')?.value,
  ...list('ph', phonesOf(person)),
})

function crmUser({ leadId, person }: Conversion) {
  const { first, last } = person.name === null ? { first: [], last: [] } : nameForms(person.name)
  const phones = phonesOf(person)
  const [form, site] = [clickOf(person, 'lead_id'), clickOf(person, 'fbclid')]
  return {
    ...(form && { lead_id: form.value }),
    ...(site && { fbc: `fb.1.${site.atMs}.${site.value}` }),
    ...list('ph', phones),
    ...list('country', phones.some((phone) => phone.startsWith('55')) ? ['br'] : []),
    ...list('em', person.email === null ? [] : [emailForm(person.email)]),
    ...list('fn', first),
    ...list('ln', last),
    external_id: [hashed(String(leadId))],
  }
}
