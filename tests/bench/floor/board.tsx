// The reference for the app's board: columns, cards, dragging and offline start with React alone, without the product's
// code. Its times show the speed of the machine.
import { type PointerEvent, memo, useEffect, useMemo, useState } from 'react'
import { createRoot } from 'react-dom/client'

export type FloorLead = { id: number; name: string; line: string; at: string; stage: string }

const STAGES = [
  ['new', 'Novos Contatos'],
  ['conversa', 'Conversa'],
  ['visita', 'Visita'],
  ['negociacao', 'Negociação'],
  ['arquivado', 'Arquivado'],
] as const
const CARD_PX = 120
const IN_SIGHT = 10
const isPhone = innerWidth < 640

const Card = memo(({ lead, position }: { lead: FloorLead; position: number }) => (
  <article data-lead={lead.id} aria-posinset={position} aria-setsize={-1}>
    <h3>{lead.name}</h3>
    <p>{lead.line}</p>
    <small>{lead.at}</small>
  </article>
))

type ColumnProps = { stage: string; title: string; leads: FloorLead[] }

function Column({ stage, title, leads }: ColumnProps) {
  const [first, setFirst] = useState(0)
  const name = `${title} (${leads.length})`
  return (
    <section aria-label={name} data-stage={stage}>
      <h2>{name}</h2>
      <div
        role={isPhone ? 'tabpanel' : undefined}
        data-cards
        onScroll={({ currentTarget }) =>
          setFirst(Math.max(0, Math.floor(currentTarget.scrollTop / CARD_PX) - 2))
        }
      >
        <div style={{ height: leads.length * CARD_PX }}>
          <div style={{ transform: `translateY(${first * CARD_PX}px)` }}>
            {leads.slice(first, first + IN_SIGHT).map((lead, at) => (
              <Card key={lead.id} lead={lead} position={first + at + 1} />
            ))}
          </div>
        </div>
      </div>
    </section>
  )
}

/** Moves the card with the pointer; reports where it was dropped. */
function carry({ target, clientX, clientY }: PointerEvent, onDrop: (id: number, stage: string) => void) {
  const card = target instanceof Element ? target.closest('article') : null
  if (!card) return
  const listening = new AbortController()
  const { signal } = listening
  let isCarried = false
  const follow = (event: globalThis.PointerEvent) => {
    const [x, y] = [event.clientX - clientX, event.clientY - clientY]
    if (Math.hypot(x, y) < 5) return
    if (!isCarried) document.body.dataset['dragging'] = ''
    isCarried = true
    card.style.transform = `translate3d(${x}px, ${y}px, 0)`
  }
  const letGo = (event: globalThis.PointerEvent) => {
    listening.abort()
    card.style.transform = ''
    delete document.body.dataset['dragging']
    card.style.pointerEvents = 'none'
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest('section')
    card.style.pointerEvents = ''
    if (isCarried && under) onDrop(Number(card.dataset['lead']), under.dataset['stage'] ?? '')
  }
  addEventListener('pointermove', follow, { signal })
  addEventListener('pointerup', letGo, { signal })
  addEventListener('pointercancel', letGo, { signal })
}

function Board({ stored }: { stored: FloorLead[] | undefined }) {
  const [leads, setLeads] = useState(stored)
  useEffect(() => {
    if (!leads) void fetchLeads().then(setLeads)
  }, [leads])
  const columns = useMemo(
    () => STAGES.map(([stage]) => leads?.filter((lead) => lead.stage === stage) ?? []),
    [leads],
  )
  const move = (id: number, stage: string) =>
    setLeads((all) => all?.map((lead) => (lead.id === id ? { ...lead, stage } : lead)))
  return (
    <main onPointerDown={(event) => carry(event, move)}>
      {STAGES.slice(0, isPhone ? 1 : STAGES.length).map(([stage, title], at) => (
        <Column key={stage} {...{ stage, title, leads: columns[at] ?? [] }} />
      ))}
    </main>
  )
}

async function fetchLeads(): Promise<FloorLead[]> {
  const leads: FloorLead[] = await (await fetch(`/sync_board${location.search}`)).json()
  const store = (await openStore('readwrite')).put(leads, 'board')
  await answerOf(store)
  return leads
}

async function openStore(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  const opening = indexedDB.open('floor')
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('leads'))
  return (await answerOf(opening)).transaction('leads', mode).objectStore('leads')
}

function answerOf<Answer>(request: IDBRequest<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB')))
  })
}

const stored: FloorLead[] | undefined = await answerOf((await openStore('readonly')).get('board'))
const place = document.querySelector('#root')
if (place) createRoot(place).render(<Board stored={stored} />)
await navigator.serviceWorker?.register('/worker.js')
