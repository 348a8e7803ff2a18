// A team's card: its gerentes, its brokers, and the place where a carried broker would land.
import { useDroppable } from '@dnd-kit/core'
import { EllipsisVertical, Eye } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { displayName } from '#domain/broker.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { Button, IconButton } from '#ui/primitives/button.tsx'
import { classNames } from '#ui/primitives/class-names.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import type { Spot } from '#ui/primitives/overlay/action-menu.tsx'
import { spotBelow } from './broker-row.tsx'
import type { Manager, Team, TeamBroker } from './data.ts'
import { NO_MANAGER, NO_TEAM, sizeOf } from './texts.ts'

/** The id that stands for 'no team' while a broker is dragged. */
export const NONE = 'none'

type CardProps = {
  id: string
  title: string
  brokers: readonly TeamBroker[]
  /** The carried broker who would land in this card; null if none would. */
  landing: TeamBroker | null
  /** The button beside the card's heading. */
  more?: ReactNode
  head: ReactNode
  children: ReactNode
}

function Card({ id, title, brokers, landing, more, head, children }: CardProps) {
  const { setNodeRef } = useDroppable({ id })
  const titleId = useId()
  return (
    <section
      ref={setNodeRef}
      aria-labelledby={titleId}
      className={classNames(
        'min-w-0 rounded-lg bg-surface',
        landing ? 'shadow-card outline-2 outline-primary' : 'shadow-card',
      )}
    >
      <div className="flex min-h-13 items-center gap-2.5 pr-2 pl-5">
        <h2 id={titleId} className="truncate text-15 font-semibold">
          {title}
        </h2>
        <span className="min-w-0 grow truncate text-13 text-text-3 tabular-nums">{sizeOf(brokers)}</span>
        {more}
      </div>
      {head}
      {landing && (
        <p className="mx-2 mb-2 flex min-h-12 items-center rounded-md border-2 border-dashed border-primary bg-primary-soft px-3.5 text-13 font-semibold text-on-primary-soft">
          {id === NONE
            ? `Soltar: ${displayName(landing.instanceName)} fica sem equipe`
            : `Soltar: ${displayName(landing.instanceName)} entra em ${title}`}
        </p>
      )}
      <ul aria-label={`Corretores: ${title}`} className="pb-px">
        {children}
      </ul>
    </section>
  )
}

type TeamCardProps = {
  team: Team
  landing: TeamBroker | null
  isOff: boolean
  onMenu: (spot: Spot) => void
  /** Opens the dialog that chooses a gerente. `from` is the one to replace; null if the team has none yet. */
  onChange: (from: Manager | null) => void
  children: ReactNode
}

export function TeamCard({ team, landing, isOff, onMenu, onChange, children }: TeamCardProps) {
  const more = (
    <IconButton
      icon={EllipsisVertical}
      variant="quietSmall"
      label={`Mais opções da equipe ${team.name}`}
      disabled={isOff}
      onClick={({ currentTarget }) => onMenu(spotBelow(currentTarget))}
    />
  )
  const head = (
    <div className="flex flex-col pb-2">
      {team.managers.map((manager) => (
        <ManagerLine key={manager.id} manager={manager} isOff={isOff} onChange={() => onChange(manager)} />
      ))}
      {team.managers.length === 0 && (
        <Line title={NO_MANAGER} hint="Só o administrador vê esta equipe inteira.">
          <Button variant="ghost" size="small" disabled={isOff} onClick={() => onChange(null)}>
            Escolher
          </Button>
        </Line>
      )}
    </div>
  )
  return (
    <Card id={team.id} title={team.name} brokers={team.brokers} {...{ landing, more, head }}>
      {children}
    </Card>
  )
}

type ManagerLineProps = { manager: Manager; isOff: boolean; onChange: () => void }

function ManagerLine({ manager: { username, isBroker, hasPassword }, isOff, onChange }: ManagerLineProps) {
  const name = displayName(username)
  const duty = isBroker ? 'também atende' : 'só gerencia'
  return (
    <Line name={name} title={name} hint={`Gerente · ${hasPassword ? duty : 'aguardando primeiro acesso'}`}>
      <Button variant="ghost" size="small" aria-label={`Trocar ${name}`} disabled={isOff} onClick={onChange}>
        Trocar
      </Button>
    </Line>
  )
}

type LineProps = { name?: string; title?: string; hint: string; children?: ReactNode }

function Line({ name, title, hint, children }: LineProps) {
  return (
    <div className="flex min-h-13 items-center gap-2.5 pr-3 pl-5">
      {name === undefined ? (
        <span className="inline-flex size-9 shrink-0 items-center justify-center rounded-full bg-surface-2 text-text-2">
          <Icon of={Eye} size={18} />
        </span>
      ) : (
        <Avatar name={name} size={36} />
      )}
      <span className="min-w-0 grow leading-snug">
        {title !== undefined && <span className="block truncate font-semibold">{title}</span>}
        <span className={title === undefined ? 'text-13 text-text-2' : 'block text-12 text-text-3'}>
          {hint}
        </span>
      </span>
      {children}
    </div>
  )
}

type OthersCardProps = { brokers: readonly TeamBroker[]; landing: TeamBroker | null; children: ReactNode }

/** The card with the brokers who are in no team. */
export function OthersCard({ brokers, landing, children }: OthersCardProps) {
  const head = (
    <div className="pb-2">
      <Line hint="Só o administrador vê quem está aqui." />
    </div>
  )
  return (
    <Card id={NONE} title={NO_TEAM} {...{ brokers, landing, head }}>
      {children}
    </Card>
  )
}
