// Shows the link to a central number for one rotation or source, and its QR code to copy, download or print.
import { useQuery } from '@tanstack/react-query'
import { Copy, Download, Printer } from 'lucide-react'
import { type Ref, useRef, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { brokersQuery } from '#data/brokers.ts'
import { displayName } from '#domain/broker.ts'
import { centralLink, centralText } from '#domain/phone/central-link.ts'
import { formatPhone } from '#domain/phone/phone.ts'
import { copyText } from '#ui/clipboard.ts'
import { download } from '#ui/download.ts'
import { toast } from '#ui/feedback/toast.ts'
import { SelectField } from '#ui/forms/select-field.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { type Qr, qrOf, svgOf } from './qr.ts'
import './print.css'

const qrLabel = (name: string) => `QR de ${name}`

const TITLE = 'QR para imprimir'

export type LinkCardProps = {
  /** The name that is printed on the sheet. */
  name: string
  /** What the lead's message tells as its subject. Null if its code tells that already. */
  about: string | null
  /** Null as long as the rotation or source has no code. */
  code: string | null
}

export function LinkCard({ name, about, code }: LinkCardProps) {
  const { data: brokers } = useQuery(brokersQuery())
  const [chosen, setChosen] = useState<string | null>(null)
  if (!brokers) return null
  const centrals = brokers.flatMap(({ instanceName, number, isCentral }) =>
    isCentral && number !== null ? [{ instanceName, number }] : [],
  )
  const central = centrals.find(({ instanceName }) => instanceName === chosen) ?? centrals[0]
  return (
    <section aria-label={TITLE} className="flex flex-col gap-3">
      <h3 className="text-15 font-semibold">{TITLE}</h3>
      {!central || code === null ? (
        <p className="text-14 leading-body text-text-3">
          {central
            ? 'Para ter um link e um QR, dê um código a esta roleta, acima, e salve.'
            : 'Para ter um link e um QR, torne central um número em WhatsApp.'}
        </p>
      ) : (
        <>
          {centrals.length > 1 && (
            <SelectField
              label="Número central"
              value={central.instanceName}
              onChange={({ target }) => setChosen(target.value)}
            >
              {centrals.map(({ instanceName, number }) => (
                <option key={instanceName} value={instanceName}>
                  {`${displayName(instanceName)} · ${formatPhone(number)}`}
                </option>
              ))}
            </SelectField>
          )}
          <Link name={name} number={central.number} text={centralText(about, code)} />
        </>
      )}
    </section>
  )
}

function Link({ name, number, text }: { name: string; number: string; text: string }) {
  const [isPrinting, setPrinting] = useState(false)
  const sheet = useRef<HTMLDivElement>(null)
  const link = centralLink(number, text)
  const qr = qrOf(link)
  const copy = async () =>
    (await copyText(link))
      ? toast('Link copiado', 'success')
      : toast('Não foi possível copiar. O link está no QR.', 'error')
  const printSheet = async () => {
    flushSync(() => setPrinting(true))
    // Waits until the image is decoded, because otherwise the printed page would lack it.
    await sheet.current?.querySelector('img')?.decode()
    addEventListener('afterprint', () => setPrinting(false), { once: true })
    print()
  }
  return (
    <div className="flex flex-wrap items-center gap-4">
      {/* The code's background is light in the dark theme too, because not every camera reads an inverted code. */}
      <span className="size-36 shrink-0 rounded-md bg-white p-1 shadow-line">
        <Code qr={qr} label={qrLabel(name)} />
      </span>
      <div className="flex min-w-48 grow basis-0 flex-col gap-3">
        <p className="text-13 leading-body wrap-anywhere text-text-3">{`Abre o WhatsApp com o texto “${text}”`}</p>
        <span className="flex flex-wrap gap-2">
          <Button variant="line" size="small" icon={Copy} onClick={() => void copy()}>
            Copiar link
          </Button>
          <Button
            variant="line"
            size="small"
            icon={Download}
            onClick={() => download(`qr-${fileWord(name)}.svg`, svgOf(qr), 'image/svg+xml')}
          >
            Baixar SVG
          </Button>
          <Button variant="line" size="small" icon={Printer} onClick={() => void printSheet()}>
            Imprimir A5
          </Button>
        </span>
      </div>
      {isPrinting && <Sheet name={name} number={number} qr={qr} ref={sheet} />}
    </div>
  )
}

const Code = ({ qr, label }: { qr: Qr; label: string }) => (
  <img alt={label} src={`data:image/svg+xml,${encodeURIComponent(svgOf(qr))}`} />
)

type SheetProps = { name: string; number: string; qr: Qr; ref: Ref<HTMLDivElement> }

/** The printed page. It is rendered outside the app's root element, because printing hides that one. */
const Sheet = ({ name, number, qr, ref }: SheetProps) =>
  createPortal(
    <div className="print-sheet" ref={ref}>
      <h1>{name}</h1>
      <Code qr={qr} label={qrLabel(name)} />
      <p>
        Aponte a câmera e fale no WhatsApp
        <strong>{formatPhone(number)}</strong>
      </p>
    </div>,
    document.body,
  )

/** 'Mirante do Lago' becomes 'mirante-do-lago'. */
const fileWord = (name: string) =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
