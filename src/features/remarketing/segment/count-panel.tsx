// How many persons get the campaign, and how many are left out by which reason. Each number opens its list, except
// that of private contacts.
import {
  Ban,
  ChevronRight,
  CircleSlash,
  Lock,
  type LucideIcon,
  Megaphone,
  Moon,
  PhoneOff,
  Shuffle,
  UserRoundX,
  Users,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { countOf, formatNumber } from '#domain/count.ts'
import { formatMoment } from '#domain/format.ts'
import { conditionWords, LEFT_OUT, type LeftOut } from '#domain/segment.ts'
import { Button } from '#ui/primitives/button.tsx'
import { classNames } from '#ui/primitives/class-names.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import type { Asked, SegmentCount, SegmentList, SegmentOffer } from './segment-data.ts'

const ICON: Record<LeftOut, LucideIcon> = {
  'opted-out': Ban,
  recent: Moon,
  'not-on-whatsapp': PhoneOff,
  'no-number': PhoneOff,
  'no-broker': UserRoundX,
  busy: Megaphone,
  'held-out': Shuffle,
}

type CountPanelProps = {
  count: SegmentCount
  asked: Asked
  offer: SegmentOffer
  /** True: the count belongs to conditions that have changed since. */
  isOld: boolean
  onList: (list: SegmentList) => void
}

export function CountPanel({ count, asked, offer, isOld, onList }: CountPanelProps) {
  const { matching, receiving, heldOut } = count
  const open: Opening = (group, title) => () => onList({ group, title, ...asked })
  const outCount = matching - receiving - heldOut
  return (
    <section
      aria-label="Quem recebe"
      aria-busy={isOld}
      className={classNames(
        'overflow-hidden rounded-lg bg-surface shadow-card transition-opacity',
        isOld && 'opacity-55',
      )}
    >
      <div className="flex flex-col gap-3 px-4 py-4 lg:px-5">
        <output aria-live="polite" className="flex items-baseline gap-2">
          {matching === 0 ? (
            <span className="text-20 font-semibold">Ninguém combina</span>
          ) : (
            <>
              <span className="text-44 font-bold leading-none tabular-nums">{formatNumber(receiving)}</span>{' '}
              <span className="text-16 font-medium">{receiving === 1 ? 'recebe' : 'recebem'}</span>
            </>
          )}
        </output>
        <p className="text-14 leading-snug text-text-2">
          {matching === 0 ? (
            <Nobody count={count} asked={asked} offer={offer} />
          ) : (
            sumWords(matching, outCount, heldOut)
          )}
        </p>
        {matching > 0 && <Bar parts={[receiving, heldOut, outCount]} />}
        {receiving > 0 && (
          <Button variant="line" icon={Users} onClick={open('campaign', 'Recebem')}>
            {receiving === 1 ? 'Ver quem recebe' : `Ver os ${formatNumber(receiving)}`}
          </Button>
        )}
      </div>
      {(outCount > 0 || count.private > 0) && <Excluded count={count} open={open} />}
      {heldOut > 0 && (
        <Group title="Comparação">
          <Row
            icon={Shuffle}
            label="Sorteados para não receber"
            why={`${asked.percent}% de ${formatNumber(count.eligible)}, fixos desta campanha`}
            count={heldOut}
            onOpen={open('holdout', 'Sorteados para não receber')}
          />
        </Group>
      )}
    </section>
  )
}

type Opening = (group: LeftOut | 'campaign' | 'holdout', title: string) => () => void

function Excluded({ count, open }: { count: SegmentCount; open: Opening }) {
  return (
    <Group title="Ficam fora">
      {(Object.keys(LEFT_OUT) as LeftOut[]).map((group) => {
        const { label, why } = LEFT_OUT[group]
        const words =
          group === 'recent' ? `Receberam há menos de ${countOf(count.restDays, 'dia', 'dias')}` : why
        return (
          (count.leftOut[group] ?? 0) > 0 && (
            <Row
              key={group}
              icon={ICON[group]}
              label={label}
              why={words}
              count={count.leftOut[group] ?? 0}
              onOpen={open(group, label)}
            />
          )
        )
      })}
      {count.private > 0 && (
        <Row
          icon={CircleSlash}
          label="Particulares"
          why="Só o corretor sabe quem são. Não entram na conta."
          count={count.private}
        />
      )}
    </Group>
  )
}

/** For example '289 combinam com as condições. 51 ficam fora e 24 são comparação.' */
function sumWords(matching: number, outCount: number, heldOut: number): string {
  const rest = [
    outCount > 0 && countOf(outCount, 'fica fora', 'ficam fora'),
    heldOut > 0 && countOf(heldOut, 'é comparação', 'são comparação'),
  ].filter(Boolean)
  const all = countOf(matching, 'combina', 'combinam')
  return `${all} com as condições.${rest.length > 0 ? ` ${rest.join(' e ')}.` : ''}`
}

function Nobody({ count: { without }, asked, offer }: Pick<CountPanelProps, 'count' | 'asked' | 'offer'>) {
  if (!without) return <>Nenhum contato combina com estas condições.</>
  const words = conditionWords(without.condition, asked.question, offer)
  return (
    <>{`Tire uma condição: sem ${words} ${without.count === 1 ? 'é 1' : `são ${formatNumber(without.count)}`}.`}</>
  )
}

function Bar({ parts: [receiving, heldOut, outCount] }: { parts: readonly [number, number, number] }) {
  return (
    <div aria-hidden className="flex h-2 gap-0.5 overflow-hidden rounded-full">
      <span className="bg-primary" style={{ flexGrow: receiving }} />
      <span className="bg-info" style={{ flexGrow: heldOut }} />
      <span className="bg-surface-3" style={{ flexGrow: outCount }} />
    </div>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <h3 className="border-t border-border px-4 py-2.5 text-14 text-text-2 lg:px-5">{title}</h3>
      <ul aria-label={title}>{children}</ul>
    </>
  )
}

type RowProps = { icon: LucideIcon; label: string; why: string; count: number; onOpen?: () => void }

function Row({ icon, label, why, count, onOpen }: RowProps) {
  const inside = (
    <>
      <Icon of={icon} size={18} className="shrink-0 text-text-2" />
      <span className="min-w-0 grow text-left">
        <span className="block text-14 font-medium">{label}</span>
        <span className="block text-13 text-text-3">{why}</span>
      </span>
      <span className="text-15 font-semibold tabular-nums">{formatNumber(count)}</span>
      <Icon of={onOpen ? ChevronRight : Lock} size={16} className="shrink-0 text-text-3" />
    </>
  )
  const look = 'flex min-h-13 w-full items-center gap-3 px-4 py-2 lg:px-5'
  return (
    <li className="border-t border-border">
      {onOpen ? (
        <button type="button" onClick={onOpen} className={`${look} hover:bg-surface-2`}>
          {inside}
        </button>
      ) : (
        <div className={look}>{inside}</div>
      )}
    </li>
  )
}

/** For example 'Com 12 por hora, das 8h às 20h, termina amanhã, por volta das 16h.' */
export function endWords({ pace, endsAt, nowMs, brokerCount }: SegmentCount): string | null {
  if (!pace || endsAt === null) return null
  const end = formatMoment(Date.parse(endsAt), nowMs)
    .replace(/,? ?às /, ', por volta das ')
    .replace(/^, /, '')
  const each = brokerCount > 1 ? ' em cada número' : ''
  return `Com ${formatNumber(pace.perHour)} por hora${each}, das ${pace.opensAt}h às ${pace.closesAt}h, termina ${end}.`
}
