// Of all that can be heard in a conversation one sounds at a time.
let sounding: HTMLMediaElement | null = null

/** Said when it begins. */
export function soundAlone(sound: HTMLMediaElement) {
  if (sounding !== sound) sounding?.pause()
  sounding = sound
}

export function fallSilent() {
  sounding?.pause()
}
