// The brokers of the side list, most leads first, and an entry for leads without a broker.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { brokersQuery, brokerTotalsQuery } from '#data/brokers.ts'
import { boardQuery } from '#data/board/leads.ts'
import { useIsAdmin } from '#data/is-admin.ts'
import { type Broker, NO_BROKER } from '#domain/broker.ts'
import { foldText } from '#domain/search.ts'
import { brokerName } from './texts.ts'

export type Listed = {
  instanceName: string
  name: string
  pictureUrl: string | null
  /** Null if the entry has no WhatsApp link, because it stands for leads without a broker. */
  isConnected: boolean | null
  /** Shown as a dot: the broker has connected WhatsApp once. */
  isActive: boolean
  /** Undefined while the leads are being counted. */
  total: number | undefined
}

export function useListed() {
  const read = useQuery(brokersQuery())
  const { data: brokers } = read
  const { data: totals } = useQuery(brokerTotalsQuery())
  // Only administrators see leads without a broker, so the query is off for everybody else.
  const isAdmin = useIsAdmin()
  const { data: nobodys } = useQuery({ ...boardQuery(NO_BROKER), enabled: isAdmin })
  const ownerless = nobodys?.leads.size ?? 0
  const listed = useMemo(() => brokers && toListed(brokers, totals, ownerless), [brokers, totals, ownerless])
  return { listed, read }
}

type Totals = Readonly<Record<string, number>>

/** Lists active brokers only. A broker who never connected and has no lead is not active. */
export function toListed(
  brokers: readonly Broker[],
  totals: Totals | undefined,
  ownerless: number,
): Listed[] {
  const totalOf = ({ instanceName }: Broker) => totals?.[instanceName]
  const active = brokers
    .filter((broker) => broker.number !== null || (totalOf(broker) ?? 0) > 0)
    .map((broker) => ({
      instanceName: broker.instanceName,
      name: brokerName(broker.instanceName),
      pictureUrl: broker.pictureUrl,
      isConnected: broker.state === 'open',
      isActive: broker.isActive,
      total: totalOf(broker),
    }))
    .toSorted((a, b) => (b.total ?? 0) - (a.total ?? 0) || a.name.localeCompare(b.name, 'pt-BR'))
  if (ownerless === 0) return active
  const nobody = {
    instanceName: NO_BROKER,
    name: brokerName(NO_BROKER),
    pictureUrl: null,
    isConnected: null,
    isActive: false,
    total: ownerless,
  }
  return [...active, nobody]
}

/** Finds brokers by any part of the name, ignoring accents and case. */
export function findListed(listed: readonly Listed[], text: string): readonly Listed[] {
  const wanted = foldText(text)
  return wanted === '' ? listed : listed.filter(({ name }) => foldText(name).includes(wanted))
}
