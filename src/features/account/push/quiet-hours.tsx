// The setting for the hours in which the portal sends no pushes.
import { useState } from 'react'
import type { PushSettings } from '#data/push.ts'
import { TextField } from '#ui/forms/field.tsx'
import { Switch } from '#ui/forms/switch.tsx'

type Quiet = PushSettings['quiet']

/** The hours that the form suggests. */
const NIGHT = { from: '21:00', until: '07:00' }

type QuietHoursProps = { quiet: Quiet; onChange: (quiet: Quiet) => void }

export function QuietHours({ hint, quiet, onChange }: QuietHoursProps & { hint: string }) {
  return (
    <>
      <Switch
        label="Horário de silêncio"
        hint={hint}
        isOn={quiet !== null}
        onChange={(isOn) => onChange(isOn ? NIGHT : null)}
      />
      {quiet && <Hours quiet={quiet} onChange={onChange} />}
    </>
  )
}

/** Saves the hours when a field loses focus and both are complete, because a half typed time is incomplete. */
function Hours({ quiet, onChange }: { quiet: NonNullable<Quiet>; onChange: (quiet: Quiet) => void }) {
  const [typed, setTyped] = useState(quiet)
  const isSame = typed.from !== '' && typed.from === typed.until
  const keep = () => {
    const isWhole = typed.from !== '' && typed.until !== ''
    const isNew = typed.from !== quiet.from || typed.until !== quiet.until
    if (isWhole && isNew && !isSame) onChange(typed)
  }
  return (
    <div className="grid grid-cols-2 gap-3 px-4 pb-3">
      <TextField
        label="Das"
        type="time"
        required
        value={typed.from}
        onChange={({ target }) => setTyped({ ...typed, from: target.value })}
        onBlur={keep}
      />
      <TextField
        label="Até"
        type="time"
        required
        value={typed.until}
        error={isSame && 'Escolha um começo e um fim diferentes.'}
        onChange={({ target }) => setTyped({ ...typed, until: target.value })}
        onBlur={keep}
      />
    </div>
  )
}
