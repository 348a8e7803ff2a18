// Routes that send a place, a contact's card or a reaction.
import type { Hono } from 'hono'
import { plainBody } from '../media/contents.ts'
import { bodyOf, type Wire } from './handler.ts'
import { checkBody, isJson, WireError, type Rule } from './errors.ts'
import { answer, sendRequest } from './messages.ts'

const LOCATION: Rule[] = [
  { field: 'latitude', type: 'number', isRequired: true },
  { field: 'longitude', type: 'number', isRequired: true },
  { field: 'name', type: 'string', isRequired: true },
  { field: 'address', type: 'string', isRequired: true },
]
const CONTACT: Rule[] = [
  { field: 'fullName', type: 'string', isRequired: true },
  { field: 'phoneNumber', type: 'string', isRequired: true },
]
const REACTION: Rule[] = [
  { field: 'key', type: 'object', isRequired: true },
  { field: 'reaction', type: 'string', isRequired: true },
  { field: 'key.id', type: 'string', isRequired: true },
  { field: 'key.remoteJid', type: 'string', isRequired: true },
  { field: 'key.fromMe', type: 'boolean', isRequired: true },
]

export function cardRoutes(app: Hono, { simulated, instanceOf }: Wire) {
  app.post('/message/sendLocation/:name', async (context) => {
    const { instance, body } = await sendRequest(context, instanceOf, LOCATION)
    const { latitude, longitude, name, address } = body
    const place = { degreesLatitude: latitude, degreesLongitude: longitude, name, address }
    return answer(context, simulated, { instance, body, make: () => plainBody('locationMessage', place) })
  })
  app.post('/message/sendContact/:name', async (context) => {
    const { instance, body } = await sendRequest(context, instanceOf, [])
    const cards: unknown = body['contact']
    const card: unknown = Array.isArray(cards) ? cards[0] : undefined
    if (!isJson(card)) throw new WireError(400, [['instance requires property "contact"']])
    checkBody(card, CONTACT)
    const { fullName, phoneNumber, wuid } = card
    const vcard = [
      'BEGIN:VCARD',
      'VERSION:3.0',
      `N:${String(fullName)}`,
      `FN:${String(fullName)}`,
      `item1.TEL;waid=${String(wuid)}:${String(phoneNumber)}`,
      'item1.X-ABLabel:Celular',
      'END:VCARD',
    ].join('\n')
    const make = () => plainBody('contactMessage', { vcard, displayName: fullName })
    return answer(context, simulated, { instance, body, make })
  })
  app.post('/message/sendReaction/:name', async (context) => {
    const instance = instanceOf(context)
    const body = await bodyOf(context)
    checkBody(body, REACTION)
    const key = isJson(body['key']) ? body['key'] : {}
    const text = String(body['reaction'])
    if (/[\p{L}\s]/u.test(text)) throw new WireError(400, ['Reaction must be a single emoji or empty string'])
    const { remoteJid, fromMe, id } = key
    return answer(context, simulated, {
      instance,
      body: { number: remoteJid },
      make: () => plainBody('reactionMessage', { key: { remoteJid, fromMe, id }, text }),
    })
  })
}
