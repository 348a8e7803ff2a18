// Provides developments' small pictures from the portal or from this phone's storage.
import { useQuery } from '@tanstack/react-query'
import type { SyntheticEvent } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { filesQuery } from '#data/development-files.ts'
import { keepPicture, keptPictures } from './data.ts'

const SIDE = 64
const TYPE = 'image/jpeg'

export type Pictures = {
  of: (fileId: number | null | undefined) => string | undefined
  /** For a picture's `onLoad`: stores the picture on this phone. */
  keep: (fileId: number) => (event: SyntheticEvent<HTMLImageElement>) => void
}

export function usePictures(ids: readonly number[]): Pictures {
  const isOnline = useIsOnline()
  const { data: urls } = useQuery({ ...filesQuery(ids, true), enabled: isOnline && ids.length > 0 })
  const { data: kept = [] } = useQuery(keptPictures())
  const small = new Map(kept)
  return {
    of: (fileId) => {
      if (fileId === null || fileId === undefined) return undefined
      const base64 = small.get(fileId)
      return (isOnline ? urls?.[fileId] : undefined) ?? (base64 && `data:${TYPE};base64,${base64}`)
    },
    keep:
      (fileId) =>
      ({ currentTarget }) => {
        if (!small.has(fileId) && currentTarget.src.startsWith('http'))
          void drawAndKeep(fileId, currentTarget)
      },
  }
}

async function drawAndKeep(fileId: number, image: HTMLImageElement) {
  const { naturalWidth: width, naturalHeight: height } = image
  const scale = SIDE / Math.max(width, height, SIDE)
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  const [, base64] = canvas.toDataURL(TYPE, 0.7).split(',')
  if (base64) await keepPicture(fileId, base64)
}
