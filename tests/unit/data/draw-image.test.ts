// Redrawing a picture: upright, within its box, on white.
import { afterEach, expect, it, vi } from 'vitest'
import { drawImage } from '#data/messages/draw-image.ts'

afterEach(() => vi.unstubAllGlobals())

function stubPicture(width: number, height: number) {
  const close = vi.fn<() => void>()
  const createImageBitmap = vi.fn<() => Promise<unknown>>().mockResolvedValue({ width, height, close })
  vi.stubGlobal('createImageBitmap', createImageBitmap)
  return { close, createImageBitmap }
}

function stubCanvas() {
  const steps: string[] = []
  const brush = {
    fillStyle: '',
    imageSmoothingQuality: '',
    fillRect(...box: number[]) {
      steps.push(`fill ${this.fillStyle} ${box.join(' ')}`)
    },
    drawImage(_: unknown, ...box: number[]) {
      steps.push(`draw ${box.join(' ')}`)
    },
  }
  const convertToBlob = vi.fn<(options: object) => Promise<Blob>>().mockResolvedValue(new Blob(['jpeg']))
  const newCanvas = vi.fn<(width: number, height: number) => unknown>(() => ({
    getContext: () => brush,
    convertToBlob,
  }))
  return {
    steps,
    convertToBlob,
    newCanvas: newCanvas as unknown as Parameters<typeof drawImage>[1],
    made: newCanvas,
  }
}

it('upright, no larger than the box, on white, as JPEG of quality 0.9', async () => {
  const { close, createImageBitmap } = stubPicture(4000, 3000)
  const { steps, convertToBlob, newCanvas, made } = stubCanvas()
  const file = new Blob(['raw'])
  await expect(drawImage(file, newCanvas)).resolves.toMatchObject({ width: 800, height: 600 })
  expect(createImageBitmap).toHaveBeenCalledWith(file, { imageOrientation: 'from-image' })
  expect(made).toHaveBeenCalledWith(800, 600)
  expect(steps).toEqual(['fill white 0 0 800 600', 'draw 0 0 800 600'])
  expect(convertToBlob).toHaveBeenCalledWith({ type: 'image/jpeg', quality: 0.9 })
  expect(close).toHaveBeenCalledOnce()
})

it('a small one is not enlarged', async () => {
  stubPicture(120, 90)
  await expect(drawImage(new Blob(), stubCanvas().newCanvas)).resolves.toMatchObject({
    width: 120,
    height: 90,
  })
})

it('releases the picture when drawing fails', async () => {
  const { close } = stubPicture(10, 10)
  const noBrush = (() => ({
    getContext: () => null,
    convertToBlob: vi.fn<() => void>(),
  })) as unknown as Parameters<typeof drawImage>[1]
  await expect(drawImage(new Blob(), noBrush)).rejects.toThrow('no canvas')
  expect(close).toHaveBeenCalledOnce()
})
