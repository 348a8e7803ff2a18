// The dialog with the broker's rotations: pauses and resumes them, and shows what the broker got of each and why not
// more.
import { useMutation } from '@tanstack/react-query'
import { Pause, Play } from 'lucide-react'
import { useIsOnline } from '#data/connectivity.ts'
import { type OwnShare, pauseLeads } from './data.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { useDeviceNow } from '#ui/now.ts'
import { SAVING } from '#ui/texts.ts'
import { toast } from '#ui/feedback/toast.ts'
import { isPausedAt, OFFLINE, pausedText, ROTATION, shareText } from './texts.ts'
import { formatNumber } from '#domain/count.ts'

const whereTheyWent = (count: number) =>
  count === 1 ? 'Para onde foi 1 lead:' : `Para onde foram os ${formatNumber(count)} leads:`

const HOUR_MS = 3_600_000
const MORNING = 8

type OwnRotationsDialogProps = {
  isOpen: boolean
  onClose: () => void
  shares: readonly OwnShare[]
  pausedUntilMs: number | null
}

export function OwnRotationsDialog({ isOpen, onClose, shares, pausedUntilMs }: OwnRotationsDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={ROTATION}>
      <div className="flex flex-col gap-5 px-3">
        <PauseChoice pausedUntilMs={pausedUntilMs} />
        <section>
          <h3 className="pb-2 text-15 font-semibold">Sua parte nos últimos 30 dias</h3>
          <ul className="flex flex-col gap-4">
            {shares.map((share) => (
              <li key={share.roleta} className="flex flex-col gap-0.5">
                <p className="text-15 font-medium wrap-anywhere">{share.roleta}</p>
                <p className="text-14 text-text-2 tabular-nums">{shareText(share)}</p>
                {share.why.length > 0 && (
                  <>
                    <h4 className="pt-1 text-13 font-medium text-text-2">{whereTheyWent(share.leads)}</h4>
                    <ul className="text-13 leading-snug text-text-3">
                      {share.why.map((line) => (
                        <li key={line}>{line}</li>
                      ))}
                    </ul>
                  </>
                )}
              </li>
            ))}
          </ul>
        </section>
      </div>
    </Dialog>
  )
}

function PauseChoice({ pausedUntilMs }: Pick<OwnRotationsDialogProps, 'pausedUntilMs'>) {
  const isOnline = useIsOnline()
  const nowMs = useDeviceNow()
  const { mutate, isPending, variables } = useMutation({
    ...pauseLeads(),
    onError: () => toast('Erro ao mudar a pausa', 'error'),
  })
  const isPaused = isPausedAt(pausedUntilMs, nowMs)
  const choices = [
    { label: 'Pausar por 1 hora', until: () => Date.now() + HOUR_MS },
    { label: 'Pausar até amanhã às 8h', until: tomorrowMorning },
    { label: 'Pausar até eu voltar', until: () => Infinity },
  ]
  return (
    <section className="flex flex-col gap-2">
      <h3 className="text-15 font-semibold">Receber leads da roleta</h3>
      <output className="text-14 text-text-2">{pausedText(isPaused ? pausedUntilMs : null, nowMs)}</output>
      {isPaused ? (
        <Button
          icon={Play}
          disabled={!isOnline}
          busy={isPending && variables === null && SAVING}
          onClick={() => mutate(null)}
        >
          Voltar a receber
        </Button>
      ) : (
        choices.map(({ label, until }) => (
          <Button
            key={label}
            variant="line"
            icon={Pause}
            disabled={!isOnline || isPending}
            onClick={() => mutate(until())}
          >
            {label}
          </Button>
        ))
      )}
      <p className="text-13 text-text-3">
        {isOnline ? 'Em pausa, a vez passa aos outros. Os leads que já são seus ficam.' : OFFLINE}
      </p>
    </section>
  )
}

/** Tomorrow morning in the device's time zone. */
function tomorrowMorning(): number {
  const morning = new Date()
  morning.setDate(morning.getDate() + 1)
  return morning.setHours(MORNING, 0, 0, 0)
}
