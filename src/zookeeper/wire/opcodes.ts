/** Request types (ZooDefs.OpCode), with the first release of those that are younger than 3.4. */
export const Op = {
  error: -1,
  create: 1,
  delete: 2,
  exists: 3,
  getData: 4,
  setData: 5,
  getAcl: 6,
  getChildren: 8,
  sync: 9,
  ping: 11,
  getChildren2: 12,
  create2: 15, // 3.5.0
  removeWatches: 18, // 3.5.0
  createContainer: 19, // 3.5.1
  multiRead: 22, // 3.6.0
  auth: 100,
  setWatches: 101,
  sasl: 102,
  setWatches2: 105, // 3.6.0
  addWatch: 106, // 3.6.0
  whoAmI: 107, // 3.7.0
  closeSession: -11,
} as const;
