// Chooses when a campaign starts: now, or at a day and time in the portal's time zone.
import { useId } from 'react'
import { wallClock } from '#domain/campaign.ts'
import { TextField } from '#ui/forms/field.tsx'

type WhenFieldProps = {
  /** When the campaign starts; null means now. */
  startsAt: string | null
  onChange: (startsAt: string | null) => void
  zone: string
  nowMs: number
}

const HOUR_MS = 3_600_000

export function WhenField({ startsAt, onChange, zone, nowMs }: WhenFieldProps) {
  const name = useId()
  const choices = [
    { label: 'Agora', isChosen: startsAt === null, choose: () => onChange(null) },
    {
      label: 'Agendar',
      isChosen: startsAt !== null,
      // Proposes the first full hour that is at least one hour away.
      choose: () => onChange(`${wallClock(nowMs + 2 * HOUR_MS, zone).slice(0, 13)}:00`),
    },
  ]
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="pb-1.5 text-14 font-medium">Quando enviar</legend>
      <div className="grid grid-cols-2 rounded-md bg-segments p-0.75">
        {choices.map(({ label, isChosen, choose }) => (
          <label
            key={label}
            className="relative flex min-h-11 cursor-pointer items-center justify-center rounded-seg text-14 font-medium text-text-2 has-checked:bg-segment has-checked:font-semibold has-checked:text-text has-checked:shadow-1 has-focus-visible:shadow-focus"
          >
            <input type="radio" name={name} checked={isChosen} onChange={choose} className="sr-only" />
            {label}
          </label>
        ))}
      </div>
      {startsAt !== null && (
        <TextField
          label="Data e hora"
          type="datetime-local"
          value={startsAt}
          min={wallClock(nowMs, zone)}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </fieldset>
  )
}
