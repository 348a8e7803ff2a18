// Chooses the day and hour of a visit: one of the next two weeks' days, then one of the broker's usual hours (taken
// ones are struck through) or any other hour.
import './visit.css'
import { useId, useState } from 'react'
import { calendarDay, spokenHour } from '#domain/format.ts'
import { slotsOf, type VisitDay, weekdayWord } from '#domain/next-action/visit.ts'
import { dateParts, fromField, toField, zonedMs } from '#domain/zone.ts'
import { MomentField } from '#ui/forms/moment-field.tsx'
import { useNow } from '#ui/now.ts'
import { takenWords } from './texts.ts'

const hoursOn = (weekday: string) => `Horário ${/^(sáb|dom)/.test(weekday) ? 'no' : 'na'} ${weekday}`

const DAYS = 14
const NOON = 12

type Hours = {
  week: readonly VisitDay[]
  /** The start times of other visits, which are not free. */
  taken: readonly number[]
  firstDay: number
  /** When the visit that is being moved would have started; null if none is moved. */
  beforeMs: number | null
}

type VisitTimeProps = { time: ReturnType<typeof useVisitTime> }

/**
 * Returns the chosen time. At first it is that of the visit being moved, otherwise the first free hour of the day. It
 * stays even if somebody else takes that hour meanwhile.
 */
export function useVisitTime({ week, taken, firstDay, beforeMs }: Hours) {
  const nowMs = useNow()
  const days = Array.from({ length: DAYS }, (_, ahead) => firstDay + ahead)
  const slots = (day: number) => slotsOf(day, { week, taken, nowMs })
  const [day, setDay] = useState(() => {
    const before = days.find((one) => beforeMs !== null && beforeMs > nowMs && one === calendarDay(beforeMs))
    return before ?? days.find((one) => slots(one).some(({ isTaken }) => !isTaken)) ?? firstDay
  })
  const offered = slots(day)
  const [picked, setPicked] = useState(
    () => offered.find(({ startsAtMs }) => startsAtMs === beforeMs)?.startsAtMs ?? null,
  )
  // If the time is none of the offered hours, the field for another hour shows it.
  const [typed, setTyped] = useState(() =>
    beforeMs !== null && beforeMs > nowMs && picked === null ? toField(beforeMs) : null,
  )
  const firstFree = offered.find(({ isTaken }) => !isTaken)?.startsAtMs ?? null
  // Set while rendering: an effect would run later, and could overwrite an hour that the user has tapped meanwhile.
  if (picked === null && firstFree !== null) setPicked(firstFree)
  return {
    days,
    day,
    offered,
    typed,
    startsAtMs: typed === null ? picked : fromField(typed),
    type: setTyped,
    chooseDay: (one: number) => {
      setTyped(null)
      setPicked(null)
      setDay(one)
    },
    chooseHour: (startsAtMs: number) => {
      setTyped(null)
      setPicked(startsAtMs)
    },
  }
}

export function VisitTime({ time }: VisitTimeProps) {
  const { days, day, offered, typed, startsAtMs, type, chooseDay, chooseHour } = time
  const name = useId()
  const struck = offered.filter(({ isTaken }) => isTaken).map(({ startsAtMs: at }) => at)
  return (
    <>
      <Days days={days} chosen={day} onChoose={chooseDay} />
      <fieldset>
        <legend className="flex w-full justify-between pb-2 text-14 font-medium text-text-2">
          <span>{hoursOn(weekdayWord(day))}</span>
          <span className="font-normal">40 min de visita</span>
        </legend>
        <div className="grid grid-cols-4 gap-2">
          {offered.map(({ startsAtMs: at, isTaken }) => (
            <label key={at} className="visit-slot">
              <input
                type="radio"
                name={`${name}-slot`}
                checked={typed === null && at === startsAtMs}
                disabled={isTaken}
                onChange={() => chooseHour(at)}
                className="sr-only"
              />
              {spokenHour(at)}
            </label>
          ))}
          <label className="visit-slot">
            <input
              type="radio"
              name={`${name}-slot`}
              checked={typed !== null}
              onChange={() => type(toField(startsAtMs ?? zonedMs(day, NOON)))}
              className="sr-only"
            />
            Outro
          </label>
        </div>
        {offered.length === 0 && <p className="pt-2 text-14 text-text-2">Sem horários neste dia.</p>}
        {struck.length > 0 && <p className="pt-2 text-14 text-text-2">{takenWords(struck)}</p>}
      </fieldset>
      {typed !== null && <MomentField label="Outro horário" value={typed} onType={type} />}
    </>
  )
}

type DaysProps = { days: readonly number[]; chosen: number; onChoose: (day: number) => void }

function Days({ days, chosen, onChoose }: DaysProps) {
  const name = useId()
  return (
    <fieldset>
      <legend className="sr-only">Dia</legend>
      <div className="scrollbar-none -mx-3 flex gap-1 overflow-x-auto px-3 py-0.5">
        {days.map((day) => (
          <label key={day} className="visit-day">
            <input
              type="radio"
              name={name}
              checked={day === chosen}
              onChange={() => onChoose(day)}
              className="sr-only"
            />
            <span className="text-13">{weekdayWord(day).slice(0, 3)}</span>
            <span className="text-20 tabular-nums">{Number(dateParts(zonedMs(day, NOON)).day)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
