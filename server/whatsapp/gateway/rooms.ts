// Every kind of gateway. Outside this folder only settings and screens name one.
import type { DeliveriesOf } from '#server/delivery.ts'
import { createEvolutionGateway } from './evolution/client.ts'
import { EVOLUTION_DELIVERIES } from './evolution/deliveries.ts'
import type { Room } from './room.ts'
import { createWahaGateway } from './waha/client.ts'
import { WAHA_DELIVERIES } from './waha/deliveries.ts'

/** The names are stored with instances and deliveries. */
export const ROOMS = {
  evolution: {
    title: 'Evolution API',
    needs: 'Versão 2.3 ou mais nova; a chave é a AUTHENTICATION_API_KEY dela.',
    variable: 'EVOLUTION_URL',
    createGateway: createEvolutionGateway,
    deliveries: EVOLUTION_DELIVERIES,
  },
  waha: {
    title: 'WAHA',
    needs: 'Versão 2026.6.1 ou mais nova, com o motor NOWEB; a chave é a WAHA_API_KEY dele.',
    variable: 'WAHA_URL',
    createGateway: createWahaGateway,
    deliveries: WAHA_DELIVERIES,
  },
} satisfies Record<string, Room>

export type RoomName = keyof typeof ROOMS

export const isRoom = (kind: unknown): kind is RoomName =>
  typeof kind === 'string' && Object.hasOwn(ROOMS, kind)

/** The name of a kind for people. */
export const titleOf = (kind: string): string => (isRoom(kind) ? ROOMS[kind].title : kind)

/** Older rows have no kind, because this was the only one. */
export const FIRST: RoomName = 'evolution'

export const deliveriesOf: DeliveriesOf = (kind = FIRST) => (isRoom(kind) ? ROOMS[kind].deliveries : null)
