// Uploads files to a development one after the other, with the progress of each. For a refused file it tells the
// reason.
import { useState } from 'react'
import { newOperationId } from '#data/operation.ts'
import type { DevelopmentFile, DevelopmentFileKind } from '#domain/development/development.ts'
import { toast } from '#ui/feedback/toast.ts'
import { addFile } from '../data.ts'

export type Uploading = { key: string; name: string; ratio: number; kind: DevelopmentFileKind }

const NEVER = new AbortController().signal

export function useUploads(id: number, onAdded: (file: DevelopmentFile) => void) {
  const [uploading, setUploading] = useState<readonly Uploading[]>([])
  async function add(files: readonly File[], kind: DevelopmentFileKind, title: string | null = null) {
    const tasks = files.map((file) => ({ file, key: newOperationId() }))
    setUploading((before) => [
      ...before,
      ...tasks.map(({ file, key }) => ({ key, name: file.name, ratio: 0, kind })),
    ])
    for (const { file, key } of tasks) {
      const onProgress = (ratio: number) =>
        setUploading((before) => before.map((one) => (one.key === key ? { ...one, ratio } : one)))
      try {
        onAdded(await addFile(id, { file, kind, title, onProgress, signal: NEVER }))
      } catch (error) {
        toast(`${file.name}: ${error instanceof Error ? error.message : 'não foi enviado.'}`, 'error')
      }
      setUploading((before) => before.filter((one) => one.key !== key))
    }
  }
  return { uploading, add }
}
