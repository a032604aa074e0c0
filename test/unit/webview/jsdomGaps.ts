/**
 * What the page and the toolkit ask of a browser and jsdom does not have. Import it before anything of webview/ that leads to
 * the toolkit, which asks while it is loaded.
 */
class NoResizing implements ResizeObserver {
  observe(): void {
    // jsdom lays nothing out, so nothing ever has another size.
  }
  unobserve(): void {
    // As above.
  }
  disconnect(): void {
    // As above.
  }
}

const noMatch = (media: string): MediaQueryList =>
  Object.assign(new EventTarget(), {
    media,
    matches: false,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  });

Object.assign(window, { ResizeObserver: NoResizing, matchMedia: noMatch, scrollTo: () => undefined });

Object.assign(Element.prototype, { scrollIntoView: () => undefined });

const focusItself = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'focus')?.value as HTMLElement['focus'];
/** The fields of the toolkit hand the focus on by `delegatesFocus`. */
HTMLElement.prototype.focus = function (options) {
  focusItself.call(this.shadowRoot?.querySelector('input') ?? this, options);
};
