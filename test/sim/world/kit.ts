/** A world that notes down what is thrown in it. */
import { World } from '../../../sim/world/world.js'

export class Notebook {
  readonly faults: unknown[] = []
  readonly world: World = new World(
    () => undefined,
    (error) => void this.faults.push(error),
  )
  /** What was noted, and when, in milliseconds since the world began. */
  readonly lines: string[] = []

  note(text: string): () => void {
    return () => void this.lines.push(`${text} at ${this.world.passedMs}`)
  }

  async advance(ms: number): Promise<void> {
    await this.world.runUntil(this.world.nowMs + ms)
  }
}
