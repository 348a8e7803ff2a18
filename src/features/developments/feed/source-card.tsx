// Chooses where the feed comes from: an address, read on request or every hour, or a file.
import { useMutation } from '@tanstack/react-query'
import { CircleAlert, RefreshCw, Upload } from 'lucide-react'
import { type ChangeEvent, useId, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { countOf } from '#domain/count.ts'
import { formatRelative } from '#domain/format.ts'
import { TextField } from '#ui/forms/field.tsx'
import { Switch } from '#ui/forms/switch.tsx'
import { useNow } from '#ui/now.ts'
import { Button } from '#ui/primitives/button.tsx'
import { FilterChips } from '#ui/primitives/chips.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { isReading, readFeedFile, readNow, saveFeed, type FeedState } from './feed-data.ts'

const PLACES = [
  { value: 'address', label: 'Endereço' },
  { value: 'file', label: 'Arquivo' },
] as const
type Place = (typeof PLACES)[number]['value']

export function SourceCard({ feed }: { feed: FeedState }) {
  const [place, setPlace] = useState<Place>('address')
  return (
    <section aria-label="De onde vem o feed" className="rounded-lg bg-surface px-4 py-4 shadow-card lg:px-5">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        {/* The padding aligns the chips with the field, which has its label above it. */}
        <div className="lg:pt-8">
          <FilterChips label="De onde vem" choices={PLACES} chosen={place} onChoose={setPlace} />
        </div>
        <div className="min-w-70 grow basis-0">
          {place === 'address' ? <FromAddress feed={feed} /> : <FromFile feed={feed} />}
        </div>
      </div>
      <p aria-live="polite" className="pt-2 text-13 text-text-3">
        Formato VRSync, o mesmo que ZAP e VivaReal pedem. <LastRead feed={feed} />
      </p>
    </section>
  )
}

function LastRead({ feed }: { feed: FeedState }) {
  const nowMs = useNow()
  const { run, checkedAt, listings, address, runs } = feed
  if (isReading(feed)) return run?.state === 'reading' ? readingWords(run.total, listings) : 'Lendo…'
  if (address === null && runs.length === 0) return 'Cole o endereço ou escolha o arquivo.'
  const when = checkedAt === null ? '' : `Lido ${formatRelative(Date.parse(checkedAt), nowMs)}: `
  return listings > 0 ? `${when}${countOf(listings, 'imóvel no feed', 'imóveis no feed')}.` : ''
}

/** The size of the new feed is unknown, so the progress is compared with the present number of listings. */
function readingWords(read: number, listings: number): string {
  if (read === 0) return 'Lendo…'
  return read <= listings
    ? `Lendo… ${read} de ${listings}`
    : `Lendo… ${countOf(read, 'imóvel', 'imóveis')} até agora.`
}

/** The fault of the address's last reading; null if that went well, or the address is another one by now. */
function lastFault({ runs, run }: FeedState, isSame: boolean): string | null {
  const last = runs.find(({ source, state }) => source === 'address' && state !== 'reading')
  return isSame && run?.state !== 'reading' && last?.state === 'failed' ? last.fault : null
}

function FromAddress({ feed }: { feed: FeedState }) {
  const isOnline = useIsOnline()
  const [typed, setTyped] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const save = useMutation(saveFeed())
  const read = useMutation(readNow())
  const address = typed ?? feed.address ?? ''
  const isBusy = save.isPending || read.isPending || isReading(feed)
  const saved = async (isHourly: boolean) => {
    setFault(null)
    try {
      await save.mutateAsync({ address: address.trim() || null, isHourly })
      setTyped(null)
      return true
    } catch (error) {
      setFault((error as Error).message)
      return false
    }
  }
  const readIt = async () => {
    const isSame = address.trim() === (feed.address ?? '')
    if (!isSame && !(await saved(feed.isHourly))) return
    await read.mutateAsync().catch((error: unknown) => setFault((error as Error).message))
  }
  return (
    <>
      <div className="flex flex-wrap items-start gap-3">
        <div className="min-w-60 grow basis-0">
          <TextField
            label="Endereço do feed"
            type="url"
            inputMode="url"
            placeholder="https://"
            value={address}
            error={fault ?? lastFault(feed, typed === null)}
            onChange={({ target }) => setTyped(target.value)}
          />
        </div>
        <span className="lg:pt-7.5">
          <Button
            variant="line"
            icon={RefreshCw}
            disabled={!isOnline || address.trim() === ''}
            busy={isBusy && 'Lendo…'}
            onClick={() => void readIt()}
          >
            Ler agora
          </Button>
        </span>
      </div>
      <div className="-mx-4">
        <Switch
          label="Ler de hora em hora"
          hint="Preço, textos e fotos mudam sozinhos; imóveis novos e os que sumiram esperam você."
          isOn={feed.isHourly}
          isDisabled={!isOnline || save.isPending || address.trim() === ''}
          onChange={(isOn) => void saved(isOn)}
        />
      </div>
    </>
  )
}

function FromFile({ feed }: { feed: FeedState }) {
  const id = useId()
  const isOnline = useIsOnline()
  const faultId = useId()
  const [ratio, setRatio] = useState(0)
  const read = useMutation(readFeedFile())
  const isBusy = read.isPending || isReading(feed)
  const take = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0]
    target.value = ''
    if (!file) return
    setRatio(0)
    read.mutate({ file, onProgress: setRatio })
  }
  return (
    <>
      <input
        id={id}
        type="file"
        accept=".xml,text/xml,application/xml"
        aria-label="Arquivo do feed"
        aria-describedby={read.error ? faultId : undefined}
        disabled={!isOnline || isBusy}
        onChange={take}
        className="peer sr-only"
      />
      <label
        htmlFor={id}
        className="flex lg:mt-6 min-h-13 cursor-pointer items-center justify-center gap-2.5 rounded-md px-4 text-15 font-medium text-text-2 shadow-line peer-focus-visible:shadow-focus peer-disabled:cursor-default peer-disabled:text-text-3 hover:bg-surface-2"
      >
        <Upload aria-hidden size={18} />
        {isBusy ? `Lendo… ${Math.round(ratio * 100)}%` : 'Escolher o arquivo XML, até 30 MB'}
      </label>
      {read.error && (
        <p id={faultId} role="alert" className="flex items-center gap-1.5 pt-2 text-14 text-danger">
          <Icon of={CircleAlert} size={16} />
          {read.error.message}
        </p>
      )}
    </>
  )
}
