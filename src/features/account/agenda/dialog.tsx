// The dialog with a broker's weekly visiting hours, and the secret address that shows visits in a calendar.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { renewCalendar, saveWeek, visitSetupQuery } from '#data/visits.ts'
import { formatDate } from '#domain/format.ts'
import type { VisitDay } from '#domain/next-action/visit.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { copyText } from '#ui/clipboard.ts'
import { TextField } from '#ui/forms/field.tsx'
import { Switch } from '#ui/forms/switch.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { AGENDA } from '../texts.ts'

const onSince = (day: string) => `Ligado desde ${day}`

const WEEKDAYS = ['Segunda', 'Terça', 'Quarta', 'Quinta', 'Sexta', 'Sábado', 'Domingo'] as const

const CALENDAR = 'No calendário do celular'

const WEEK = 'Horários de visita'

type AgendaProps = { instanceName: string; isOpen: boolean; onClose: () => void }

export function AgendaDialog({ instanceName, isOpen, onClose }: AgendaProps) {
  const setup = useQuery(visitSetupQuery(instanceName))
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={AGENDA}>
      {setup.data ? (
        <div className="flex flex-col gap-6 px-1">
          <Week instanceName={instanceName} week={setup.data.week} />
          <Calendar instanceName={instanceName} madeAtMs={setup.data.feedMadeAtMs} />
        </div>
      ) : setup.error ? (
        <FailedRead of={setup} />
      ) : (
        <Skeleton className="mx-3 h-40" />
      )}
    </Dialog>
  )
}

const NEW_DAY = { from: 540, until: 1_080 }
const toField = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
/** Minutes of the day; null while the typed time is incomplete. */
function fromField(text: string): number | null {
  const [hours, minutes] = text.split(':').map(Number)
  return hours === undefined || minutes === undefined || Number.isNaN(hours + minutes)
    ? null
    : hours * 60 + minutes
}

const failed = () => toast('Não foi possível salvar. Tente de novo.', 'error')

function Week({ instanceName, week }: { instanceName: string; week: readonly VisitDay[] }) {
  const [days, setDays] = useState(week)
  const saving = useMutation({ ...saveWeek(instanceName), onError: failed })
  const fault =
    days.length === 0
      ? 'Escolha ao menos um dia.'
      : days.some(({ from, until }) => until <= from)
        ? 'Cada dia termina depois de começar.'
        : null
  const change = (weekday: number, hours: Partial<VisitDay> | null) => {
    const others = days.filter((day) => day.weekday !== weekday)
    const before = days.find((day) => day.weekday === weekday) ?? { weekday, ...NEW_DAY }
    setDays(
      hours === null
        ? others
        : [...others, { ...before, ...hours }].toSorted((a, b) => a.weekday - b.weekday),
    )
  }
  return (
    <section aria-label={WEEK} className="flex flex-col">
      <h3 className="px-4 text-16 font-semibold">{WEEK}</h3>
      <p className="px-4 pb-1 text-14 text-text-2">
        Nestes dias e horas você, e o assistente, marcam visitas.
      </p>
      {WEEKDAYS.map((label, index) => {
        const day = days.find(({ weekday }) => weekday === index + 1)
        return (
          <div key={label}>
            <Switch
              label={label}
              isOn={day !== undefined}
              onChange={(isOn) => change(index + 1, isOn ? {} : null)}
            />
            {day && (
              <div className="grid grid-cols-2 gap-3 px-4 pb-2">
                <Hour
                  label={`Das (${label})`}
                  minutes={day.from}
                  onMinutes={(from) => change(day.weekday, { from })}
                />
                <Hour
                  label={`Até (${label})`}
                  minutes={day.until}
                  onMinutes={(until) => change(day.weekday, { until })}
                />
              </div>
            )}
          </div>
        )
      })}
      <p role="alert" className="px-4 text-13 text-danger empty:hidden">
        {fault}
      </p>
      <div className="px-4 pt-2">
        <Button
          size="large"
          disabled={fault !== null || saving.isPending}
          onClick={() => saving.mutate(days, { onSuccess: () => toast('Horários salvos', 'success') })}
        >
          Salvar horários
        </Button>
      </div>
    </section>
  )
}

type HourProps = { label: string; minutes: number; onMinutes: (minutes: number) => void }

function Hour({ label, minutes, onMinutes }: HourProps) {
  return (
    <TextField
      label={label}
      type="time"
      required
      value={toField(minutes)}
      onChange={({ target }) => {
        const typed = fromField(target.value)
        if (typed !== null) onMinutes(typed)
      }}
    />
  )
}

function Calendar({ instanceName, madeAtMs }: { instanceName: string; madeAtMs: number | null }) {
  const renewing = useMutation({ ...renewCalendar(instanceName), onError: failed })
  const address = renewing.data ?? null
  const copy = async () => {
    if (address === null) return
    if (await copyText(address)) toast('Endereço copiado', 'success')
    else toast('Não foi possível copiar. Selecione o endereço e copie.', 'error')
  }
  return (
    <section aria-label={CALENDAR} className="flex flex-col gap-2 px-4">
      <h3 className="text-16 font-semibold">{CALENDAR}</h3>
      <p className="text-14 text-text-2">
        Um endereço secreto mostra visitas e próximos passos no seu calendário: só o primeiro nome, o que é e
        o lugar.
      </p>
      {address !== null && (
        <>
          <TextField label="Endereço do calendário" value={address} readOnly />
          <p className="text-14 text-text-2">Copie agora. Não será mostrado de novo.</p>
          <Button variant="soft" onClick={() => void copy()}>
            Copiar endereço
          </Button>
        </>
      )}
      {madeAtMs === null ? (
        <Button variant="soft" disabled={renewing.isPending} onClick={() => renewing.mutate(true)}>
          Criar endereço
        </Button>
      ) : (
        <>
          <p className="text-14 text-text-2">
            {onSince(formatDate(madeAtMs))}. {'Trocado, o endereço de agora deixa de valer.'}
          </p>
          <div className="grid grid-cols-2 gap-2">
            <Button variant="line" disabled={renewing.isPending} onClick={() => renewing.mutate(true)}>
              Trocar endereço
            </Button>
            <Button variant="line" disabled={renewing.isPending} onClick={() => renewing.mutate(false)}>
              Desligar
            </Button>
          </div>
        </>
      )}
    </section>
  )
}
