// Texts of 'Gerenciar Corretores'.
import { type Broker, displayName } from '#domain/broker.ts'
import { formatDateTime } from '#domain/format.ts'

export const ADD = 'Adicionar Corretor'

const AND = new Intl.ListFormat('pt-BR')
/** The banner names this many brokers, because more would fill a phone; the linked page lists all. */
const MAX_NAMES = 4
/** Returns the banner's text; null if every link works or was disconnected by a person. */
export function lostLinks(brokers: readonly Broker[]): string | null {
  const lost = brokers.filter(({ lostAtMs }) => lostAtMs !== null)
  const [first] = lost
  if (!first) return null
  if (lost.length === 1)
    return `O WhatsApp de ${displayName(first.instanceName)} caiu em ${formatDateTime(first.lostAtMs ?? 0)} e precisa ser conectado de novo.`
  const all = lost.map(({ instanceName }) => displayName(instanceName))
  const shown = all.length > MAX_NAMES ? all.slice(0, MAX_NAMES - 1) : all
  const names = AND.format(
    shown.length < all.length ? [...shown, `mais ${all.length - shown.length}`] : shown,
  )
  return `${lost.length} corretores estão sem WhatsApp: ${names}. Precisam conectar de novo.`
}

const REFUSED = 'O serviço de WhatsApp recusa o portal'
const DOWN: Readonly<Record<string, string>> = {
  unreachable: 'O serviço de WhatsApp não responde',
  unsupported: REFUSED,
  unlicensed: REFUSED,
  unauthorized: REFUSED,
}
/** Returns the banner's text by the gateway's last answer; null if the gateway works, or is not known to be down. */
export function gatewayDown(gateway: string): string | null {
  const what = DOWN[gateway]
  return what ? `${what}: nada chega nem sai, e as conexões mostradas são as de antes.` : null
}

export const MAKE_CENTRAL = 'Tornar central'
export const GIVE_BACK = 'Devolver ao corretor'

export const cardName = ({ instanceName }: Broker) => displayName(instanceName)
