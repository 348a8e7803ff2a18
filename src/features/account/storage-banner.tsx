// Warns that this device cannot store data, and explains the consequences.
import { type StorageState } from './storage-data.ts'
import { HardDrive } from 'lucide-react'
import { useStorageState } from './storage-data.ts'
import { Banner } from '#ui/primitives/banner.tsx'

const STORAGE_WORDS = {
  full: 'Sem espaço no aparelho para guardar a fila. Conecte-se para enviar.',
  broken: 'Este aparelho não está guardando os dados. Sem internet, nada aparece aqui.',
} satisfies Record<Exclude<StorageState, 'ok'>, string>

export function StorageBanner() {
  const state = useStorageState()
  return (
    <div className="px-4 pt-2 empty:hidden lg:px-8">
      {state !== 'ok' && (
        <Banner tone="warning" icon={HardDrive}>
          {STORAGE_WORDS[state]}
        </Banner>
      )}
    </div>
  )
}
