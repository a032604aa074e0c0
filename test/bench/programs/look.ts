import { pathToFileURL } from 'node:url';
import type * as FirstLook from './firstLook.ts';

// Loads the bundle of firstLook.ts, has a look, and prints how long that took: once per program, as when a window is new.

const [bundle = '', kind = '', hosts = '', path = ''] = process.argv.slice(2);
const start = performance.now();
const { lookAtCluster, lookAtQueue } = (await import(pathToFileURL(bundle).href)) as typeof FirstLook;
const loadMs = performance.now() - start;
const { connectedAt, rowsAt, ...seen } = await (kind === 'queue' ? lookAtQueue : lookAtCluster)(hosts, path);
process.stdout.write(JSON.stringify({ ms: rowsAt - start, loadMs, connectedMs: connectedAt - start, ...seen }));
process.exit(0);
