// The list of brokers beside the board, with a search by name. Each broker can be selected and shows lead count and
// link state.
import { Check } from 'lucide-react'
import { useState } from 'react'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { SearchBox } from '#ui/forms/search-box.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { findListed, type Listed, type useListed } from './listed-brokers.ts'
import { CONNECTED, leads, nobodyFound, SEARCH } from './texts.ts'

const SKELETONS = 8

type BrokerSideListProps = ReturnType<typeof useListed> & {
  selected: readonly string[]
  /**
   * A broker's lead count on the loaded board, which is newer than the fetched one; undefined while the board is not
   * loaded.
   */
  totalOf: (instanceName: string) => number | undefined
  onToggle: (instanceName: string) => void
}

export function BrokerSideList({ listed, read, selected, totalOf, onToggle }: BrokerSideListProps) {
  const [text, setText] = useState('')
  const found = listed && findListed(listed, text)
  return (
    <nav aria-label="Corretores" className="flex min-h-0 w-full grow flex-col gap-2 md:w-62">
      <div className="flex shrink-0">
        <SearchBox label={SEARCH} text={text} onText={setText} />
      </div>
      {found ? (
        <ul className="relative -mx-1 -mt-1 flex min-h-0 flex-col gap-0.5 overflow-y-auto p-1 pb-4">
          {found.map((broker) => (
            <li key={broker.instanceName}>
              <BrokerToggle
                {...broker}
                total={totalOf(broker.instanceName) ?? broker.total}
                isSelected={selected.includes(broker.instanceName)}
                onToggle={() => onToggle(broker.instanceName)}
              />
            </li>
          ))}
        </ul>
      ) : read.error ? (
        <FailedRead of={read} />
      ) : (
        Array.from({ length: SKELETONS }, (_, row) => (
          <Skeleton key={row} className="h-12 shrink-0 rounded-md!" />
        ))
      )}
      <output className="px-1 text-14 text-text-2 empty:hidden">
        {found?.length === 0 && (text.trim() === '' ? 'Nenhum corretor ainda.' : nobodyFound(text.trim()))}
      </output>
    </nav>
  )
}

type BrokerToggleProps = Listed & { isSelected: boolean; onToggle: () => void }

function BrokerToggle({ isSelected, onToggle, ...broker }: BrokerToggleProps) {
  const { name, pictureUrl, isConnected, isActive, total } = broker
  return (
    <button
      type="button"
      aria-pressed={isSelected}
      onClick={onToggle}
      className="flex min-h-12.5 w-full items-center gap-3 rounded-md px-2.5 py-1.5 text-left transition-colors hover:bg-surface-2 aria-pressed:bg-primary-soft aria-pressed:text-on-primary-soft"
    >
      <Avatar
        name={isConnected === null ? null : name}
        pictureUrl={pictureUrl}
        size={32}
        dot={isConnected === null ? undefined : isActive ? 'on' : 'off'}
      />
      <span className="min-w-0 grow">
        <span className="block truncate text-14 leading-tight font-medium">{name}</span>
        <span className="block text-12 text-text-3 tabular-nums">
          {total === undefined ? '–' : leads(total)}
          {isConnected === false && ' · desconectado'}
        </span>
        {isConnected === true && <span className="sr-only">{CONNECTED}</span>}
      </span>
      {isSelected && <Icon of={Check} size={18} />}
    </button>
  )
}
