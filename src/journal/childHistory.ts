/** Changes between two lists that are kept. */
const spacing = 512;

/** Which children a directory had, after each change. A list costs the children that it has and some hundred changes, however many there ever were. */
export class ChildHistory {
  private readonly names: string[] = [];
  /** The number of the moment; of one that is gone, its complement. */
  private readonly at: number[] = [];
  /** After each `spacing` changes. */
  private readonly lists: (readonly string[])[] = [];
  private readonly present = new Set<string>();

  /** @param moment number, not smaller than those before */
  note(moment: number, name: string, isThere: boolean): void {
    if (this.present.has(name) === isThere) return;
    if (isThere) this.present.add(name);
    else this.present.delete(name);
    this.names.push(name);
    this.at.push(isThere ? moment : ~moment);
    if (this.names.length % spacing === 0) this.lists.push([...this.present]);
  }

  /** The names after a moment. */
  namesAt(moment: number): Set<string> {
    const end = this.behind(moment);
    const list = Math.floor(end / spacing);
    const names = new Set(this.lists[list - 1]);
    for (let change = list * spacing; change < end; change++) {
      const name = this.names[change] ?? '';
      if ((this.at[change] ?? 0) >= 0) names.add(name);
      else names.delete(name);
    }
    return names;
  }

  /** The last change at or before a moment. */
  lastChange(moment: number): { name: string; moment: number; isThere: boolean } | undefined {
    const change = this.behind(moment) - 1;
    const at = this.at[change];
    const name = this.names[change];
    if (at === undefined || name === undefined) return undefined;
    return { name, moment: at >= 0 ? at : ~at, isThere: at >= 0 };
  }

  /** How many changes there are until a moment. */
  private behind(moment: number): number {
    let low = 0;
    let high = this.at.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const at = this.at[middle] ?? 0;
      if ((at >= 0 ? at : ~at) <= moment) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
