/**
 * Calls back with each message of the host. Only VS Code can post to a page, but scripts of the browser's extensions also send events,
 * so the type is checked.
 *
 * @param types of the host's messages; absent: any text
 * @param signal ends it
 */
export function onHostMessage<M extends { type: string }>(
  receive: (message: M) => void,
  signal: AbortSignal,
  types?: readonly M['type'][],
): void {
  const isOfHost = (message: unknown): message is M => {
    if (typeof message !== 'object' || message === null || !('type' in message)) return false;
    return typeof message.type === 'string' && (types?.includes(message.type) ?? true);
  };
  const listen = ({ data }: MessageEvent<unknown>): void => {
    if (isOfHost(data)) receive(data);
  };
  window.addEventListener('message', listen, { signal });
}
