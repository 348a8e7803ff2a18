// The brokers who can take the selected leads, with a search if there are many.
import { useState } from 'react'
import type { Lead } from '#domain/lead/lead.ts'
import { NO_BROKER } from '#domain/broker.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { SearchBox } from '#ui/forms/search-box.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { findListed, useListed } from './listed-brokers.ts'
import { CONNECTED, DISCONNECTED, leads as leadCount, nobodyFound, SEARCH } from './texts.ts'

/** The search box appears from this many brokers on. */
const SEARCHED_FROM = 8

/** The fields of a lead that a transfer needs. */
export type LeadToTransfer = Pick<Lead, 'id' | 'name' | 'number' | 'instanceName'>

type ReceiverListProps = {
  leads: readonly LeadToTransfer[]
  value: string | null
  isOff: boolean
  onChoose: (instanceName: string) => void
  hintId: string
}

export function ReceiverList({ leads, value, isOff, onChoose, hintId }: ReceiverListProps) {
  const { listed, read } = useListed()
  const [text, setText] = useState('')
  // Leaves out a broker who has all these leads already.
  const others = listed?.filter(
    ({ instanceName }) =>
      instanceName !== NO_BROKER && leads.some((lead) => lead.instanceName !== instanceName),
  )
  const found = others && findListed(others, text)
  if (!found && read.error) return <FailedRead of={read} />
  if (!found) return <Skeleton className="h-40 rounded-md!" />
  return (
    <fieldset disabled={isOff} aria-describedby={hintId} className="flex min-h-0 min-w-0 flex-col">
      <legend className="sr-only">Corretor que recebe</legend>
      {others.length >= SEARCHED_FROM && (
        <div className="flex shrink-0 pb-2">
          <SearchBox label={SEARCH} text={text} onText={setText} />
        </div>
      )}
      <div className="flex max-h-[40dvh] flex-col gap-0.5 overflow-y-auto">
        {found.map(({ instanceName, name, pictureUrl, isConnected, total }) => (
          <label
            key={instanceName}
            className="flex min-h-12.5 shrink-0 cursor-pointer flex-wrap items-center gap-x-3 rounded-md px-2.5 hover:bg-surface-2 has-checked:bg-primary-soft has-checked:text-on-primary-soft"
          >
            <input
              type="radio"
              name="receiver"
              checked={value === instanceName}
              onChange={() => onChoose(instanceName)}
              className="size-5 shrink-0 accent-primary"
            />
            <Avatar name={name} pictureUrl={pictureUrl} size={32} dot={isConnected ? 'on' : 'off'} />
            <span className="min-w-0 grow basis-20 truncate text-15 font-medium">
              {name}
              <span className="sr-only">, {isConnected ? CONNECTED : DISCONNECTED}</span>
            </span>
            {total !== undefined && (
              <span className="ml-auto text-13 text-text-3 tabular-nums">{leadCount(total)}</span>
            )}
          </label>
        ))}
        {found.length === 0 && <p className="px-2.5 py-3 text-14 text-text-2">{nobodyFound(text.trim())}</p>}
      </div>
    </fieldset>
  )
}
