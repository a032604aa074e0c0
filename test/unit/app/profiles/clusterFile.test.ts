import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readProfiles } from '../../../../src/app/clusters/clusterProfile.ts';
import {
  clusterFileKind,
  clusterFileText,
  clusterFileVersion,
  largestClusterFile,
  readClusterFile,
  ClusterFileError,
} from '../../../../src/app/profiles/clusterFile.ts';
import { errorText } from '../../../../src/extension/words/errorText.ts';
import { profileNamed } from '../../extension/fixtures.ts';

const encoder = new TextEncoder();
const good = { name: 'Orders', connectString: 'zk1:2181/app', environment: 'staging' };

function fileWith(...clusters: unknown[]): Uint8Array {
  return encoder.encode(JSON.stringify({ kind: clusterFileKind, version: clusterFileVersion, clusters }));
}

function faultOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof ClusterFileError) return error.fault;
    throw error;
  }
  return 'none';
}

describe('a file of clusters', () => {
  it('brings every field to another machine, and no secret, id or file of this one', () => {
    const profile = profileNamed('Vault', {
      id: 'id-of-this-machine',
      environment: 'production',
      lockRoots: ['/a', '/b'],
      readOnly: true,
      auth: [
        { scheme: 'digest', user: 'ann' },
        { scheme: 'sasl', user: 'sam' },
      ],
      tls: { caFile: '/home/ann/ca.pem', certFile: '/home/ann/me.pem', keyFile: '/home/ann/k.pem', serverName: 'zk' },
    });
    const { text, leftOut } = clusterFileText([profile]);
    expect(text).not.toMatch(/id-of-this-machine|home|pem/);
    expect(leftOut).toEqual([]);
    expect(readClusterFile(encoder.encode(text))).toEqual({
      clusters: [{ ...profile, id: undefined, tls: { serverName: 'zk' } }],
      refused: [],
    });
  });

  it('leaves out what could not be read again', () => {
    const { profiles } = readProfiles([
      good,
      { ...good, id: 'b' },
      { ...good, id: 'c', name: 'a\u202eb' },
      { ...good, id: 'd', name: 'D', connectString: 'no host:x' },
    ]);
    const { text, leftOut } = clusterFileText(profiles);
    expect(leftOut.map(({ id }) => id)).toEqual(['b', 'c', 'd']);
    expect(readClusterFile(encoder.encode(text)).clusters).toHaveLength(1);
  });

  it.each([
    ['not-json', encoder.encode('{')],
    ['not-json', new Uint8Array([0x22, 0xff, 0x22])],
    ['not-json', encoder.encode('['.repeat(500_000))],
    ['too-large', new Uint8Array(largestClusterFile + 1)],
    ['kind', encoder.encode('[]')],
    ['kind', encoder.encode('null')],
    ['kind', encoder.encode('{"version":1,"clusters":[]}')],
    ['version', encoder.encode(`{"kind":"${clusterFileKind}","clusters":[]}`)],
    ['version', encoder.encode(`{"kind":"${clusterFileKind}","version":"1","clusters":[]}`)],
    ['newer', encoder.encode(`{"kind":"${clusterFileKind}","version":2,"clusters":[]}`)],
    ['clusters', encoder.encode(`{"kind":"${clusterFileKind}","version":1,"clusters":{}}`)],
    ['unknown-field', encoder.encode(`{"kind":"${clusterFileKind}","version":1,"clusters":[],"__proto__":{}}`)],
    ['too-many', fileWith(...Array.from({ length: 501 }, () => good))],
  ])('is refused as a whole: %s', (fault, bytes) => {
    expect(faultOf(() => readClusterFile(bytes))).toBe(fault);
  });

  it('says what to do about a file that cannot be used', () => {
    const texts = (['not-json', 'newer', 'unreadable'] as const).map(fault => errorText(new ClusterFileError(fault)));
    expect(new Set(texts.map(({ what }) => what)).size).toBe(3);
    for (const { next } of texts) expect(next).not.toBe('');
  });

  it.each([
    ['not-an-object', 'x'],
    ['not-an-object', null],
    ['name', { ...good, name: '' }],
    ['name', { ...good, name: 'x'.repeat(201) }],
    ['name', { ...good, name: 'Ord\u200bers' }],
    ['name', { ...good, name: 'a\nb' }],
    ['name', { ...good, name: 5 }],
    ['connectString', { ...good, connectString: 'zk1:99999' }],
    ['connectString', { ...good, connectString: 'zk1:2181/a\u202eb' }],
    ['connectString', { ...good, connectString: 'a,'.repeat(1_100) }],
    ['connectString', { ...good, connectString: undefined }],
    ['credentials', { ...good, connectString: 'me:pw@zk1:2181' }],
    ['environment', { ...good, environment: 'prod' }],
    ['environment', { ...good, environment: undefined }],
    ['lockRoots', { ...good, lockRoots: '/a' }],
    ['lockRoots', { ...good, lockRoots: ['/a/../b'] }],
    ['lockRoots', { ...good, lockRoots: Array.from({ length: 101 }, () => '/a') }],
    ['readOnly', { ...good, readOnly: 'yes' }],
    ['auth', { ...good, auth: 'ann' }],
    ['auth', { ...good, auth: [{ scheme: 'x509', user: 'ann' }] }],
    ['auth', { ...good, auth: [{ scheme: 'digest', user: 'a\u0000' }] }],
    ['credentials', { ...good, auth: [{ scheme: 'digest', user: 'ann:pw' }] }],
    ['credentials', { ...good, auth: [{ scheme: 'digest', user: 'ann', password: 'pw' }] }],
    ['credentials', { ...good, passphrase: 'x' }],
    ['unknown-field', { ...good, auth: [{ scheme: 'digest', user: 'ann', extra: 1 }] }],
    ['tls', { ...good, tls: true }],
    ['tls', { ...good, tls: { serverName: ' ' } }],
    ['file-path', { ...good, tls: { caFile: '/etc/shadow' } }],
    ['unknown-field', { ...good, id: 'orders' }],
    ['unknown-field', { ...good, colour: 'red' }],
  ])('refuses one entry and keeps the others: %s %#', (fault, wrong) => {
    const { clusters, refused } = readClusterFile(fileWith(wrong, { ...good, name: 'Good' }));
    expect(refused).toMatchObject([{ index: 0, fault }]);
    expect(clusters.map(({ name }) => name)).toEqual(['Good']);
  });

  it('takes no shape from what it reads', () => {
    const text = `{"kind":"${clusterFileKind}","version":1,"clusters":[
      {"name":"A","connectString":"a:1","environment":"staging","__proto__":{"readOnly":false}},
      {"name":"B","connectString":"b:1","environment":"staging","tls":{"__proto__":{"caFile":"/x"}}},
      {"name":"__proto__","connectString":"c:1","environment":"staging"}]}`;
    const { clusters, refused } = readClusterFile(encoder.encode(text));
    expect(refused).toMatchObject([
      { fault: 'unknown-field', field: '__proto__' },
      { fault: 'unknown-field', field: '__proto__' },
    ]);
    expect(clusters).toMatchObject([{ name: '__proto__', connectString: 'c:1' }]);
    expect(({} as Record<string, unknown>)['caFile']).toBeUndefined();
  });

  it('has each name once', () => {
    const { clusters, refused } = readClusterFile(fileWith(good, { ...good, name: ' Orders ', connectString: 'b:1' }));
    expect(clusters).toMatchObject([{ connectString: 'zk1:2181/app' }]);
    expect(refused).toMatchObject([{ index: 1, fault: 'duplicate' }]);
  });

  it('has a schema for the editor that knows the same fields and words', () => {
    const schema = JSON.parse(
      readFileSync(new URL('../../../../media/clusters.schema.json', import.meta.url), 'utf8'),
    ) as {
      properties: {
        kind: { const: string };
        version: { const: number };
        clusters: { items: { required: string[]; properties: Record<string, { enum?: string[] }> } };
      };
    };
    const { kind, version, clusters } = schema.properties;
    expect([kind.const, version.const]).toEqual([clusterFileKind, clusterFileVersion]);
    expect(clusters.items.required).toEqual(['name', 'connectString', 'environment']);
    const everything = { ...good, lockRoots: ['/'], readOnly: true, auth: [{ scheme: 'sasl', user: 'a' }], tls: {} };
    expect(readClusterFile(fileWith(everything)).refused).toEqual([]);
    expect(Object.keys(clusters.items.properties).sort()).toEqual(Object.keys(everything).sort());
    for (const environment of clusters.items.properties['environment']?.enum ?? []) {
      expect(readClusterFile(fileWith({ ...good, environment })).refused).toEqual([]);
    }
  });

  it('can be written by hand as the documentation shows', () => {
    const text = readFileSync(new URL('../../../../docs/clusters-file.md', import.meta.url), 'utf8');
    const example = /```json\n(.*?)```/s.exec(text)?.[1] ?? '';
    expect(readClusterFile(encoder.encode(example))).toMatchObject({
      clusters: [{ name: 'Orders, Frankfurt', readOnly: true, tls: { serverName: 'zk.example' } }],
      refused: [],
    });
  });
});
