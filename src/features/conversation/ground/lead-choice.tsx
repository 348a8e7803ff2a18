// Lets the broker choose one of their leads: the most recently active come first, others are found by search.
import { useMemo, useState } from 'react'
import { useBoard } from '#data/board/leads.ts'
import { type Lead, leadTitle } from '#domain/lead/lead.ts'
import { formatPhone } from '#domain/phone/phone.ts'
import { rankOf, toQuery } from '#domain/search.ts'
import { SearchBox } from '#ui/forms/search-box.tsx'
import { Avatar } from '#ui/primitives/avatar.tsx'

/** The list shows this many leads; the search finds the others. */
const MAX_SHOWN = 50

type LeadChoiceProps = {
  instanceName: string
  /** The lead that the list leaves out. */
  exceptId?: number
  onChoose: (lead: Lead) => void
}

export function LeadChoice({ instanceName, exceptId, onChoose }: LeadChoiceProps) {
  const { board } = useBoard(instanceName)
  const [typed, setTyped] = useState('')
  const found = useMemo(() => {
    const query = toQuery(typed)
    return [...(board?.leads.values() ?? [])]
      .filter((lead) => lead.id !== exceptId && !lead.isOptedOut && (!query || rankOf(lead, query) !== null))
      .toSorted((a, b) => lastTalk(b) - lastTalk(a))
      .slice(0, MAX_SHOWN)
  }, [board, typed, exceptId])
  return (
    <div className="flex flex-col gap-2 px-3">
      <SearchBox label="Buscar contato" text={typed} onText={setTyped} />
      {found.length === 0 && <p className="py-8 text-center text-text-2">Nenhum contato encontrado</p>}
      <ul className="flex flex-col">
        {found.map((to) => (
          <li key={to.id}>
            <button
              type="button"
              onClick={() => onChoose(to)}
              className="flex min-h-14 w-full items-center gap-3 rounded-lg px-2 text-left hover:bg-surface-2"
            >
              <Avatar name={to.name} pictureUrl={to.pictureUrl} size={36} />
              <span className="min-w-0 grow text-16 font-medium wrap-anywhere">
                {leadTitle(to)}
                {to.number && (
                  <span className="block text-13 font-regular text-text-3 tabular-nums">
                    {formatPhone(to.number)}
                  </span>
                )}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

const lastTalk = ({ lastMessage }: Lead) => lastMessage?.sentAtSeconds ?? 0
