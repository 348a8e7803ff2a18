// Shows the address that a source posts to. It is masked because it contains the key: one button shows it for half a
// minute, another copies it without showing it.
import { Copy, Eye, EyeOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { PortalError } from '#domain/errors.ts'
import { toast } from '#ui/feedback/toast.ts'
import { copyText } from '#ui/clipboard.ts'
import { IconButton } from '#ui/primitives/button.tsx'
import { getSourceAddress } from './data.ts'
import { ADDRESS_FAILED, ADDRESS_NOT_COPIED } from './texts.ts'

const SHOWN_MS = 30_000

export function AddressBox({ sourceId, kind }: { sourceId: string; kind: string }) {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (address === null) return
    const timer = setTimeout(() => setAddress(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [address])
  const withAddress = async (run: (address: string) => void | Promise<void>) => {
    try {
      await run(await getSourceAddress(sourceId))
    } catch (error) {
      toast(error instanceof PortalError ? error.message : ADDRESS_FAILED, 'error')
    }
  }
  const copy = () =>
    withAddress(async (text) => {
      const isCopied = await copyText(text)
      toast(isCopied ? 'Endereço copiado' : ADDRESS_NOT_COPIED, isCopied ? 'success' : 'error')
      if (!isCopied) setAddress(text)
    })
  const isShown = address !== null
  return (
    <span className="flex items-center rounded-md bg-surface-2 pl-3.5 lg:rounded-ctl">
      <input
        readOnly
        aria-label="Endereço"
        value={address ?? maskedAddress(kind)}
        onFocus={(event) => event.target.select()}
        className="min-h-11 min-w-0 grow truncate bg-transparent py-3 font-mono text-13 outline-none focus-visible:shadow-input-focus"
      />
      <IconButton
        icon={isShown ? EyeOff : Eye}
        label={isShown ? 'Ocultar o endereço' : 'Mostrar o endereço por 30 segundos'}
        onClick={() => (isShown ? setAddress(null) : void withAddress(setAddress))}
      />
      <IconButton icon={Copy} label="Copiar o endereço" onClick={() => void copy()} />
    </span>
  )
}

const maskedAddress = (kind: string) =>
  `${location.origin}/api/leads${kind === 'meta' ? '/meta/' : '?key='}••••••`
