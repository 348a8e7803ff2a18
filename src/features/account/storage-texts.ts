// What follows from a device that keeps nothing.
import type { StorageState } from '#data/storage.ts'

export const STORAGE_WORDS = {
  full: 'Sem espaço no aparelho para guardar a fila. Conecte-se para enviar.',
  broken: 'Este aparelho não está guardando os dados. Sem sinal, nada aparece aqui.',
} satisfies Record<Exclude<StorageState, 'ok'>, string>
